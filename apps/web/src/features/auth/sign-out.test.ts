import { beforeEach, expect, test, vi } from 'vitest';
import { useAuthStore } from './auth-store.ts';
import * as providerClient from './provider-client.ts';
import { prepareFirstRender } from './reconcile-session.ts';
import { signOut } from './sign-out.ts';

beforeEach(() => {
  useAuthStore.setState({ isAuthenticated: true, isLoading: false });
  vi.spyOn(providerClient, 'signOutOfProvider').mockResolvedValue();
});

test('the page shows loading between the end of the session and the redirect to the provider', async () => {
  await signOut();
  expect(useAuthStore.getState()).toMatchObject({ isAuthenticated: false, isLoading: true });
});

test('if signing out of the provider fails, the sign-in page is shown and the error is thrown', async () => {
  vi.mocked(providerClient.signOutOfProvider).mockRejectedValueOnce(new Error('no connection'));
  await expect(signOut()).rejects.toThrow('no connection');
  expect(useAuthStore.getState()).toMatchObject({ isAuthenticated: false, isLoading: false });
});

test('the page after a sign-out redirects to the requested address, once', async () => {
  await signOut({ returnTo: '/login?message=account-created' });
  window.history.replaceState(null, '', '/');
  prepareFirstRender();
  expect(window.location.pathname + window.location.search).toBe('/login?message=account-created');
  window.history.replaceState(null, '', '/');
  prepareFirstRender();
  expect(window.location.pathname).toBe('/');
});

test('a failed sign-out causes no later redirect', async () => {
  vi.mocked(providerClient.signOutOfProvider).mockRejectedValueOnce(new Error('no connection'));
  await expect(signOut({ returnTo: '/login?message=account-created' })).rejects.toThrow('no connection');
  prepareFirstRender();
  expect(window.location.pathname).toBe('/');
});
