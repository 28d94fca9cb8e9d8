import { useAuthStore } from './auth-store.ts';
import { signOutOfProvider } from './provider-client.ts';
import { endSession } from './session.ts';

/** A server that does not answer must not keep anybody signed in. */
const PATIENCE_MS = 2_000;

/** Out of the portal and of the provider; the other tabs follow by themselves. */
export async function signOut(): Promise<void> {
  const { setLoading } = useAuthStore.getState();
  // The page is about to be left: a sign-in button would be gone before what it started.
  setLoading(true);
  try {
    await Promise.race([endSession(), new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);
    await signOutOfProvider();
  } catch (error) {
    setLoading(false);
    throw error;
  }
}
