import { beforeEach, describe, expect, it } from 'vitest';
import { useAuthStore } from './auth-store.ts';

const user = { id: 1, first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' };
const state = () => useAuthStore.getState();
const stored = () => JSON.parse(localStorage.getItem('auth-storage') ?? 'null')?.state;

describe('the session', () => {
  beforeEach(() => useAuthStore.setState(useAuthStore.getInitialState(), true));

  it('is loading and signed out at first', () => {
    expect(state()).toMatchObject({
      user: null,
      accessToken: null,
      refreshToken: null,
      isAuthenticated: false,
      isLoading: true,
      error: null,
    });
  });

  it('is signed in with user and both tokens, and is stored', () => {
    state().setError('provider_unavailable');
    state().logIn({ access: 'a', refresh: 'r', user });
    const session = { user, accessToken: 'a', refreshToken: 'r', isAuthenticated: true };
    expect(state()).toMatchObject({ ...session, error: null });
    expect(stored()).toEqual(session);
  });

  it('keeps everything but the access token when that is renewed', () => {
    state().logIn({ access: 'a', refresh: 'r', user });
    state().setAccessToken('b');
    expect(stored()).toEqual({ user, accessToken: 'b', refreshToken: 'r', isAuthenticated: true });
  });

  it('takes over a changed user', () => {
    state().logIn({ access: 'a', refresh: 'r', user });
    state().setUser({ ...user, first_name: 'Augusta' });
    expect(stored().user.first_name).toBe('Augusta');
  });

  it('leaves nothing behind when it ends', () => {
    state().logIn({ access: 'a', refresh: 'r', user });
    state().setLoading(false);
    state().logOut();
    expect(stored()).toEqual({ user: null, accessToken: null, refreshToken: null, isAuthenticated: false });
    expect(state().isLoading).toBe(false);
  });

  it('stays ended when an answer that was on its way arrives', () => {
    state().logIn({ access: 'a', refresh: 'r', user });
    state().logOut();
    state().setAccessToken('b');
    state().setUser(user);
    expect(stored()).toEqual({ user: null, accessToken: null, refreshToken: null, isAuthenticated: false });
  });

  it('is not given the user of another one', () => {
    state().logIn({ access: 'a', refresh: 'r', user });
    state().setUser({ ...user, id: 2 });
    expect(state().user).toEqual(user);
  });

  it('comes back when the page is loaded again, loading until it is confirmed', async () => {
    const session = { user, accessToken: 'a', refreshToken: 'r', isAuthenticated: true };
    localStorage.setItem('auth-storage', JSON.stringify({ state: session, version: 0 }));
    await useAuthStore.persist.rehydrate();
    expect(state()).toMatchObject({ ...session, isLoading: true });
  });
});
