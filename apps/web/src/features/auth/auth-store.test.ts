import { beforeEach, describe, expect, it } from 'vitest';
import { useAuthStore } from './auth-store.ts';

const user = { id: 1, first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' };
const state = () => useAuthStore.getState();
const signedOut = { user: null, accessToken: null, refreshToken: null, isAuthenticated: false };
const store = (session: object) => localStorage.setItem('auth-storage', JSON.stringify({ state: session, version: 0 }));
const stored = () => JSON.parse(localStorage.getItem('auth-storage') ?? 'null')?.state;

describe('the session', () => {
  beforeEach(() => useAuthStore.setState(useAuthStore.getInitialState(), true));

  // spec: §3 auth state at first
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

  // spec: §3 auth state, §4 signed in, §9 storage keys
  it('is signed in with user and both tokens, and is stored', () => {
    state().setError('provider_unavailable');
    state().logIn({ access: 'a', refresh: 'r', user });
    const session = { user, accessToken: 'a', refreshToken: 'r', isAuthenticated: true, isLoading: true, error: null };
    expect(state()).toMatchObject(session);
    expect(stored()).toEqual(session);
  });

  // spec: §3 auth state
  it('is stored with whether it is loading, and with the error', () => {
    state().setLoading(false);
    state().setError('network_error');
    expect(stored()).toEqual({ ...signedOut, isLoading: false, error: 'network_error' });
  });

  it('keeps everything but the access token when that is renewed', () => {
    state().logIn({ access: 'a', refresh: 'r', user });
    state().setAccessToken('b');
    expect(stored()).toMatchObject({ user, accessToken: 'b', refreshToken: 'r', isAuthenticated: true });
  });

  it('takes over a changed user', () => {
    state().logIn({ access: 'a', refresh: 'r', user });
    state().setUser({ ...user, first_name: 'Augusta' });
    expect(stored().user.first_name).toBe('Augusta');
  });

  // spec: §4 signed out
  it('is removed completely when it ends', () => {
    state().logIn({ access: 'a', refresh: 'r', user });
    state().setLoading(false);
    state().logOut();
    expect(stored()).toEqual({ ...signedOut, isLoading: false, error: null });
    expect(state().isLoading).toBe(false);
  });

  it('has the reason if it ended without a sign-out', () => {
    state().logIn({ access: 'a', refresh: 'r', user });
    state().logOut('unauthenticated');
    expect(stored()).toMatchObject({ ...signedOut, error: 'unauthenticated' });
  });

  it('stays ended when a late answer arrives', () => {
    state().logIn({ access: 'a', refresh: 'r', user });
    state().logOut();
    state().setAccessToken('b');
    state().setUser(user);
    expect(stored()).toMatchObject(signedOut);
  });

  it('that another tab has just ended is not brought back by a late answer', () => {
    state().logIn({ access: 'a', refresh: 'r', user });
    store({ ...signedOut, isLoading: false, error: null });
    state().setUser({ ...user, first_name: 'Augusta' });
    state().setAccessToken('b');
    state().setLoading(false);
    expect(stored()).toMatchObject(signedOut);
  });

  it('that another tab has just begun is not ended by the end of the old one', () => {
    state().logIn({ access: 'a', refresh: 'r', user });
    const other = { user, accessToken: 'x', refreshToken: 'y', isAuthenticated: true, isLoading: false, error: null };
    store(other);
    state().logOut('unauthenticated');
    expect(stored()).toEqual(other);
  });

  it('replaces one that another tab has just begun, if the member signs in', () => {
    state().logIn({ access: 'a', refresh: 'r', user });
    store({ user, accessToken: 'x', refreshToken: 'y', isAuthenticated: true, isLoading: false, error: null });
    state().logIn({ access: 'c', refresh: 'd', user });
    expect(stored()).toMatchObject({ accessToken: 'c', refreshToken: 'd' });
  });

  it('does not take over the user of another session', () => {
    state().logIn({ access: 'a', refresh: 'r', user });
    state().setUser({ ...user, id: 2 });
    expect(state().user).toEqual(user);
  });

  it.each([true, false])('is restored when the page is reloaded, as loading until it is confirmed: stored %s', async (isLoading) => {
    const session = { user, accessToken: 'a', refreshToken: 'r', isAuthenticated: true };
    store({ ...session, isLoading, error: null });
    await useAuthStore.persist.rehydrate();
    expect(state()).toMatchObject({ ...session, isLoading: true });
  });

  it('is restored without the error of an earlier page', async () => {
    store({ ...signedOut, isLoading: false, error: 'provider_unavailable' });
    await useAuthStore.persist.rehydrate();
    expect(state().error).toBeNull();
  });

  it('that another tab has ended has the reason here too', async () => {
    state().logIn({ access: 'a', refresh: 'r', user });
    store({ ...signedOut, isLoading: false, error: 'unauthenticated' });
    await useAuthStore.persist.rehydrate();
    expect(state()).toMatchObject({ ...signedOut, error: 'unauthenticated' });
  });
});
