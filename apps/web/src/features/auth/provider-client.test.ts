import { beforeEach, expect, it, vi } from 'vitest';
import { writeRuntimeConfig } from '../../test/runtime-config-block.ts';
import { clearProviderTokens, hasStoredProviderSession, loadProviderClient } from './provider-client.ts';

// Uses the real SDK, to test the parameters that the provider gets.
beforeEach(() => writeRuntimeConfig({ domain: 'https://tenant.example', client_id: 'web' }));

/** The authorization URL. */
async function askToSignIn(): Promise<URL> {
  const provider = await loadProviderClient();
  return new Promise((openUrl, reject) => {
    provider.loginWithRedirect({ openUrl: (url) => openUrl(new URL(url)) }).catch(reject);
  });
}

// spec: §7 provider flow
it('uses the code flow with refresh tokens, with the answer in the query of /callback', async () => {
  const { origin, pathname, searchParams } = await askToSignIn();
  expect(origin + pathname).toBe('https://tenant.example/authorize');
  expect(Object.fromEntries(searchParams)).toMatchObject({
    client_id: 'web',
    // `offline_access` requests a refresh token.
    scope: 'openid profile email offline_access',
    response_type: 'code',
    response_mode: 'query',
    redirect_uri: 'http://localhost:3000/callback',
  });
});

// spec: §7 provider tokens
it('keeps the tokens in local storage, including the refresh token', async () => {
  const { searchParams } = await askToSignIn();
  const now = Math.floor(Date.now() / 1_000);
  const claims = { iss: 'https://tenant.example/', aud: 'web', sub: 'ada', nonce: searchParams.get('nonce') };
  const idToken = [{ alg: 'RS256' }, { ...claims, iat: now, exp: now + 60 }, 'signature']
    .map((part) => btoa(JSON.stringify(part)).replace(/=+$/, ''))
    .join('.');
  const tokens = { access_token: 'a', refresh_token: 'kept for later', id_token: idToken, expires_in: 60 };
  vi.stubGlobal('fetch', async () => Response.json(tokens));
  const provider = await loadProviderClient();
  await provider.handleRedirectCallback(
    `http://localhost:3000/callback?code=c&state=${encodeURIComponent(searchParams.get('state') ?? '')}`,
  );
  expect(hasStoredProviderSession()).toBe(true);
  expect(Object.values({ ...localStorage }).join()).toContain('kept for later');
});

it('deletes the tokens at once, before the SDK is loaded: a reload must not sign in again', async () => {
  localStorage.setItem('@@auth0spajs@@::web', '{}');
  const deleted = clearProviderTokens();
  expect(hasStoredProviderSession()).toBe(false);
  await deleted;
});
