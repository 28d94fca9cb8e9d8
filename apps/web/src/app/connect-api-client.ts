import { useAuthStore } from '../features/auth/auth-store.ts';
import { dropSession, renewAccessToken } from '../features/auth/session.ts';
import { configureApiClient } from '../lib/api-client.ts';

/** Connects the session with the API client: neither imports the other. */
export function connectApiClient(): void {
  configureApiClient({
    getAccessToken: () => useAuthStore.getState().accessToken,
    renewAccessToken,
    onTokenRefused: dropSession,
  });
}
