import { STORAGE_KEYS } from '@brand-portal/contract/constants';
import type { LoginResponse, User } from '@brand-portal/contract/identity';
import { create } from 'zustand';
import { createJSONStorage, persist, type StateStorage } from 'zustand/middleware';
import type { ApiErrorCode } from '../../lib/api-error.ts';
import { hasUnsavedChanges } from '../../lib/unsaved-changes.ts';

/** `sign_in_incomplete`: the provider redirected without a code, or with one that this browser did not request. */
export type SignInFailure = ApiErrorCode | 'sign_in_incomplete';

interface StoredState {
  user: User | null;
  accessToken: string | null;
  refreshToken: string | null;
  isAuthenticated: boolean;
  /** True until it is known whether there is a session. */
  isLoading: boolean;
  /** Why the last sign-in failed, or the session ended. */
  error: SignInFailure | null;
}

interface PageState {
  /**
   * The member whose page stays, covered, until they sign in again: the session expired while something was not saved.
   * Who signs out leaves nothing behind.
   */
  keptFor: number | null;
}

interface AuthActions {
  logIn: (session: LoginResponse) => void;
  logOut: (error?: SignInFailure | null) => void;
  /** For a token refresh, which replaces only the access token. */
  setAccessToken: (accessToken: string) => void;
  setUser: (user: User) => void;
  setLoading: (isLoading: boolean) => void;
  setError: (error: SignInFailure | null) => void;
}

type AuthState = StoredState & PageState & AuthActions;

/** Whose data the page has: the signed-in member's, or those of the one for whom the page is kept. */
export const memberOnPage = ({ user, keptFor }: AuthState): number | null => user?.id ?? keptFor;

/** The refresh token of the stored session when this tab last read or wrote it. */
let lastSeen: string | null = null;

function seen(json: string | null): string | null {
  lastSeen = refreshTokenIn(json);
  return json;
}

function refreshTokenIn(json: string | null): string | null {
  try {
    return JSON.parse(json ?? 'null')?.state?.refreshToken ?? null;
  } catch {
    return null;
  }
}

/**
 * All tabs share one stored session. If another tab has just signed out or in, the state of this one is outdated until
 * its storage event arrives, and writing it would bring the old session back.
 */
const sharedStorage = (storage: Storage): StateStorage => ({
  getItem: (key) => seen(storage.getItem(key)),
  setItem: (key, json) => {
    const stored = refreshTokenIn(storage.getItem(key));
    if (stored === lastSeen || stored === refreshTokenIn(json)) storage.setItem(key, seen(json) ?? '');
  },
  removeItem: (key) => storage.removeItem(key),
});

const SIGNED_OUT = { user: null, accessToken: null, refreshToken: null, isAuthenticated: false };

export const useAuthStore = create<AuthState>()(
  persist(
    (set) => ({
      ...SIGNED_OUT,
      isLoading: true,
      error: null,
      keptFor: null,
      logIn: ({ user, access, refresh }) => {
        // Replaces whatever session is stored.
        seen(localStorage.getItem(STORAGE_KEYS.auth));
        set({ user, accessToken: access, refreshToken: refresh, isAuthenticated: true, error: null, keptFor: null });
      },
      logOut: (error = null) => set((state) => ({ ...SIGNED_OUT, error, keptFor: keptAfter(error, state) })),
      // Ignores late answers of a session that has ended or was replaced.
      setAccessToken: (accessToken) => set(({ isAuthenticated }) => (isAuthenticated ? { accessToken } : {})),
      setUser: (user) => set(({ user: current }) => (current?.id === user.id ? { user } : {})),
      setLoading: (isLoading) => set({ isLoading }),
      setError: (error) => set({ error }),
    }),
    {
      name: STORAGE_KEYS.auth,
      storage: createJSONStorage(() => sharedStorage(localStorage)),
      partialize: ({ user, accessToken, refreshToken, isAuthenticated, isLoading, error }): StoredState => ({
        user,
        accessToken,
        refreshToken,
        isAuthenticated,
        isLoading,
        error,
      }),
      merge: (stored, current) => mergeStored(stored as StoredState | undefined, current),
    },
  ),
);

function keptAfter(error: SignInFailure | null, state: AuthState): number | null {
  return error === 'unauthenticated' && hasUnsavedChanges() ? memberOnPage(state) : null;
}

/**
 * Merges the stored state when a page loads, or when another tab has changed the session. `isLoading` and `error`
 * belong to each page, except that an ended session is an error in all tabs.
 */
function mergeStored(stored: StoredState | undefined, current: AuthState): AuthState {
  if (!stored) return current;
  const hasEnded = current.isAuthenticated && !stored.isAuthenticated;
  const error = hasEnded ? (stored.error ?? null) : current.error;
  const keptFor = hasEnded ? keptAfter(error, current) : stored.isAuthenticated ? null : current.keptFor;
  return { ...current, ...stored, isLoading: current.isLoading, error, keptFor };
}
