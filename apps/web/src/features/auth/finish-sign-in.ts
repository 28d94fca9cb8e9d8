import { PAGES } from '@brand-portal/contract/pages';
import { logError } from '../../lib/log.ts';
import { useAuthStore } from './auth-store.ts';
import { getProviderToken, loadProviderClient, passwordWasAsked } from './provider-client.ts';
import { startSession } from './session.ts';
import { abandonSignIn } from './sign-in-failure.ts';

let finishing: Promise<string | undefined> | undefined;

/**
 * Turns the provider's answer in the address into our own session. Resolves with where to go on, or with nothing where the
 * page is being left. A code works only once.
 */
export function finishSignIn(): Promise<string | undefined> {
  finishing ??= exchange().finally(() => {
    finishing = undefined;
  });
  return finishing;
}

async function exchange(): Promise<string | undefined> {
  try {
    checkAddress();
    const provider = await loadProviderClient();
    const { appState } = await provider.handleRedirectCallback<{ returnTo?: unknown }>();
    await startSession(await getProviderToken());
    passwordWasAsked();
    useAuthStore.getState().setLoading(false);
    return isOwnPath(appState?.returnTo) ? appState.returnTo : PAGES.brands;
  } catch (error) {
    logError('Failed to complete the sign-in:', error);
    return (await abandonSignIn(error)) ? undefined : PAGES.home;
  }
}

/** The provider comes back with a code, or with an error. */
function checkAddress(): void {
  const answer = new URLSearchParams(window.location.search);
  if (answer.get('code') || answer.get('error')) return;
  throw Object.assign(new Error('The identity provider sent no code'), { error: 'missing_code' });
}

/** What comes back from the provider must not lead elsewhere. */
function isOwnPath(path: unknown): path is string {
  return typeof path === 'string' && /^\/(?![/\\])/.test(path);
}
