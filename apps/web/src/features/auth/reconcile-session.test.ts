import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { startMockServer } from '../../test/mock-server.ts';
import { writeRuntimeConfig } from '../../test/runtime-config-block.ts';
import { useAuthStore } from './auth-store.ts';
import { finishSignIn } from './finish-sign-in.ts';
import { reconcileSession, settleVisitor } from './reconcile-session.ts';

const provider = vi.hoisted(() => ({
  checkSession: vi.fn(),
  isAuthenticated: vi.fn(),
  getTokenSilently: vi.fn(),
  handleRedirectCallback: vi.fn(),
  logout: vi.fn(),
}));
vi.mock('@auth0/auth0-spa-js', () => ({
  Auth0Client: class {
    constructor() {
      Object.assign(this, provider);
    }
  },
}));

const server = startMockServer();
const user = { id: 1, first_name: 'Ada', last_name: 'Byron', email: 'ada@example.com' };
const session = { access: 'a', refresh: 'r', user };
const state = () => useAuthStore.getState();
const refuse = (status: number, code: string) => () =>
  HttpResponse.json({ code, detail: code, request_id: 'x' }, { status });
const rememberAtProvider = () => localStorage.setItem('@@auth0spajs@@::web::@@user@@', '{}');
const fullLogout = { logoutParams: { returnTo: 'http://localhost:3000' } };

beforeEach(() => {
  writeRuntimeConfig();
  sessionStorage.clear();
  useAuthStore.setState(useAuthStore.getInitialState(), true);
  for (const mock of Object.values(provider)) mock.mockReset();
  provider.getTokenSilently.mockResolvedValue('provider-token');
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});

describe('a visitor', () => {
  it('is known to be one before anything is rendered', () => {
    settleVisitor();
    expect(state().isLoading).toBe(false);
  });

  it('may be a member as long as the provider may know them', () => {
    rememberAtProvider();
    settleVisitor();
    expect(state().isLoading).toBe(true);
  });
});

describe('reconciling the session', () => {
  it('needs no provider where neither side knows of a session', async () => {
    await reconcileSession();
    expect(state()).toMatchObject({ isAuthenticated: false, isLoading: false });
    expect(provider.checkSession).not.toHaveBeenCalled();
  });

  it('exchanges the token of someone who is signed in at the provider only', async () => {
    rememberAtProvider();
    provider.isAuthenticated.mockResolvedValue(true);
    server.use(http.post('*/api/v1/auth0/login/', () => HttpResponse.json(session)));
    await reconcileSession();
    expect(state()).toMatchObject({ isAuthenticated: true, isLoading: false, user });
  });

  it('logs out locally who is no longer signed in at the provider', async () => {
    state().logIn(session);
    provider.isAuthenticated.mockResolvedValue(false);
    server.use(http.post('*/api/v1/auth/logout/', () => new HttpResponse(null, { status: 204 })));
    await reconcileSession();
    expect(state()).toMatchObject({ isAuthenticated: false, isLoading: false });
  });

  it('does not keep anybody waiting for a server that does not answer', async () => {
    state().logIn(session);
    provider.isAuthenticated.mockResolvedValue(false);
    server.use(http.post('*/api/v1/auth/logout/', () => new Promise<never>(() => undefined)));
    await reconcileSession();
    expect(state()).toMatchObject({ isAuthenticated: false, isLoading: false });
  });

  it('logs a failed exchange and signs out of the provider', async () => {
    rememberAtProvider();
    provider.isAuthenticated.mockResolvedValue(true);
    server.use(http.post('*/api/v1/auth0/login/', refuse(403, 'email_not_verified')));
    await reconcileSession();
    expect(console.error).toHaveBeenCalledWith('Failed to sync Auth0 authentication:', expect.anything());
    expect(provider.logout).toHaveBeenCalledWith(fullLogout);
    expect(state().error).toBe('email_not_verified');
    expect(state().isLoading).toBe(false);
  });

  it('only logs when the user data of a signed-in member cannot be synced', async () => {
    state().logIn(session);
    provider.isAuthenticated.mockResolvedValue(true);
    server.use(http.post('*/api/v1/auth0/sync/', refuse(503, 'provider_unavailable')));
    await reconcileSession();
    await vi.waitFor(() =>
      expect(console.error).toHaveBeenCalledWith('Failed to sync user data from Auth0:', expect.anything()),
    );
    expect(state().isAuthenticated).toBe(true);
    expect(provider.logout).not.toHaveBeenCalled();
  });

  it.each(['invalid_grant', 'login_required', 'missing_refresh_token'])(
    'signs out when the provider answers %s, although its SDK still says authenticated',
    async (code) => {
      state().logIn(session);
      provider.isAuthenticated.mockResolvedValue(true);
      provider.getTokenSilently.mockRejectedValue(Object.assign(new Error(code), { error: code }));
      server.use(http.post('*/api/v1/auth/logout/', () => new HttpResponse(null, { status: 204 })));
      await reconcileSession();
      await vi.waitFor(() => expect(state().isAuthenticated).toBe(false));
    },
  );

  it('keeps the session when the provider’s code cannot be loaded or asked', async () => {
    state().logIn(session);
    provider.checkSession.mockRejectedValue(new Error('offline'));
    provider.getTokenSilently.mockRejectedValue(new Error('offline'));
    await reconcileSession();
    expect(state()).toMatchObject({ isAuthenticated: true, isLoading: false });
  });
});

