import { useAuthStore } from '../features/auth/auth-store.ts';
import { dropSession, renewAccessToken } from '../features/auth/session.ts';
import { configureApiClient } from '../lib/api-client.ts';

/** Joins the session to the calls: neither knows the other. */
export function connectApiClient(): void {
  configureApiClient({
    getAccessToken: () => useAuthStore.getState().accessToken,
    renewAccessToken,
    onTokenRefused: dropSession,
  });
}
