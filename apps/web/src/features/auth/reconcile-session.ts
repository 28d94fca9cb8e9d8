import { ApiError } from '../../lib/api-error.ts';
import { logError } from '../../lib/log.ts';
import { useAuthStore } from './auth-store.ts';
import { getProviderToken, hasStoredProviderSession, loadProviderClient } from './provider-client.ts';
import { endSession, startSession, syncSession } from './session.ts';
import { abandonSignIn, recallSignInFailure } from './sign-in-failure.ts';
import { goOnAfterSignOut } from './sign-out.ts';

/**
 * Before anything is rendered: whoever cannot be signed in sees the sign-in page at once, and nothing before it; whoever has a session
 * their page. Whether the provider agrees is found out meanwhile; the server checks every call anyway.
 */
export function settleVisitor(): void {
  goOnAfterSignOut();
  recallSignInFailure();
  const { isAuthenticated, setLoading } = useAuthStore.getState();
  if (isAuthenticated || !hasStoredProviderSession()) setLoading(false);
}

function mayBeSignedIn(): boolean {
  return useAuthStore.getState().isAuthenticated || hasStoredProviderSession();
}

/** Once per page: brings the provider's word and our own session together. */
export async function reconcileSession(): Promise<void> {
  const session = useAuthStore.getState();
  const isLeaving = mayBeSignedIn() && (await compareWithProvider(session.isAuthenticated));
  if (!isLeaving) session.setLoading(false);
}

/** Whether the page is being left. */
async function compareWithProvider(isSignedIn: boolean): Promise<boolean> {
  const isSignedInAtProvider = await askProvider();
  if (isSignedInAtProvider && !isSignedIn) return exchangeSession();
  // The page is signed out at once; the server may take its time.
  if (!isSignedInAtProvider && isSignedIn) void endSession();
  else if (isSignedInAtProvider) void syncUserData();
  return false;
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

/** Whether the page is being left, because it failed. */
async function exchangeSession(): Promise<boolean> {
  try {
    await startSession(await getProviderToken());
    return false;
  } catch (error) {
    logError('Failed to sync Auth0 authentication:', error);
    return abandonSignIn(error);
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
