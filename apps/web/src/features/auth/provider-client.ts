import type { Auth0Client } from '@auth0/auth0-spa-js';
import { PAGES } from '@brand-portal/contract/pages';
import { readRuntimeConfig } from '../../lib/runtime-config.ts';

let client: Promise<Auth0Client> | undefined;

/**
 * Auth0's SDK, one for the page. It is 60 kB gzipped, as much as React, and whoever comes without a session does not need
 * it before they press the button: hence loaded on demand, and used directly rather than through its React wrapper.
 */
export function loadProviderClient(): Promise<Auth0Client> {
  client ??= createClient().catch((error: unknown) => {
    // A lost connection must not keep the next try from loading it.
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
    httpTimeoutInSeconds: 5,
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

/** Whether the SDK has kept anything of an earlier sign-in; if not, it would find nobody signed in. */
export function hasStoredProviderSession(): boolean {
  try {
    return Object.keys(localStorage).some((key) => key.startsWith('@@auth0spajs@@'));
  } catch {
    // Storage can be refused (private windows): then nothing was kept either.
    return false;
  }
}

/** The provider's token, from its cache or refreshed. */
export async function getProviderToken(): Promise<string> {
  const token = await (await loadProviderClient()).getTokenSilently();
  if (!token) throw new Error('The identity provider gave no token');
  return token;
}

/** Forgets its tokens in this browser; its own session, which other applications may share, goes on. */
export async function forgetProviderSession(): Promise<void> {
  if (hasStoredProviderSession()) await (await loadProviderClient()).logout({ openUrl: false });
}

/** Leaves the page for the provider's sign-out, which comes back to the start. */
export async function signOutOfProvider(): Promise<void> {
  await (await loadProviderClient()).logout({ logoutParams: { returnTo: window.location.origin } });
}
