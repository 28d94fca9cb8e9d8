import { logOutEverywhere } from '@brand-portal/contract/identity';
import { PAGES } from '@brand-portal/contract/pages';
import { callApi } from '../../lib/api-client.ts';
import { readItem, removeItem, storeItem } from '../../lib/web-storage.ts';
import { useAuthStore } from './auth-store.ts';
import { signOutOfProvider } from './provider-client.ts';
import { endSession } from './session.ts';

/** A server that does not answer must not prevent the sign-out. */
const SIGN_OUT_TIMEOUT_MS = 2_000;

const AFTER_SIGN_OUT = 'after-sign-out';

/**
 * Signs out of the portal and of the provider; other tabs follow. The provider redirects to the home page, which
 * continues to `returnTo`.
 */
export async function signOut({ returnTo }: { returnTo?: string } = {}): Promise<void> {
  const { setLoading } = useAuthStore.getState();
  if (returnTo) storeItem('session', AFTER_SIGN_OUT, returnTo);
  // The browser is about to leave the page: without this the sign-in button would flash up.
  setLoading(true);
  try {
    await Promise.race([endSession(), new Promise((resolve) => setTimeout(resolve, SIGN_OUT_TIMEOUT_MS))]);
    await signOutOfProvider();
  } catch (error) {
    removeItem('session', AFTER_SIGN_OUT);
    setLoading(false);
    throw error;
  }
}

/** Ends the member's sessions on all devices, this one last. */
export async function signOutEverywhere(): Promise<void> {
  await callApi(logOutEverywhere);
  await signOut();
}

/** Runs before the first render: restores the URL that was passed to `signOut` as `returnTo`. */
export function restoreUrlAfterSignOut(): void {
  const path = readItem('session', AFTER_SIGN_OUT);
  removeItem('session', AFTER_SIGN_OUT);
  if (path && window.location.pathname === PAGES.home) window.history.replaceState(null, '', path);
}
