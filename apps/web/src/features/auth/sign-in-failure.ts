import { ApiError } from '../../lib/api-error.ts';
import { logError } from '../../lib/log.ts';
import { forget, keep, recall } from '../../lib/page-memory.ts';
import { type SignInFailure, useAuthStore } from './auth-store.ts';
import { signOut } from './sign-out.ts';

const KEY = 'sign-in-failure';

/**
 * After a failed sign-in: out of the portal and of the provider, and back to the start, where the reason is told. True if
 * the page is on its way there; otherwise the provider could not be left, and the reason is told on this page.
 */
export async function abandonSignIn(error: unknown): Promise<boolean> {
  const failure = failureOf(error);
  // The way back from the provider is a new page.
  keep('session', KEY, failure);
  try {
    await signOut();
    return true;
  } catch (cause) {
    logError('Failed to sign out of the identity provider:', cause);
    forget('session', KEY);
    useAuthStore.getState().setError(failure);
    return false;
  }
}

/** Once: it is about the sign-in that led to this page, not to the next one. */
export function recallSignInFailure(): void {
  useAuthStore.getState().setError(recall('session', KEY) as SignInFailure | null);
  forget('session', KEY);
}

/** The provider or its SDK names its reason in `error`; a lost connection, or code that could not be loaded, has none. */
const MEANINGS: Readonly<Record<string, SignInFailure>> = {
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
  return MEANINGS[reason] ?? 'provider_token_rejected';
}
