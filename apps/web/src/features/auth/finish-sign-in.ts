import { PAGES } from '@brand-portal/contract/pages';
import { logError } from '../../lib/log.ts';
import { useAuthStore } from './auth-store.ts';
import { getProviderToken, loadProviderClient, passwordWasAsked, withinDeadline } from './provider-client.ts';
import { startSession } from './session.ts';
import { abandonSignIn } from './sign-in-failure.ts';

let finishing: Promise<string | undefined> | undefined;

/**
 * Exchanges the code in the URL, which the provider sent, for our own session. Resolves with the path to continue at,
 * or with undefined if the browser is leaving the page. A code works only once.
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
    const { appState } = await withinDeadline(provider.handleRedirectCallback<{ returnTo?: unknown }>());
    await startSession(await getProviderToken());
    passwordWasAsked();
    useAuthStore.getState().setLoading(false);
    return isOwnPath(appState?.returnTo) ? appState.returnTo : PAGES.brands;
  } catch (error) {
    logError('Failed to complete the sign-in:', error);
    return (await abandonSignIn(error)) ? undefined : PAGES.home;
  }
}

/** The provider must redirect with a code or with an error. */
function checkAddress(): void {
  const answer = new URLSearchParams(window.location.search);
  if (answer.get('code') || answer.get('error')) return;
  throw Object.assign(new Error('The identity provider sent no code'), { error: 'missing_code' });
}

/** Prevents open redirects: the path comes back from the provider. */
function isOwnPath(path: unknown): path is string {
  return typeof path === 'string' && /^\/(?![/\\])/.test(path);
}
