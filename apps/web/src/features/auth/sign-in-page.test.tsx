import { Auth0Client } from '@auth0/auth0-spa-js';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { StrictMode } from 'react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, type Mock, vi } from 'vitest';
import { changeLanguage } from '../../lib/i18n.ts';
import { writeRuntimeConfig } from '../../test/runtime-config-block.ts';
import { useAuthStore } from './auth-store.ts';
import { prepareFirstRender } from './reconcile-session.ts';
import { abandonSignIn } from './sign-in-failure.ts';
import { SignInPage } from './sign-in-page.tsx';
import { signOut } from './sign-out.ts';

let provider: Record<'loginWithRedirect' | 'logout', Mock>;

function open() {
  prepareFirstRender();
  render(
    <MemoryRouter>
      <SignInPage />
    </MemoryRouter>,
  );
}

function refuseStorage() {
  for (const name of ['localStorage', 'sessionStorage'] as const) {
    vi.spyOn(globalThis, name, 'get').mockImplementation(() => {
      throw new DOMException('refused', 'SecurityError');
    });
  }
}

beforeEach(() => {
  writeRuntimeConfig();
  sessionStorage.clear();
  useAuthStore.setState(useAuthStore.getInitialState(), true);
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  vi.stubGlobal('fetch', async () => new Response('{}'));
  provider = {
    loginWithRedirect: vi.spyOn(Auth0Client.prototype, 'loginWithRedirect').mockResolvedValue(undefined),
    logout: vi.spyOn(Auth0Client.prototype, 'logout').mockResolvedValue(undefined),
  };
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe('the sign-in page', () => {
  it('shows why the last sign-in failed, also after the redirect to the provider', async () => {
    sessionStorage.setItem('sign-in-failure', 'email_not_verified');
    open();
    expect(screen.getByRole('alert')).toHaveTextContent('Verify your email address');
    await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('shows the failure once: not after a reload', () => {
    sessionStorage.setItem('sign-in-failure', 'sign_in_incomplete');
    open();
    expect(screen.getByRole('alert')).toHaveTextContent('The sign-in could not be completed. Please sign in again.');
    cleanup();
    open();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('shows in Spanish that a session has ended', async () => {
    await changeLanguage('es');
    open();
    act(() => useAuthStore.getState().logOut('unauthenticated'));
    expect(screen.getByRole('alert')).toHaveTextContent('Tu sesión ha terminado. Inicia sesión de nuevo.');
    await changeLanguage('en');
  });

  it('makes the provider ask for the password after a sign-out that did not reach it', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    await expect(signOut()).rejects.toThrow('Failed to fetch');
    vi.stubGlobal('fetch', async () => new Response('{}'));
    open();
    await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
    await vi.waitFor(() => expect(provider.loginWithRedirect).toHaveBeenCalled(), 10_000);
    expect(provider.loginWithRedirect.mock.lastCall?.[0].authorizationParams).toMatchObject({ prompt: 'login' });
  });

  // spec: §2 sign-in pending
  it('can be used again when the back button restores it from the cache', async () => {
    open();
    await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
    expect(await screen.findByRole('button', { name: 'Signing in...' })).toBeDisabled();
    fireEvent(window, Object.assign(new Event('pageshow'), { persisted: false }));
    expect(screen.getByRole('button', { name: 'Signing in...' })).toBeDisabled();
    fireEvent(window, Object.assign(new Event('pageshow'), { persisted: true }));
    expect(screen.getByRole('button', { name: 'Sign in' })).toBeEnabled();
  });

  it('executes a click from before the app was loaded, once', async () => {
    document.documentElement.toggleAttribute('data-sign-in-pressed', true);
    prepareFirstRender();
    render(
      <StrictMode>
        <MemoryRouter initialEntries={['/brands/7/certifications?x=1']}>
          <SignInPage />
        </MemoryRouter>
      </StrictMode>,
    );
    expect(screen.getByRole('button', { name: 'Signing in...' })).toBeDisabled();
    await vi.waitFor(() => expect(provider.loginWithRedirect).toHaveBeenCalledOnce(), 10_000);
    expect(provider.loginWithRedirect.mock.lastCall?.[0].appState).toEqual({
      returnTo: '/brands/7/certifications?x=1',
    });
    cleanup();
    open();
    expect(screen.getByRole('button', { name: 'Sign in' })).toBeEnabled();
    expect(provider.loginWithRedirect).toHaveBeenCalledOnce();
  });

  it('takes over the focus of the button from before the app was loaded', () => {
    document.documentElement.toggleAttribute('data-sign-in-focused', true);
    open();
    expect(screen.getByRole('button', { name: 'Sign in' })).toHaveFocus();
    cleanup();
    open();
    expect(screen.getByRole('button', { name: 'Sign in' })).not.toHaveFocus();
  });

  it('is shown at once when the browser refuses its storage', () => {
    refuseStorage();
    open();
    expect(useAuthStore.getState().isLoading).toBe(false);
    expect(screen.getByRole('button', { name: 'Sign in' })).toBeEnabled();
  });

  it.each([undefined, null, 'a word', new Error('offline')])(
    'signs out at the provider after %s was thrown, even without storage',
    async (error) => {
      refuseStorage();
      expect(await abandonSignIn(error)).toBe(true);
      expect(provider.logout).toHaveBeenCalledOnce();
    },
  );
});
