import type { Auth0Client } from '@auth0/auth0-spa-js';
import { HTTP_TIMEOUT_MS } from '@brand-portal/contract/constants';
import { PAGES } from '@brand-portal/contract/pages';
import { readRuntimeConfig } from '../../lib/runtime-config.ts';
import { readItem, removeItem, storeItem } from '../../lib/web-storage.ts';

const PROVIDER_DEADLINE_MS = 5_000;
const ASK_FOR_PASSWORD = 'ask-for-password';

let client: Promise<Auth0Client> | undefined;

/**
 * Auth0's SDK, one instance per page. It is 60 kB gzipped, as much as React, and visitors without a session need it
 * only when they press the button: hence it is loaded on demand, and used directly, not through its React wrapper.
 */
export function loadProviderClient(): Promise<Auth0Client> {
  client ??= createClient().catch((error: unknown) => {
    // If loading failed, the next call tries again.
    client = undefined;
    throw error;
  });
  return client;
}

async function createClient(): Promise<Auth0Client> {
  const { Auth0Client } = await import('@auth0/auth0-spa-js');
  const { domain, client_id: clientId, audience } = readRuntimeConfig();
  return new Auth0Client({
    domain,
    clientId,
    useRefreshTokens: true,
    cacheLocation: 'localstorage',
    httpTimeoutInSeconds: HTTP_TIMEOUT_MS / 1_000,
    authorizationParams: {
      scope: 'openid profile email',
      response_mode: 'query',
      redirect_uri: window.location.origin + PAGES.callback,
      ...(audience && { audience }),
    },
  });
}

export function isProviderConfigured(): boolean {
  const { domain, client_id: clientId } = readRuntimeConfig();
  return domain !== '' && clientId !== '';
}

/** The page for changing the password, which only the embedded provider has. */
export function passwordPage(): string | undefined {
  const { domain } = readRuntimeConfig();
  return domain.startsWith(`${window.location.origin}/`) ? `${domain}/change-password` : undefined;
}

/** Whether the SDK has stored anything of an earlier sign-in; if not, it would find no session. */
export function hasStoredProviderSession(): boolean {
  return storedKeys().length > 0;
}

function storedKeys(): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith('@@auth0spajs@@'));
  } catch {
    // Storage can be blocked (private windows): then nothing was stored either.
    return [];
  }
}

/**
 * Gives up what the SDK asks the provider, like every other call. The SDK itself would repeat an unanswered call twice,
 * which takes three times as long, and a code that the provider has already seen is refused.
 */
export function withinDeadline<T>(answer: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout>;
  const deadline = new Promise<never>((_, reject) => {
    const error = Object.assign(new Error('The identity provider did not answer in time'), { error: 'timeout' });
    timer = setTimeout(() => reject(error), HTTP_TIMEOUT_MS);
  });
  return Promise.race([answer, deadline]).finally(() => clearTimeout(timer));
}

/** The provider's token, from the SDK's cache or refreshed. */
export async function getProviderToken(): Promise<string> {
  const token = await withinDeadline((await loadProviderClient()).getTokenSilently());
  if (!token) throw new Error('The identity provider gave no token');
  return token;
}

/** Deletes the provider's tokens in this browser. The provider's own session, which other applications may share, continues. */
export async function clearProviderTokens(): Promise<void> {
  if (!hasStoredProviderSession()) return;
  // At once: if the page were reloaded before the SDK's code is loaded, it would sign in again. It may not be loaded at all.
  deleteStoredTokens();
  await (await loadProviderClient()).logout({ openUrl: false });
  // A refresh that was running meanwhile may have stored new ones.
  deleteStoredTokens();
}

function deleteStoredTokens(): void {
  for (const key of storedKeys()) localStorage.removeItem(key);
}

/**
 * Redirects to the provider's sign-out, which redirects back to the home page. If the provider does not answer, the
 * member would see the browser's error page: that is an error here, and the next sign-in asks for the password.
 */
export async function signOutOfProvider(): Promise<void> {
  try {
    const [provider] = await Promise.all([loadProviderClient(), checkProviderAnswers()]);
    await provider.logout({ logoutParams: { returnTo: window.location.origin } });
  } catch (error) {
    storeItem('local', ASK_FOR_PASSWORD, 'true');
    await clearProviderTokens();
    throw error;
  }
}

/** The provider may still have a session of somebody who has signed out here. */
export function mustAskForPassword(): boolean {
  return readItem('local', ASK_FOR_PASSWORD) !== null;
}

export function passwordWasAsked(): void {
  removeItem('local', ASK_FOR_PASSWORD);
}

/** Checked before redirecting to the provider. */
export async function checkProviderAnswers(): Promise<void> {
  const { domain } = readRuntimeConfig();
  const baseUrl = domain.includes('://') ? domain : `https://${domain}`;
  const response = await fetch(`${baseUrl}/.well-known/openid-configuration`, {
    signal: AbortSignal.timeout(PROVIDER_DEADLINE_MS),
  });
  if (!response.ok) throw new Error(`The identity provider answered ${response.status}`);
}
