import { STORAGE_KEYS } from '@brand-portal/contract/constants';
import type { LoginResponse, User } from '@brand-portal/contract/identity';
import { create } from 'zustand';
import { createJSONStorage, persist } from 'zustand/middleware';
import type { ApiErrorCode } from '../../lib/api-error.ts';

/** `sign_in_incomplete`: the provider sent somebody back without a code, or with one that this browser did not ask for. */
export type SignInFailure = ApiErrorCode | 'sign_in_incomplete';

interface StoredState {
  user: User | null;
  accessToken: string | null;
  refreshToken: string | null;
  isAuthenticated: boolean;
  /** True until the session is known, which is never before the page has looked. */
  isLoading: boolean;
  /** Why the last sign-in failed, or the session ended. */
  error: SignInFailure | null;
}

interface AuthActions {
  logIn: (session: LoginResponse) => void;
  logOut: (error?: SignInFailure) => void;
  /** A refresh replaces only the access token. */
  setAccessToken: (accessToken: string) => void;
  setUser: (user: User) => void;
  setLoading: (isLoading: boolean) => void;
  setError: (error: SignInFailure | null) => void;
}

type AuthState = StoredState & AuthActions;

const SIGNED_OUT = { user: null, accessToken: null, refreshToken: null, isAuthenticated: false };

export const useAuthStore = create<AuthState>()(
  persist(
    (set) => ({
      ...SIGNED_OUT,
      isLoading: true,
      error: null,
      logIn: ({ user, access, refresh }) =>
        set({ user, accessToken: access, refreshToken: refresh, isAuthenticated: true, error: null }),
      logOut: (error) => set({ ...SIGNED_OUT, error: error ?? null }),
      // Answers may be late: a session that has ended, or is another one by now, has no use for them.
      setAccessToken: (accessToken) => set(({ isAuthenticated }) => (isAuthenticated ? { accessToken } : {})),
      setUser: (user) => set(({ user: current }) => (current?.id === user.id ? { user } : {})),
      setLoading: (isLoading) => set({ isLoading }),
      setError: (error) => set({ error }),
    }),
    {
      name: STORAGE_KEYS.auth,
      storage: createJSONStorage(() => localStorage),
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

/**
 * What the storage says when a page is loaded, or another tab has changed the session. Each page finds out for itself when
 * it is done loading, and has its own error, unless it was another tab that found the session ended.
 */
function mergeStored(stored: StoredState | undefined, current: AuthState): AuthState {
  if (!stored) return current;
  const hasEnded = current.isAuthenticated && !stored.isAuthenticated;
  const error = hasEnded ? (stored.error ?? null) : current.error;
  return { ...current, ...stored, isLoading: current.isLoading, error };
}
