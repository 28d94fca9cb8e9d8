import { ApiError } from '../../lib/api-error.ts';
import { logError } from '../../lib/log.ts';
import { readItem, removeItem, storeItem } from '../../lib/web-storage.ts';
import { type SignInFailure, useAuthStore } from './auth-store.ts';
import { signOut } from './sign-out.ts';

const KEY = 'sign-in-failure';

/**
 * After a failed sign-in: signs out of the portal and of the provider, which redirects to the home page, where the
 * reason is shown. Resolves with true if the browser is leaving the page; with false if the provider's sign-out failed
 * and the reason is shown here.
 */
export async function abandonSignIn(error: unknown): Promise<boolean> {
  const failure = failureOf(error);
  // The provider redirects to a new page load, so the failure must be stored.
  storeItem('session', KEY, failure);
  try {
    await signOut();
    return true;
  } catch (cause) {
    logError('Failed to sign out of the identity provider:', cause);
    removeItem('session', KEY);
    useAuthStore.getState().setError(failure);
    return false;
  }
}

/** Shown once: it belongs to the sign-in before this page load, not to later ones. */
export function restoreSignInFailure(): void {
  useAuthStore.getState().setError(readItem('session', KEY) as SignInFailure | null);
  removeItem('session', KEY);
}

/** Error codes of the provider or its SDK. A lost connection, or a failure to load the SDK, has none. */
const FAILURE_OF_CODE: Readonly<Record<string, SignInFailure>> = {
  timeout: 'provider_unavailable',
  request_error: 'provider_unavailable',
  missing_code: 'sign_in_incomplete',
  missing_transaction: 'sign_in_incomplete',
  state_mismatch: 'sign_in_incomplete',
};

function failureOf(error: unknown): SignInFailure {
  if (error instanceof ApiError) return error.code;
  const reason = (error as { error?: unknown } | null | undefined)?.error;
  if (typeof reason !== 'string') return 'provider_unavailable';
  return FAILURE_OF_CODE[reason] ?? 'provider_token_rejected';
}
