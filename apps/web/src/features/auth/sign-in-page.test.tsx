import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { writeRuntimeConfig } from '../../test/runtime-config-block.ts';
import { useAuthStore } from './auth-store.ts';
import { settleVisitor } from './reconcile-session.ts';
import { leaveProvider } from './sign-in-failure.ts';
import { SignInPage } from './sign-in-page.tsx';

const provider = vi.hoisted(() => ({ loginWithRedirect: vi.fn(), logout: vi.fn() }));
vi.mock('@auth0/auth0-spa-js', () => ({
  Auth0Client: class {
    constructor() {
      Object.assign(this, provider);
    }
  },
}));

function open() {
  settleVisitor();
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
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe('the sign-in page', () => {
  it('tells why the last sign-in failed, also after the page was left for the provider', async () => {
    sessionStorage.setItem('sign-in-failure', 'email_not_verified');
    open();
    expect(screen.getByRole('alert')).toHaveTextContent('Verify your email address');
    await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
    expect(screen.queryByRole('alert')).toBeNull();
    expect(sessionStorage.getItem('sign-in-failure')).toBeNull();
  });

  it('can be used again when the way back from the provider restores it as it was left', async () => {
    open();
    await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
    expect(await screen.findByRole('button', { name: 'Signing in...' })).toBeDisabled();
    fireEvent(window, Object.assign(new Event('pageshow'), { persisted: false }));
    expect(screen.getByRole('button', { name: 'Signing in...' })).toBeDisabled();
    fireEvent(window, Object.assign(new Event('pageshow'), { persisted: true }));
    expect(screen.getByRole('button', { name: 'Sign in' })).toBeEnabled();
  });

  it('is there at once when the browser refuses its storage', () => {
    refuseStorage();
    open();
    expect(useAuthStore.getState().isLoading).toBe(false);
    expect(screen.getByRole('button', { name: 'Sign in' })).toBeEnabled();
  });

  it.each([undefined, null, 'a word', new Error('offline')])(
    'is reached after %s was thrown, storage or not',
    async (error) => {
      refuseStorage();
      await leaveProvider(error);
      expect(useAuthStore.getState().error).toBe('provider_unavailable');
    },
  );
});
