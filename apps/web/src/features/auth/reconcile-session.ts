import { ApiError } from '../../lib/api-error.ts';
import { logError } from '../../lib/log.ts';
import { useAuthStore } from './auth-store.ts';
import { getProviderToken, hasStoredProviderSession, loadProviderClient, withinDeadline } from './provider-client.ts';
import { endSession, startSession, syncSession } from './session.ts';
import { abandonSignIn, restoreSignInFailure } from './sign-in-failure.ts';
import { restoreUrlAfterSignOut } from './sign-out.ts';

/**
 * Runs before the first render: visitors without any session see the sign-in page at once; with a stored session they
 * see their page. The provider is checked in the background; the server checks every call anyway.
 */
export function prepareFirstRender(): void {
  restoreUrlAfterSignOut();
  restoreSignInFailure();
  const { isAuthenticated, setLoading } = useAuthStore.getState();
  if (isAuthenticated || !hasStoredProviderSession()) setLoading(false);
}

function mayBeSignedIn(): boolean {
  return useAuthStore.getState().isAuthenticated || hasStoredProviderSession();
}

/** Once per page load: makes our session agree with the provider's. */
export async function reconcileSession(): Promise<void> {
  const session = useAuthStore.getState();
  const isLeaving = mayBeSignedIn() && (await compareWithProvider(session.isAuthenticated));
  if (!isLeaving) session.setLoading(false);
}

/** Resolves with true if the browser is leaving the page. */
async function compareWithProvider(isSignedIn: boolean): Promise<boolean> {
  const isSignedInAtProvider = await checkProviderSession();
  // Ended meanwhile, by a refused call or another tab: the reason stays.
  if (isSignedIn && !useAuthStore.getState().isAuthenticated) return false;
  if (isSignedInAtProvider && !isSignedIn) return exchangeSession();
  // The page is signed out at once, without waiting for the server.
  if (!isSignedInAtProvider && isSignedIn) void endSession();
  else if (isSignedInAtProvider) void syncUserData();
  return false;
}

async function checkProviderSession(): Promise<boolean> {
  try {
    const provider = await loadProviderClient();
    await withinDeadline(provider.checkSession());
    return await provider.isAuthenticated();
  } catch (error) {
    // The SDK could not be loaded, or got no answer: that says nothing about the session.
    logError('Failed to ask the identity provider:', error);
    const { isAuthenticated, setError } = useAuthStore.getState();
    if (!isAuthenticated) setError('provider_unavailable');
    return isAuthenticated;
  }
}

/** Resolves with true if it failed and the browser is leaving the page. */
async function exchangeSession(): Promise<boolean> {
  try {
    await startSession(await getProviderToken());
    return false;
  } catch (error) {
    logError('Failed to sync Auth0 authentication:', error);
    return abandonSignIn(error);
  }
}

/** In the background: the page does not wait for it. */
async function syncUserData(): Promise<void> {
  try {
    await syncSession(await getProviderToken());
  } catch (error) {
    logError('Failed to sync user data from Auth0:', error);
    if (isSignedOutAtProvider(error)) await endSession();
  }
}

/** The SDK still reports "authenticated" after the provider has refused its tokens. */
function isSignedOutAtProvider(error: unknown): boolean {
  if (error instanceof ApiError) return error.code === 'provider_token_rejected';
  const { error: code } = error as { error?: unknown };
  return code === 'invalid_grant' || code === 'login_required' || code === 'missing_refresh_token';
}
