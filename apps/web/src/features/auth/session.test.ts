import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../lib/api-error.ts';
import { startMockServer } from '../../test/mock-server.ts';
import { useAuthStore } from './auth-store.ts';
import { dropSession, endSession, renewAccessToken, startSession, syncSession, syncWithOtherTabs } from './session.ts';

const server = startMockServer();
const user = { id: 1, first_name: 'Ada', last_name: 'Byron', email: 'ada@example.com' };
const session = { access: 'a', refresh: 'r', user };
const state = () => useAuthStore.getState();
const refusal = (code: string) => ({ code, detail: code, request_id: 'x' });

beforeEach(() => {
  useAuthStore.setState(useAuthStore.getInitialState(), true);
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});

describe('starting a session', () => {
  // spec: §4 callback exchange, §7 login
  it('exchanges the provider’s token', async () => {
    const received = vi.fn();
    server.use(
      http.post('*/api/v1/auth0/login/', async ({ request }) => {
        received(await request.json());
        return HttpResponse.json(session);
      }),
    );
    await startSession('provider-token');
    expect(received).toHaveBeenCalledWith({ token: 'provider-token' });
    expect(state()).toMatchObject({ isAuthenticated: true, accessToken: 'a', refreshToken: 'r', user });
  });
});

describe('starting a session without an answer', () => {
  it('fails', async () => {
    server.use(http.post('*/api/v1/auth0/login/', () => new HttpResponse(null, { status: 204 })));
    await expect(startSession('provider-token')).rejects.toBeInstanceOf(ApiError);
    expect(state().isAuthenticated).toBe(false);
  });
});

describe('syncing a session', () => {
  // spec: §7 sync, §7 me
  it('reads the user again after the server has copied the provider’s data', async () => {
    state().logIn(session);
    server.use(
      http.post('*/api/v1/auth0/sync/', () => HttpResponse.json(user)),
      http.get('*/api/v1/users/me/', () => HttpResponse.json({ ...user, first_name: 'Augusta' })),
    );
    await syncSession('provider-token');
    expect(state().user?.first_name).toBe('Augusta');
  });

  // spec: §7 me failure
  it('only logs when the user cannot be reread', async () => {
    state().logIn(session);
    server.use(
      http.post('*/api/v1/auth0/sync/', () => HttpResponse.json(user)),
      http.get('*/api/v1/users/me/', () => HttpResponse.json(refusal('internal_error'), { status: 500 })),
    );
    await syncSession('provider-token');
    expect(state()).toMatchObject({ isAuthenticated: true, user });
    expect(console.error).toHaveBeenCalled();
  });
});

describe('ending a session', () => {
  it('deletes it here at once and revokes it on the server', async () => {
    state().logIn(session);
    const revoked = vi.fn();
    server.use(
      http.post('*/api/v1/auth/logout/', async ({ request }) => {
        revoked(await request.json());
        return new HttpResponse(null, { status: 204 });
      }),
    );
    const ending = endSession();
    expect(state()).toMatchObject({ isAuthenticated: false, accessToken: null, refreshToken: null, user: null });
    await ending;
    expect(revoked).toHaveBeenCalledWith({ refresh: 'r' });
  });

  it('stays ended when the server cannot be reached', async () => {
    state().logIn(session);
    server.use(http.post('*/api/v1/auth/logout/', () => HttpResponse.error()));
    await endSession();
    expect(state().isAuthenticated).toBe(false);
  });
});

