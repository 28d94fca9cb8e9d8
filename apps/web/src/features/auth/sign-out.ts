import { signOutOfProvider } from './provider-client.ts';
import { endSession } from './session.ts';

/** A server that does not answer must not keep anybody signed in. */
const PATIENCE_MS = 2_000;

/** Out of the portal and of the provider; the other tabs follow by themselves. */
export async function signOut(): Promise<void> {
  await Promise.race([endSession(), new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);
  await signOutOfProvider();
}
