import { ApiError } from '../../lib/api-error.ts';
import { logError } from '../../lib/log.ts';
import { useAuthStore } from './auth-store.ts';
import { getProviderToken, hasStoredProviderSession, loadProviderClient } from './provider-client.ts';
import { endSession, startSession, syncSession } from './session.ts';
import { leaveProvider, recallSignInFailure } from './sign-in-failure.ts';

/** Before anything is rendered: whoever cannot be signed in sees the sign-in page at once, and nothing before it. */
export function settleVisitor(): void {
  recallSignInFailure();
  if (!mayBeSignedIn()) useAuthStore.getState().setLoading(false);
}

function mayBeSignedIn(): boolean {
  return useAuthStore.getState().isAuthenticated || hasStoredProviderSession();
}

/** Once per page: brings the provider's word and our own session together. */
export async function reconcileSession(): Promise<void> {
  const session = useAuthStore.getState();
  try {
    if (!mayBeSignedIn()) return;
    const isSignedInAtProvider = await askProvider();
    if (isSignedInAtProvider && !session.isAuthenticated) await exchangeSession();
    // The page is signed out at once; the server may take its time.
    else if (!isSignedInAtProvider && session.isAuthenticated) void endSession();
    else if (isSignedInAtProvider) void syncUserData();
  } finally {
    session.setLoading(false);
  }
}

async function askProvider(): Promise<boolean> {
  try {
    const provider = await loadProviderClient();
    await provider.checkSession();
    return await provider.isAuthenticated();
  } catch (error) {
    // Its code could not be loaded: that says nothing about anybody's session.
    logError('Failed to ask the identity provider:', error);
    return useAuthStore.getState().isAuthenticated;
  }
}

async function exchangeSession(): Promise<void> {
  try {
    await startSession(await getProviderToken());
  } catch (error) {
    logError('Failed to sync Auth0 authentication:', error);
    await leaveProvider(error);
  }
}

/** In the background: the page need not wait for it. */
async function syncUserData(): Promise<void> {
  try {
    await syncSession(await getProviderToken());
  } catch (error) {
    logError('Failed to sync user data from Auth0:', error);
    if (isSignedOutAtProvider(error)) await endSession();
  }
}

/** The SDK goes on saying "authenticated" after the provider has refused its tokens. */
function isSignedOutAtProvider(error: unknown): boolean {
  if (error instanceof ApiError) return error.code === 'provider_token_rejected';
  const { error: code } = error as { error?: unknown };
  return code === 'invalid_grant' || code === 'login_required' || code === 'missing_refresh_token';
}
