import { beforeEach, expect, test, vi } from 'vitest';
import { useAuthStore } from './auth-store.ts';
import { signOutOfProvider } from './provider-client.ts';
import { prepareFirstRender } from './reconcile-session.ts';
import { signOut } from './sign-out.ts';

vi.mock('./provider-client.ts', () => ({ signOutOfProvider: vi.fn(), hasStoredProviderSession: () => false }));

beforeEach(() => useAuthStore.setState({ isAuthenticated: true, isLoading: false }));

test('nothing can be pressed between the session’s end and the provider’s page', async () => {
  await signOut();
  expect(useAuthStore.getState()).toMatchObject({ isAuthenticated: false, isLoading: true });
});

test('a provider that cannot be left leaves the sign-in page, and tells', async () => {
  vi.mocked(signOutOfProvider).mockRejectedValueOnce(new Error('no connection'));
  await expect(signOut()).rejects.toThrow('no connection');
  expect(useAuthStore.getState()).toMatchObject({ isAuthenticated: false, isLoading: false });
});

test('the page that a sign-out comes back to goes on where that was meant to lead', async () => {
  await signOut({ returnTo: '/login?message=account-created' });
  window.history.replaceState(null, '', '/');
  prepareFirstRender();
  expect(window.location.pathname + window.location.search).toBe('/login?message=account-created');
  window.history.replaceState(null, '', '/');
  prepareFirstRender();
  expect(window.location.pathname).toBe('/');
});

test('a sign-out that fails leads nowhere later', async () => {
  vi.mocked(signOutOfProvider).mockRejectedValueOnce(new Error('no connection'));
  await expect(signOut({ returnTo: '/login?message=account-created' })).rejects.toThrow('no connection');
  prepareFirstRender();
  expect(window.location.pathname).toBe('/');
});
