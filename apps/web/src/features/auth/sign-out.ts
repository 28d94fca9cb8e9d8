import { logOutEverywhere } from '@brand-portal/contract/identity';
import { PAGES } from '@brand-portal/contract/pages';
import { callApi } from '../../lib/api-client.ts';
import { forget, keep, recall } from '../../lib/page-memory.ts';
import { useAuthStore } from './auth-store.ts';
import { signOutOfProvider } from './provider-client.ts';
import { endSession } from './session.ts';

/** A server that does not answer must not keep anybody signed in. */
const PATIENCE_MS = 2_000;

const AFTER_SIGN_OUT = 'after-sign-out';

/**
 * Out of the portal and of the provider; the other tabs follow by themselves. The provider comes back to the start, which
 * goes on to `returnTo`.
 */
export async function signOut({ returnTo }: { returnTo?: string } = {}): Promise<void> {
  const { setLoading } = useAuthStore.getState();
  if (returnTo) keep('session', AFTER_SIGN_OUT, returnTo);
  // The page is about to be left: a sign-in button would be gone before what it started.
  setLoading(true);
  try {
    await Promise.race([endSession(), new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);
    await signOutOfProvider();
  } catch (error) {
    forget('session', AFTER_SIGN_OUT);
    setLoading(false);
    throw error;
  }
}

/** Ends the member's sessions on all devices, this one last. */
export async function signOutEverywhere(): Promise<void> {
  await callApi(logOutEverywhere);
  await signOut();
}

/** Before anything is rendered. */
export function goOnAfterSignOut(): void {
  const path = recall('session', AFTER_SIGN_OUT);
  forget('session', AFTER_SIGN_OUT);
  if (path && window.location.pathname === PAGES.home) window.history.replaceState(null, '', path);
}