describe('finishing a sign-in', () => {
  it('starts the session and goes where the member wanted to', async () => {
    provider.handleRedirectCallback.mockResolvedValue({ appState: { returnTo: '/brands/7/certifications?x=1' } });
    server.use(http.post('*/api/v1/auth0/login/', () => HttpResponse.json(session)));
    expect(await finishSignIn()).toBe('/brands/7/certifications?x=1');
    expect(state()).toMatchObject({ isAuthenticated: true, isLoading: false });
  });

  it.each([undefined, 'https://evil.example', '//evil.example', '/\\evil.example', 7])(
    'goes to the brands when the way back is %s',
    async (returnTo) => {
      provider.handleRedirectCallback.mockResolvedValue({ appState: { returnTo } });
      server.use(http.post('*/api/v1/auth0/login/', () => HttpResponse.json(session)));
      expect(await finishSignIn()).toBe('/brands');
    },
  );

  it('redeems the code once, although the page asks twice', async () => {
    provider.handleRedirectCallback.mockResolvedValue({ appState: {} });
    server.use(http.post('*/api/v1/auth0/login/', () => HttpResponse.json(session)));
    await Promise.all([finishSignIn(), finishSignIn()]);
    expect(provider.handleRedirectCallback).toHaveBeenCalledTimes(1);
  });

  it('logs a failure, signs out of the provider and goes to the root', async () => {
    provider.handleRedirectCallback.mockRejectedValue(
      Object.assign(new Error('Invalid state'), { error: 'state_mismatch' }),
    );
    expect(await finishSignIn()).toBe('/');
    expect(console.error).toHaveBeenCalled();
    expect(provider.logout).toHaveBeenCalledWith(fullLogout);
    expect(state().error).toBe('provider_token_rejected');
    expect(state()).toMatchObject({ isAuthenticated: false, isLoading: false });
  });

  it.each([
    ['a lost connection', new TypeError('Failed to fetch')],
    ['a timeout', Object.assign(new Error('Timeout'), { error: 'timeout' })],
    ['an answer that is none', Object.assign(new Error('HTTP error'), { error: 'request_error' })],
  ])('tells that the provider is out of reach after %s, and does not send anybody there', async (_, cause) => {
    rememberAtProvider();
    provider.handleRedirectCallback.mockRejectedValue(cause);
    expect(await finishSignIn()).toBe('/');
    expect(provider.logout).toHaveBeenCalledWith({ openUrl: false });
    expect(state().error).toBe('provider_unavailable');
  });

  it('goes to the root even when signing out of the provider fails as well', async () => {
    rememberAtProvider();
    provider.handleRedirectCallback.mockRejectedValue(new TypeError('Failed to fetch dynamically imported module'));
    provider.logout.mockRejectedValue(new TypeError('Failed to fetch dynamically imported module'));
    expect(await finishSignIn()).toBe('/');
    expect(state().error).toBe('provider_unavailable');
  });

  it('does not send anybody to the sign-out page of a provider that is out of reach', async () => {
    rememberAtProvider();
    provider.handleRedirectCallback.mockResolvedValue({ appState: {} });
    server.use(http.post('*/api/v1/auth0/login/', refuse(503, 'provider_unavailable')));
    expect(await finishSignIn()).toBe('/');
    expect(provider.logout).toHaveBeenCalledWith({ openUrl: false });
    expect(state().error).toBe('provider_unavailable');
  });
});
