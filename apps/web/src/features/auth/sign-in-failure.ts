import { ApiError, type ApiErrorCode } from '../../lib/api-error.ts';
import { logError } from '../../lib/log.ts';
import { useAuthStore } from './auth-store.ts';
import { forgetProviderSession, signOutOfProvider } from './provider-client.ts';

const KEY = 'sign-in-failure';
/** The provider's sign-out page would not load either, and would leave the member in front of a dead page. */
const OUT_OF_REACH: readonly ApiErrorCode[] = ['provider_unavailable', 'network_error', 'timeout'];

/** What the SDK says itself when the provider did not answer, or not as it should. */
const NO_WORD_OF_THE_PROVIDER: readonly unknown[] = [undefined, 'timeout', 'request_error'];

/** After a failed sign-in: out of the provider and back to the start, where the reason is told. Never fails itself. */
export async function leaveProvider(error: unknown): Promise<void> {
  const code = error instanceof ApiError ? error.code : codeOfProvider(error);
  useAuthStore.getState().setError(code);
  try {
    // Signing out leaves the page: the reason must survive that.
    withStorage((storage) => storage.setItem(KEY, code));
    await (OUT_OF_REACH.includes(code) ? forgetProviderSession() : signOutOfProvider());
  } catch (cause) {
    logError('Failed to sign out of the identity provider:', cause);
  }
}

/** A refusal carries the provider's own `error`; a lost connection, or code that could not be loaded, has none. */
function codeOfProvider(error: unknown): ApiErrorCode {
  const word = (error as { error?: unknown } | null | undefined)?.error;
  return NO_WORD_OF_THE_PROVIDER.includes(word) ? 'provider_unavailable' : 'provider_token_rejected';
}

/** Why the last sign-in failed, also if the page was left since. */
export function recallSignInFailure(): void {
  const code = withStorage((storage) => storage.getItem(KEY)) as ApiErrorCode | null | undefined;
  useAuthStore.getState().setError(code ?? null);
}

export function forgetSignInFailure(): void {
  useAuthStore.getState().setError(null);
  withStorage((storage) => storage.removeItem(KEY));
}

/** Storage can be refused (private windows); the reason then holds for this page only. */
function withStorage<Result>(use: (storage: Storage) => Result): Result | undefined {
  try {
    return use(sessionStorage);
  } catch {
    return undefined;
  }
}
