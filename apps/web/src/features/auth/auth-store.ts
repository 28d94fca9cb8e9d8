import { STORAGE_KEYS } from '@brand-portal/contract/constants';
import type { LoginResponse, User } from '@brand-portal/contract/identity';
import { create } from 'zustand';
import { createJSONStorage, persist } from 'zustand/middleware';
import type { ApiErrorCode } from '../../lib/api-error.ts';

interface AuthState {
  user: User | null;
  accessToken: string | null;
  refreshToken: string | null;
  isAuthenticated: boolean;
  /** True until the session is known, which is never before the page has looked. */
  isLoading: boolean;
  /** Why the last sign-in failed. */
  error: ApiErrorCode | null;
}

interface AuthActions {
  logIn: (session: LoginResponse) => void;
  logOut: () => void;
  /** A refresh replaces only the access token. */
  setAccessToken: (accessToken: string) => void;
  setUser: (user: User) => void;
  setLoading: (isLoading: boolean) => void;
  setError: (error: ApiErrorCode | null) => void;
}

const SIGNED_OUT = { user: null, accessToken: null, refreshToken: null, isAuthenticated: false, error: null };

export const useAuthStore = create<AuthState & AuthActions>()(
  persist(
    (set) => ({
      ...SIGNED_OUT,
      isLoading: true,
      logIn: ({ user, access, refresh }) =>
        set({ user, accessToken: access, refreshToken: refresh, isAuthenticated: true, error: null }),
      logOut: () => set(SIGNED_OUT),
      // Answers may be late: a session that has ended, or is another one by now, has no use for them.
      setAccessToken: (accessToken) => set(({ isAuthenticated }) => (isAuthenticated ? { accessToken } : {})),
      setUser: (user) => set(({ user: current }) => (current?.id === user.id ? { user } : {})),
      setLoading: (isLoading) => set({ isLoading }),
      setError: (error) => set({ error }),
    }),
    {
      name: STORAGE_KEYS.auth,
      storage: createJSONStorage(() => localStorage),
      // Loading and the last error belong to this page, not to the session.
      partialize: ({ user, accessToken, refreshToken, isAuthenticated }) => ({
        user,
        accessToken,
        refreshToken,
        isAuthenticated,
      }),
    },
  ),
);
