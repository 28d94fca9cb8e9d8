import { PAGES } from '@brand-portal/contract/pages';
import { logError } from '../../lib/log.ts';
import { useAuthStore } from './auth-store.ts';
import { getProviderToken, loadProviderClient } from './provider-client.ts';
import { startSession } from './session.ts';
import { leaveProvider } from './sign-in-failure.ts';

let finishing: Promise<string> | undefined;

/** Turns the provider's answer in the address into our own session; resolves with where to go on. A code works only once. */
export function finishSignIn(): Promise<string> {
  finishing ??= exchange().finally(() => {
    finishing = undefined;
  });
  return finishing;
}

async function exchange(): Promise<string> {
  try {
    const provider = await loadProviderClient();
    const { appState } = await provider.handleRedirectCallback<{ returnTo?: unknown }>();
    await startSession(await getProviderToken());
    return isOwnPath(appState?.returnTo) ? appState.returnTo : PAGES.brands;
  } catch (error) {
    logError('Failed to complete the sign-in:', error);
    await leaveProvider(error);
    return PAGES.home;
  } finally {
    useAuthStore.getState().setLoading(false);
  }
}

/** What comes back from the provider must not lead elsewhere. */
function isOwnPath(path: unknown): path is string {
  return typeof path === 'string' && /^\/(?![/\\])/.test(path);
}
