import { request } from 'node:http';
import { useErrorHandler } from '@brand-portal/server/http/error-handler.ts';
import { useOwnApp } from '@brand-portal/server/test/test-app.ts';
import { useTestDatabase } from '@brand-portal/server/test/test-database.ts';
import fastify from 'fastify';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createEmbeddedIdentityProvider } from './identity-provider.ts';
import { type RunningProvider, useRunningProvider } from './test-support/running-provider.ts';
import { authorizeUrl } from './test-support/sign-in.ts';

/** `fetch` does not allow setting the Host header. */
function get({ publicUrl }: RunningProvider, path: string, host: string): Promise<{ status: number; body: string }> {
  const { hostname, port } = new URL(publicUrl);
  return new Promise((resolve, reject) => {
    request({ hostname, port, path, headers: { host, connection: 'close' } }, (answer) => {
      let body = '';
      answer.on('data', (chunk) => {
        body += chunk;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body }));
    })
      .on('error', reject)
      .end();
  });
}

test('a foreign host is refused on every route of the provider', async () => {
  const provider = await useRunningProvider();
  for (const path of ['/idp/.well-known/openid-configuration', '/idp/authorize?client_id=x', '/idp/login/x', '/idp/v2/logout']) {
    for (const host of ['evil.example', `${new URL(provider.publicUrl).host}@evil.example`, 'a b']) {
      const answer = await get(provider, path, host);
      expect(answer.status, `${path} as ${host}`).toBe(400);
      if (host !== 'a b') expect(JSON.parse(answer.body)).toMatchObject({ code: 'host_not_allowed' });
    }
  }
});

test('a host in the request line is refused like one in a header', async () => {
  const provider = await useRunningProvider();
  const answer = await get(provider, 'http://evil.example/idp/.well-known/openid-configuration', new URL(provider.publicUrl).host);
  expect(answer.status).toBe(400);
  expect(answer.body).not.toContain('_endpoint');
});

test('discovery names only routes that exist, at the public address', async () => {
  const provider = await useRunningProvider();
  const answer = await fetch(`${provider.idp.domain}/.well-known/openid-configuration`, {
    headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
  });
  const document = (await answer.json()) as Record<string, unknown>;
  expect(document).toMatchObject({
    issuer: `${provider.idp.domain}/`,
    authorization_endpoint: `${provider.idp.domain}/authorize`,
    token_endpoint: `${provider.idp.domain}/oauth/token`,
    userinfo_endpoint: `${provider.idp.domain}/userinfo`,
    jwks_uri: `${provider.idp.domain}/.well-known/jwks.json`,
    code_challenge_methods_supported: ['S256'],
  });
  const endpoints = Object.keys(document).filter((name) => name.endsWith('_endpoint'));
  expect(endpoints.sort()).toEqual(['authorization_endpoint', 'token_endpoint', 'userinfo_endpoint']);
});

test('answers of the library carry the security headers of the server', async () => {
  const provider = await useRunningProvider();
  const answer = await fetch(`${provider.idp.domain}/.well-known/jwks.json`);
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
});

test('with an https public URL, cookies are Secure and URLs are https, even if the proxy forwards plain http', async () => {
  const { db } = await useTestDatabase();
  const publicUrl = 'https://portal.example';
  const idp = await createEmbeddedIdentityProvider({ db, publicUrl, logger: pino({ level: 'silent' }) });
  const app = fastify();
  useErrorHandler(app);
  await idp.register(app);
  const query = new URLSearchParams({
    client_id: idp.clientId,
    response_type: 'code',
    scope: 'openid',
    redirect_uri: `${publicUrl}/callback`,
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
  });
  const answer = await app.inject({ url: `/idp/authorize?${query}`, headers: { host: 'portal.example' } });
  expect(answer.statusCode).toBe(303);
  const cookies = [answer.headers['set-cookie'] ?? []].flat();
  expect(cookies.length).toBeGreaterThan(0);
  for (const cookie of cookies) expect(cookie).toMatch(/; secure/i);
  const discovery = await app.inject({
    url: '/idp/.well-known/openid-configuration',
    headers: { host: 'portal.example:443' },
  });
  expect(discovery.json()).toMatchObject({ token_endpoint: `${publicUrl}/idp/oauth/token` });
  await app.close();
});

test('an unknown path is answered with the 404 of the portal, not with a page of the library', async () => {
  const provider = await useRunningProvider();
  for (const path of ['/idp/nothing', '/idp/oauth/revoke', '/idp/session/end', '/idp/interaction/x', '/idp/request']) {
    expect((await fetch(`${provider.publicUrl}${path}`)).status).toBe(404);
  }
});

test('the request log has the full path of requests that the library answers', async () => {
  const { db } = await useTestDatabase();
  const publicUrl = 'http://portal.example';
  const idp = await createEmbeddedIdentityProvider({ db, publicUrl, logger: pino({ level: 'silent' }) });
  const app = fastify();
  const logged: string[] = [];
  app.addHook('onResponse', async (request) => {
    logged.push(request.url);
  });
  await idp.register(app);
  await app.inject({ url: '/idp/.well-known/jwks.json', headers: { host: 'portal.example' } });
  await app.close();
  expect(logged).toEqual(['/idp/.well-known/jwks.json']);
});

test('the data that a visitor can make the provider store is limited in size and number', async () => {
  const { db } = await useTestDatabase();
  const publicUrl = 'http://localhost:3000';
  const identity = await createEmbeddedIdentityProvider({ db, publicUrl, logger: pino({ level: 'silent' }) });
  const { app } = await useOwnApp({ identity, standIns: [identity], config: { publicUrl, requestsPerMinute: 40 } });
  const open = async (state: string) => {
    const url = authorizeUrl({ publicUrl }, 'x'.repeat(43), { state });
    const answer = await app.inject({ url: url.slice(publicUrl.length), headers: { host: 'localhost:3000' } });
    return answer.statusCode;
  };
  expect(await open('s'.repeat(10_000))).toBe(400);
  const statuses: number[] = [];
  for (let call = 1; call <= 5; call++) statuses.push(await open('s'));
  expect(statuses).toEqual([303, 303, 303, 303, 429]);
  // A person gets a page, and other strictly limited routes are not affected.
  const headers = { host: 'localhost:3000', accept: 'text/html' };
  const page = await app.inject({ url: '/idp/authorize?x', headers });
  expect(page.headers['content-type']).toContain('text/html');
  const payload = { refresh: 'x' };
  const refresh = await app.inject({ method: 'POST', url: '/api/v1/auth/token/refresh/', payload });
  expect(refresh.statusCode).toBe(401);
});
