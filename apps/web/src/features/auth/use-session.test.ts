import { QueryClient } from '@tanstack/react-query';
import { renderHook } from '@testing-library/react';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { useUnsavedChanges } from '../../lib/unsaved-changes.ts';
import { useAuthStore } from './auth-store.ts';
import { followSession } from './use-session.ts';

const ada = { id: 1, first_name: 'Ada', last_name: 'Byron', email: 'ada@example.com' };
const grace = { id: 2, first_name: 'Grace', last_name: 'Hopper', email: 'grace@example.com' };

function openAs(user: typeof ada) {
  const queryClient = new QueryClient();
  useAuthStore.getState().logIn({ access: 'a', refresh: 'r', user });
  onTestFinished(followSession(queryClient));
  queryClient.setQueryData(['brands'], ['Of Ada']);
  return {
    readBrands: () => queryClient.getQueryData(['brands']),
    isOutdated: () => queryClient.getQueryState(['brands'])?.isInvalidated,
  };
}

/** A storage event with the session that another tab has written. */
function arriveFromOtherTab(user: typeof ada | null, error: string | null = null): void {
  const [accessToken, refreshToken] = user ? ['b', 's'] : [null, null];
  const state = { user, accessToken, refreshToken, isAuthenticated: user !== null, error };
  localStorage.setItem('auth-storage', JSON.stringify({ state, version: 0 }));
  window.dispatchEvent(new StorageEvent('storage', { key: 'auth-storage' }));
}

beforeEach(() => useAuthStore.setState(useAuthStore.getInitialState(), true));

test('cached data of the last member is removed when another tab signs in somebody else', async () => {
  const { readBrands } = openAs(ada);
  arriveFromOtherTab(grace);
  await vi.waitFor(() => expect(useAuthStore.getState().user?.id).toBe(grace.id), 10_000);
  expect(readBrands()).toBeUndefined();
});

test('cached data is removed when another tab signs out', async () => {
  const { readBrands } = openAs(ada);
  arriveFromOtherTab(null);
  await vi.waitFor(() => expect(useAuthStore.getState().isAuthenticated).toBe(false), 10_000);
  expect(readBrands()).toBeUndefined();
});

test('cached data is kept when another tab has only renewed the token', async () => {
  const { readBrands } = openAs(ada);
  arriveFromOtherTab(ada);
  await vi.waitFor(() => expect(useAuthStore.getState().accessToken).toBe('b'), 10_000);
  expect(readBrands()).toEqual(['Of Ada']);
});

describe('cached data of a session that has expired while something was not saved', () => {
  function expire() {
    renderHook(() => useUnsavedChanges(true));
    const page = openAs(ada);
    useAuthStore.getState().logOut('unauthenticated');
    expect(page.readBrands()).toEqual(['Of Ada']);
    return page;
  }

  test('is kept for the same member, and refetched', () => {
    const { readBrands, isOutdated } = expire();
    expect(isOutdated()).toBe(false);
    useAuthStore.getState().logIn({ access: 'b', refresh: 's', user: ada });
    expect(readBrands()).toEqual(['Of Ada']);
    expect(isOutdated()).toBe(true);
  });

  test('is kept if another tab was the first to notice', async () => {
    renderHook(() => useUnsavedChanges(true));
    const { readBrands } = openAs(ada);
    arriveFromOtherTab(null, 'unauthenticated');
    await vi.waitFor(() => expect(useAuthStore.getState()).toMatchObject({ user: null, keptFor: ada.id }), 10_000);
    expect(readBrands()).toEqual(['Of Ada']);
    // The page in which they sign in stores its own state, without the error.
    arriveFromOtherTab(null);
    arriveFromOtherTab(ada);
    await vi.waitFor(() => expect(useAuthStore.getState().user?.id).toBe(ada.id), 10_000);
    expect(readBrands()).toEqual(['Of Ada']);
  });

  test('is removed if the member signs out in another tab', async () => {
    renderHook(() => useUnsavedChanges(true));
    const { readBrands } = openAs(ada);
    arriveFromOtherTab(null);
    await vi.waitFor(() => expect(useAuthStore.getState()).toMatchObject({ user: null, keptFor: null }), 10_000);
    expect(readBrands()).toBeUndefined();
  });

  test('is removed for another one', async () => {
    const { readBrands } = expire();
    arriveFromOtherTab(grace);
    await vi.waitFor(() => expect(useAuthStore.getState().user?.id).toBe(grace.id), 10_000);
    expect(readBrands()).toBeUndefined();
  });

  test('is removed with the page', () => {
    const { readBrands } = expire();
    useAuthStore.setState({ keptFor: null });
    expect(readBrands()).toBeUndefined();
  });
});
