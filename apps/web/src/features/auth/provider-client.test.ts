import { beforeEach, expect, it } from 'vitest';
import { writeRuntimeConfig } from '../../test/runtime-config-block.ts';
import { loadProviderClient } from './provider-client.ts';

// The real SDK: what it makes of our options is what the provider gets.
beforeEach(() => writeRuntimeConfig({ domain: 'https://tenant.example', client_id: 'web' }));

it('asks for the code flow with refresh tokens, answered in the query of /callback', async () => {
  const provider = await loadProviderClient();
  let address = '';
  await provider.loginWithRedirect({
    openUrl: (url) => {
      address = url;
    },
  });
  const { origin, pathname, searchParams } = new URL(address);
  expect(origin + pathname).toBe('https://tenant.example/authorize');
  expect(Object.fromEntries(searchParams)).toMatchObject({
    client_id: 'web',
    // The last one is how refresh tokens are asked for.
    scope: 'openid profile email offline_access',
    response_type: 'code',
    response_mode: 'query',
    redirect_uri: 'http://localhost:3000/callback',
  });
});

it('keeps the tokens in local storage, the one for refreshing included', async () => {
  const provider = await loadProviderClient();
  expect(provider).toMatchObject({ options: { useRefreshTokens: true, cacheLocation: 'localstorage' } });
});
