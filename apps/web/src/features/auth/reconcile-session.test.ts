import { Auth0Client } from '@auth0/auth0-spa-js';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, type Mock, vi } from 'vitest';
import { neverAnswer, startMockServer } from '../../test/mock-server.ts';
import { writeRuntimeConfig } from '../../test/runtime-config-block.ts';
import { useAuthStore } from './auth-store.ts';
import { finishSignIn } from './finish-sign-in.ts';
import { hasStoredProviderSession, mustAskForPassword } from './provider-client.ts';
import { prepareFirstRender, reconcileSession } from './reconcile-session.ts';

let provider: Record<'checkSession' | 'isAuthenticated' | 'getTokenSilently' | 'handleRedirectCallback' | 'logout', Mock>;

const server = startMockServer();
const user = { id: 1, first_name: 'Ada', last_name: 'Byron', email: 'ada@example.com' };
const session = { access: 'a', refresh: 'r', user };
const state = () => useAuthStore.getState();
const refuse = (status: number, code: string) => () => HttpResponse.json({ code, detail: code, request_id: 'x' }, { status });
const rememberAtProvider = () => localStorage.setItem('@@auth0spajs@@::web::@@user@@', '{}');
/** The failure stored for the page that the provider's sign-out redirects to. */
const carried = () => sessionStorage.getItem('sign-in-failure');
const discovery = 'http://localhost:3000/idp/.well-known/openid-configuration';
const fullLogout = { logoutParams: { returnTo: 'http://localhost:3000' } };

beforeEach(() => {
  writeRuntimeConfig();
  window.history.replaceState(null, '', '/callback?code=c&state=s');
  sessionStorage.clear();
  useAuthStore.setState(useAuthStore.getInitialState(), true);
  provider = {
    checkSession: vi.spyOn(Auth0Client.prototype, 'checkSession').mockResolvedValue(undefined),
    isAuthenticated: vi.spyOn(Auth0Client.prototype, 'isAuthenticated').mockResolvedValue(false),
    getTokenSilently: vi.spyOn(Auth0Client.prototype, 'getTokenSilently').mockResolvedValue(undefined),
    handleRedirectCallback: vi.spyOn(Auth0Client.prototype, 'handleRedirectCallback').mockResolvedValue({} as never),
    logout: vi.spyOn(Auth0Client.prototype, 'logout').mockResolvedValue(undefined),
  };
  server.use(http.get(discovery, () => HttpResponse.json({})));
  provider.getTokenSilently.mockResolvedValue('provider-token');
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});

/** Waits for work that is given up after 10 s; `justBefore` checks what holds until then. */
async function passTenSeconds<T>(work: Promise<T>, justBefore: () => void): Promise<T> {
  await vi.advanceTimersByTimeAsync(9_999);
  justBefore();
  await vi.advanceTimersByTimeAsync(1);
  vi.useRealTimers();
  return work;
}
const stopClock = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });

describe('a visitor', () => {
  it('without any stored session is not loading before the first render', () => {
    prepareFirstRender();
    expect(state().isLoading).toBe(false);
  });

  it('with a stored session at the provider is loading until it is checked', () => {
    rememberAtProvider();
    prepareFirstRender();
    expect(state().isLoading).toBe(true);
  });
});

it('a user with a session does not wait for the provider', () => {
  state().logIn(session);
  rememberAtProvider();
  prepareFirstRender();
  expect(state()).toMatchObject({ isAuthenticated: true, isLoading: false });
  expect(provider.checkSession).not.toHaveBeenCalled();
});