describe('renewing the access token', () => {
  // spec: §4 refresh
  it('replaces only the access token', async () => {
    state().logIn(session);
    server.use(http.post('*/api/v1/auth/token/refresh/', () => HttpResponse.json({ access: 'b' })));
    expect(await renewAccessToken()).toBe('b');
    expect(state()).toMatchObject({ accessToken: 'b', refreshToken: 'r', user, isAuthenticated: true });
  });

  describe('when that fails', () => {
    const url = '*/api/v1/auth/token/refresh/';
    const ended = { isAuthenticated: false, refreshToken: null, error: 'unauthenticated' };
    /** Makes retry delays pass at once; returns how long they would have been. */
    const skipRetryDelays = () => {
      const pauses: unknown[] = [];
      const setTimer = globalThis.setTimeout;
      vi.spyOn(globalThis, 'setTimeout').mockImplementation(((work: () => void, delay?: number) => {
        const isPause = delay === 1_000 || delay === 2_000;
        if (isPause) pauses.push(delay);
        return setTimer(work, isPause ? 0 : delay);
      }) as typeof setTimeout);
      return pauses;
    };

    // spec: §4 signed out by a failed refresh, §7 failed refresh logs out
    it.each([400, 401, 403, 404, 429])('logs out after a %i at once, and says why', async (status) => {
      state().logIn(session);
      const requests = vi.fn(() => HttpResponse.json(refusal('refresh_token_invalid'), { status }));
      server.use(http.post(url, requests));
      expect(await renewAccessToken()).toBeNull();
      expect(state()).toMatchObject(ended);
      expect(requests).toHaveBeenCalledTimes(1);
    });

    // spec: §4 signed out by a failed refresh
    it.each([
      ['has an outage', () => HttpResponse.json(refusal('database_unavailable'), { status: 503 })],
      ['cannot be reached', () => HttpResponse.error()],
      ['answers without a token', () => HttpResponse.json({})],
      ['answers with nothing', () => new HttpResponse(null, { status: 204 })],
    ])('logs out after three tries when the server %s', async (_name, answer) => {
      state().logIn(session);
      const pauses = skipRetryDelays();
      const requests = vi.fn(answer);
      server.use(http.post(url, requests));
      expect(await renewAccessToken()).toBeNull();
      expect(state()).toMatchObject(ended);
      expect(requests).toHaveBeenCalledTimes(3);
      expect(pauses).toEqual([1_000, 2_000]);
      expect(console.error).toHaveBeenCalledWith('Failed to refresh the access token:', expect.any(ApiError));
    });

    it('keeps the session when a later try succeeds', async () => {
      state().logIn(session);
      skipRetryDelays();
      server.use(
        http.post(url, () => HttpResponse.error(), { once: true }),
        http.post(url, () => HttpResponse.json(refusal('not_ready'), { status: 503 }), { once: true }),
        http.post(url, () => HttpResponse.json({ access: 'b' })),
      );
      expect(await renewAccessToken()).toBe('b');
      expect(state()).toMatchObject({ isAuthenticated: true, accessToken: 'b', error: null });
    });
  });

  it('ends the session if the server refuses the renewed token', () => {
    state().logIn(session);
    dropSession('a');
    expect(state()).toMatchObject({ isAuthenticated: false, error: 'unauthenticated' });
  });

  it('does not end a session that has another token by now', () => {
    state().logIn(session);
    dropSession('an older one');
    expect(state()).toMatchObject({ isAuthenticated: true, error: null });
  });

  it.each([
    ['renewed', () => HttpResponse.json({ access: 'b' })],
    ['refused', () => HttpResponse.json(refusal('refresh_token_invalid'), { status: 401 })],
  ])('does not change another session that has started before the last one is %s', async (_name, answer) => {
    state().logIn(session);
    const next = { access: 'c', refresh: 's', user: { ...user, id: 2 } };
    server.use(
      http.post('*/api/v1/auth/token/refresh/', () => {
        state().logIn(next);
        return answer();
      }),
    );
    expect(await renewAccessToken()).toBeNull();
    expect(state()).toMatchObject({ accessToken: 'c', refreshToken: 's', isAuthenticated: true });
  });

  it('uses the token that another tab has just stored', async () => {
    state().logIn(session);
    const other = {
      state: { user, accessToken: 'from-other-tab', refreshToken: 'r', isAuthenticated: true },
      version: 0,
    };
    localStorage.setItem('auth-storage', JSON.stringify(other));
    expect(await renewAccessToken()).toBe('from-other-tab');
  });
});

describe('another tab', () => {
  const tell = (key: string | null) => window.dispatchEvent(new StorageEvent('storage', { key }));

  it('that signs out signs this one out', async () => {
    state().logIn(session);
    const stop = syncWithOtherTabs();
    const signedOut = { user: null, accessToken: null, refreshToken: null, isAuthenticated: false };
    localStorage.setItem('auth-storage', JSON.stringify({ state: signedOut, version: 0 }));
    tell('auth-storage');
    await vi.waitFor(() => expect(state().isAuthenticated).toBe(false), 10_000);
    stop();
  });

  it('that clears the storage signs this one out', async () => {
    state().logIn(session);
    const stop = syncWithOtherTabs();
    localStorage.clear();
    tell(null);
    await vi.waitFor(() => expect(state().isAuthenticated).toBe(false), 10_000);
    stop();
  });

  it('that changes something else has no effect', () => {
    state().logIn(session);
    const stop = syncWithOtherTabs();
    localStorage.clear();
    tell('color-mode');
    expect(state().isAuthenticated).toBe(true);
    stop();
  });
});
