import { ApiError, type ApiErrorCode } from '../../lib/api-error.ts';
import { forgetProviderSession, signOutOfProvider } from './provider-client.ts';

const KEY = 'sign-in-failure';
/** The provider's sign-out page would not load either, and would leave the member in front of a dead page. */
const OUT_OF_REACH: readonly ApiErrorCode[] = ['provider_unavailable', 'network_error', 'timeout'];

/** After a failed sign-in: out of the provider and back to the start, where the reason is told. */
export async function leaveProvider(error: unknown): Promise<void> {
  const code = error instanceof ApiError ? error.code : 'provider_token_rejected';
  // Signing out leaves the page: the reason must survive that.
  sessionStorage.setItem(KEY, code);
  await (OUT_OF_REACH.includes(code) ? forgetProviderSession() : signOutOfProvider());
}

/** Why the last sign-in failed. */
export function readSignInFailure(): ApiErrorCode | null {
  return sessionStorage.getItem(KEY) as ApiErrorCode | null;
}

export function forgetSignInFailure(): void {
  sessionStorage.removeItem(KEY);
}