describe('reconciling the session', () => {
  it('does not call the provider if neither side has a session', async () => {
    await reconcileSession();
    expect(state()).toMatchObject({ isAuthenticated: false, isLoading: false });
    expect(provider.checkSession).not.toHaveBeenCalled();
  });

  // spec: §4 at the provider only
  it('exchanges the token of a user who is signed in at the provider only', async () => {
    rememberAtProvider();
    provider.isAuthenticated.mockResolvedValue(true);
    server.use(http.post('*/api/v1/auth0/login/', () => HttpResponse.json(session)));
    await reconcileSession();
    expect(state()).toMatchObject({ isAuthenticated: true, isLoading: false, user });
  });

  // spec: §4 here only
  it('logs out a user who is no longer signed in at the provider', async () => {
    state().logIn(session);
    provider.isAuthenticated.mockResolvedValue(false);
    server.use(http.post('*/api/v1/auth/logout/', () => new HttpResponse(null, { status: 204 })));
    await reconcileSession();
    expect(state()).toMatchObject({ isAuthenticated: false, isLoading: false });
  });

  it('keeps the reason of a session that ends while the provider is asked', async () => {
    state().logIn(session);
    provider.isAuthenticated.mockImplementation(async () => {
      state().logOut('unauthenticated');
      return false;
    });
    await reconcileSession();
    expect(state()).toMatchObject({ isAuthenticated: false, error: 'unauthenticated' });
  });

  it('does not wait for a server that does not answer', async () => {
    state().logIn(session);
    provider.isAuthenticated.mockResolvedValue(false);
    server.use(http.post('*/api/v1/auth/logout/', () => new Promise<never>(() => undefined)));
    await reconcileSession();
    expect(state()).toMatchObject({ isAuthenticated: false, isLoading: false });
  });

  // spec: §8 exchange failure logged
  it.each([
    ['refused', refuse(403, 'email_not_verified'), 'email_not_verified'],
    ['failed', refuse(503, 'provider_unavailable'), 'provider_unavailable'],
    ['lost', () => HttpResponse.error(), 'network_error'],
  ])('logs an exchange that was %s and signs out of the provider', async (_, answer, reason) => {
    rememberAtProvider();
    provider.isAuthenticated.mockResolvedValue(true);
    server.use(http.post('*/api/v1/auth0/login/', answer));
    await reconcileSession();
    expect(console.error).toHaveBeenCalledWith('Failed to sync Auth0 authentication:', expect.anything());
    expect(provider.logout).toHaveBeenCalledWith(fullLogout);
    expect(carried()).toBe(reason);
    // The page is about to redirect.
    expect(state()).toMatchObject({ isAuthenticated: false, isLoading: true });
  });

  it('shows the sign-in page when signing out of the provider fails too', async () => {
    rememberAtProvider();
    provider.isAuthenticated.mockResolvedValue(true);
    server.use(
      http.post('*/api/v1/auth0/login/', () => HttpResponse.error()),
      http.get(discovery, () => HttpResponse.error()),
    );
    await reconcileSession();
    expect(provider.logout).toHaveBeenCalledExactlyOnceWith({ openUrl: false });
    expect(state()).toMatchObject({ isAuthenticated: false, isLoading: false, error: 'network_error' });
  });

  // spec: §8 sync failure logged
  it('only logs when the user data of a signed-in member cannot be synced', async () => {
    state().logIn(session);
    provider.isAuthenticated.mockResolvedValue(true);
    server.use(http.post('*/api/v1/auth0/sync/', refuse(503, 'provider_unavailable')));
    await reconcileSession();
    await vi.waitFor(() => expect(console.error).toHaveBeenCalledWith('Failed to sync user data from Auth0:', expect.anything()), 10_000);
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
      await vi.waitFor(() => expect(state().isAuthenticated).toBe(false), 10_000);
    },
  );

  it('shows the sign-in page with the reason when the provider has not answered for 10 s', async () => {
    rememberAtProvider();
    provider.checkSession.mockReturnValue(new Promise(() => undefined));
    stopClock();
    await passTenSeconds(reconcileSession(), () => expect(state().isLoading).toBe(true));
    expect(state()).toMatchObject({ isAuthenticated: false, isLoading: false, error: 'provider_unavailable' });
    // A reload tries again.
    expect(hasStoredProviderSession()).toBe(true);
  });

  it('keeps the session when the provider’s code cannot be loaded or asked', async () => {
    state().logIn(session);
    provider.checkSession.mockRejectedValue(new Error('offline'));
    provider.getTokenSilently.mockRejectedValue(new Error('offline'));
    await reconcileSession();
    expect(state()).toMatchObject({ isAuthenticated: true, isLoading: false });
  });
});

describe('finishing a sign-in', () => {
  // spec: §4 callback exchange
  it('starts the session and goes where the member wanted to', async () => {
    provider.handleRedirectCallback.mockResolvedValue({ appState: { returnTo: '/brands/7/certifications?x=1' } });
    server.use(http.post('*/api/v1/auth0/login/', () => HttpResponse.json(session)));
    expect(await finishSignIn()).toBe('/brands/7/certifications?x=1');
    expect(state()).toMatchObject({ isAuthenticated: true, isLoading: false });
  });

  // spec: §4 callback goes to brands
  it.each([undefined, 'https://evil.example', '//evil.example', '/\\evil.example', 7])(
    'goes to the brands when the return path is %s',
    async (returnTo) => {
      provider.handleRedirectCallback.mockResolvedValue({ appState: { returnTo } });
      server.use(http.post('*/api/v1/auth0/login/', () => HttpResponse.json(session)));
      expect(await finishSignIn()).toBe('/brands');
    },
  );

  it('redeems the code once, even if called twice', async () => {
    provider.handleRedirectCallback.mockResolvedValue({ appState: {} });
    server.use(http.post('*/api/v1/auth0/login/', () => HttpResponse.json(session)));
    await Promise.all([finishSignIn(), finishSignIn()]);
    expect(provider.handleRedirectCallback).toHaveBeenCalledTimes(1);
  });
});

