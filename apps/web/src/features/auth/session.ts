import { STORAGE_KEYS } from '@brand-portal/contract/constants';
import { getCurrentUser, logIn, logOut, refreshAccessToken, syncUser } from '@brand-portal/contract/identity';
import { callApi } from '../../lib/api-client.ts';
import { ApiError } from '../../lib/api-error.ts';
import { logError } from '../../lib/log.ts';
import { withRetries } from '../../lib/retry.ts';
import { useAuthStore } from './auth-store.ts';

const REFRESH_LOCK = 'brand-portal-token-refresh';

/** Exchanges the identity provider's token for our own session. */
export async function startSession(providerToken: string): Promise<void> {
  const session = await callApi(logIn, { body: { token: providerToken } });
  if (!session) throw new ApiError({ code: 'internal_error' });
  useAuthStore.getState().logIn(session);
}

/** Copies changes at the provider to our server, then reloads the user. */
export async function syncSession(providerToken: string): Promise<void> {
  await callApi(syncUser, { body: { token: providerToken } });
  await reloadUser();
}

async function reloadUser(): Promise<void> {
  try {
    useAuthStore.getState().setUser(await callApi(getCurrentUser));
  } catch (error) {
    logError('Failed to load the current user:', error);
  }
}

/** Deletes the session here and revokes it on the server, so that a copied token is useless. The revocation may fail. */
export async function endSession(): Promise<void> {
  // Another tab may have signed in anew: then that session ends. Runs synchronously, like localStorage.
  void useAuthStore.persist.rehydrate();
  const { refreshToken, logOut: forget } = useAuthStore.getState();
  forget();
  if (!refreshToken) return;
  await callApi(logOut, { body: { refresh: refreshToken } }).catch((error: unknown) => {
    logError('Failed to revoke the session:', error);
  });
}

/**
 * A new access token in place of one that was refused, or null if there is none: then the session has ended. Tabs use a
 * lock: the first one refreshes, the others read its token from the shared storage.
 */
export async function renewAccessToken(): Promise<string | null> {
  const refused = useAuthStore.getState().accessToken;
  return withLock(async () => {
    await useAuthStore.persist.rehydrate();
    const { accessToken, refreshToken, setAccessToken, logOut: forget } = useAuthStore.getState();
    if (accessToken !== refused) return accessToken;
    if (!refreshToken) return null;
    // Another session may have started while waiting for the answer.
    const isSameSession = () => useAuthStore.getState().refreshToken === refreshToken;
    try {
      const access = await withRetries(() => requestAccessToken(refreshToken));
      if (!isSameSession()) return null;
      setAccessToken(access);
      return access;
    } catch (error) {
      logError('Failed to refresh the access token:', error);
      if (isSameSession()) forget('unauthenticated');
      return null;
    }
  });
}

async function requestAccessToken(refresh: string): Promise<string> {
  const answer = await callApi(refreshAccessToken, { body: { refresh } });
  if (!answer?.access) throw new ApiError({ code: 'internal_error' });
  return answer.access;
}

/** For an access token that was refused right after it was renewed: another refresh would not help. */
export function dropSession(refused: string): void {
  const { accessToken, logOut: forget } = useAuthStore.getState();
  if (accessToken === refused) forget('unauthenticated');
}

async function withLock<T>(work: () => Promise<T>): Promise<T> {
  // Locks exist on secure origins only; without them, several tabs refresh at once, which is harmless.
  if (!navigator.locks) return work();
  return navigator.locks.request(REFRESH_LOCK, work) as Promise<T>;
}

/** Applies session changes of other tabs to this one. */
export function syncWithOtherTabs(): () => void {
  const follow = ({ key }: StorageEvent) => {
    // localStorage.clear() sends a null key.
    if (key === STORAGE_KEYS.auth || key === null) void reloadStoredSession();
  };
  window.addEventListener('storage', follow);
  return () => window.removeEventListener('storage', follow);
}

async function reloadStoredSession(): Promise<void> {
  if (localStorage.getItem(STORAGE_KEYS.auth) === null) useAuthStore.getState().logOut();
  else await useAuthStore.persist.rehydrate();
}