describe('a sign-in that cannot be finished', () => {
  const open = (address: string) => window.history.replaceState(null, '', address);
  const withCause = (word: string) => Object.assign(new Error(word), { error: word });
  const lostExchange = () => {
    provider.handleRedirectCallback.mockResolvedValue({ appState: {} });
    server.use(http.post('*/api/v1/auth0/login/', () => HttpResponse.error()));
  };

  /** Signed out of the portal and of the provider, whose sign-out redirects to the home page. */
  function expectToLeave(reason: string) {
    expect(console.error).toHaveBeenCalledWith('Failed to complete the sign-in:', expect.anything());
    expect(provider.logout).toHaveBeenCalledWith(fullLogout);
    expect(carried()).toBe(reason);
    expect(state()).toMatchObject({ isAuthenticated: false, accessToken: null, refreshToken: null, isLoading: true });
  }

  it.each(['/callback', '/callback?state=x', '/callback?code='])('because %s has no code signs out', async (address) => {
    open(address);
    expect(await finishSignIn()).toBeUndefined();
    expectToLeave('sign_in_incomplete');
    expect(provider.handleRedirectCallback).not.toHaveBeenCalled();
  });

  it('signs out a member who was signed in before, too', async () => {
    state().logIn(session);
    const revoked = vi.fn(() => new HttpResponse(null, { status: 204 }));
    server.use(http.post('*/api/v1/auth/logout/', revoked));
    open('/callback');
    await finishSignIn();
    expectToLeave('sign_in_incomplete');
    expect(revoked).toHaveBeenCalledOnce();
  });

  it.each([
    ['access_denied', 'provider_token_rejected'],
    ['missing_transaction', 'sign_in_incomplete'],
    ['state_mismatch', 'sign_in_incomplete'],
  ])('because the provider or its SDK reports %s signs out', async (word, reason) => {
    open('/callback?error=access_denied&state=x');
    provider.handleRedirectCallback.mockRejectedValue(withCause(word));
    expect(await finishSignIn()).toBeUndefined();
    expectToLeave(reason);
  });

  it.each([
    ['a lost connection to the provider', new TypeError('Failed to fetch')],
    ['a timeout of the provider', withCause('timeout')],
    ['an invalid answer of the provider', withCause('request_error')],
  ])('because of %s signs out', async (_, cause) => {
    provider.handleRedirectCallback.mockRejectedValue(cause);
    expect(await finishSignIn()).toBeUndefined();
    expectToLeave('provider_unavailable');
  });

  // spec: §4 callback failure, §8 callback failure logged
  it.each([
    ['refused', refuse(401, 'provider_token_rejected'), 'provider_token_rejected'],
    ['failed', refuse(503, 'provider_unavailable'), 'provider_unavailable'],
    ['answered with nonsense', () => HttpResponse.text('hello'), 'internal_error'],
    ['lost', () => HttpResponse.error(), 'network_error'],
  ])('because the exchange is %s signs out', async (_, answer, reason) => {
    provider.handleRedirectCallback.mockResolvedValue({ appState: {} });
    server.use(http.post('*/api/v1/auth0/login/', answer));
    expect(await finishSignIn()).toBeUndefined();
    expectToLeave(reason);
  });

  it.each(['handleRedirectCallback', 'getTokenSilently'] as const)(
    'because the provider has not answered %s for 10 s signs out',
    async (call) => {
      provider.handleRedirectCallback.mockResolvedValue({ appState: {} });
      provider[call].mockReturnValue(new Promise(() => undefined));
      stopClock();
      const finished = await passTenSeconds(finishSignIn(), () => expect(provider.logout).not.toHaveBeenCalled());
      expect(finished).toBeUndefined();
      expectToLeave('provider_unavailable');
    },
  );

  it('because the exchange takes more than 10 s signs out', async () => {
    stopClock();
    provider.handleRedirectCallback.mockResolvedValue({ appState: {} });
    const fetchAsBefore = globalThis.fetch;
    vi.stubGlobal('fetch', (url: URL | string, options?: RequestInit) =>
      (String(url).endsWith('/auth0/login/') ? neverAnswer : fetchAsBefore)(url, options),
    );
    const finished = await passTenSeconds(finishSignIn(), () => expect(provider.logout).not.toHaveBeenCalled());
    expect(finished).toBeUndefined();
    expectToLeave('timeout');
  });

  // spec: §4 callback failure
  it('leads to the home page with its reason when signing out of the provider fails, and the next sign-in asks for the password', async () => {
    rememberAtProvider();
    lostExchange();
    server.use(http.get(discovery, () => HttpResponse.error()));
    expect(await finishSignIn()).toBe('/');
    expect(provider.logout).toHaveBeenCalledExactlyOnceWith({ openUrl: false });
    expect(state()).toMatchObject({ isAuthenticated: false, isLoading: false, error: 'network_error' });
    expect(carried()).toBeNull();
    expect(mustAskForPassword()).toBe(true);
    server.use(http.post('*/api/v1/auth0/login/', () => HttpResponse.json(session)));
    await finishSignIn();
    expect(mustAskForPassword()).toBe(false);
  });

  it('leads to the home page and deletes the provider’s tokens even if the provider’s code cannot be loaded', async () => {
    rememberAtProvider();
    lostExchange();
    provider.logout.mockRejectedValue(new TypeError('Failed to fetch dynamically imported module'));
    expect(await finishSignIn()).toBe('/');
    expect(state()).toMatchObject({ isLoading: false, error: 'network_error' });
    expect(hasStoredProviderSession()).toBe(false);
  });
});
