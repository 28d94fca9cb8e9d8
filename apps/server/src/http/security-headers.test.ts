import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { useOwnApp, useTestApp } from '../../test/test-app.ts';

/** One of each kind of response: data, an error, not found, a page, a script, the OpenAPI document, its page, health. */
const ANSWERS = [
  '/api/v1/auth0/config/',
  '/api/v1/brands/',
  '/api/v1/nothing/',
  '/api/%zz/',
  '/login',
  '/no/such/screen',
  '/assets/main-fixture.js',
  '/api/v1/openapi.json',
  '/api/docs/',
  '/healthz',
];
const asBrowser = { accept: 'text/html', origin: 'https://evil.example' };

describe.each(ANSWERS)('the answer of %s', (url) => {
  test('forbids MIME sniffing, framing and inline code', async () => {
    const { app } = await useTestApp();
    const { headers } = await app.inject({ url, headers: asBrowser });
    expect(headers['x-content-type-options']).toBe('nosniff');
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe-|\*|script-src[^;]*(https?:|data:|blob:)/);
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(headers).not.toHaveProperty('server');
  });

  test('allows no other origin (no CORS headers)', async () => {
    const { app } = await useTestApp();
    for (const method of ['GET', 'OPTIONS'] as const) {
      const answer = await app.inject({
        method,
        url,
        headers: {
          ...asBrowser,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization',
        },
      });
      const cors = Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'));
      expect(cors).toEqual([]);
    }
  });
});

test('HSTS is sent if the portal is on https, and only then', async () => {
  const secure = await useOwnApp({ config: { publicUrl: 'https://portal.example' } });
  expect((await secure.app.inject('/login')).headers['strict-transport-security']).toMatch(/^max-age=31536000/);
  const plain = await useTestApp();
  expect((await plain.app.inject('/login')).headers).not.toHaveProperty('strict-transport-security');
});

test('the URL of a page, which may contain a token, is not sent to other sites', async () => {
  const { app } = await useTestApp();
  const { headers } = await app.inject('/verify-email?token=secret');
  expect(headers['referrer-policy']).toBe('same-origin');
  expect(headers['cache-control']).toBe('no-store');
});

test('forms and scripts may call only the server itself and the identity provider', async () => {
  const { app } = await useOwnApp({ identity: { domain: 'tenant.auth0.com', clientId: 'x' } });
  const policy = String((await app.inject('/login')).headers['content-security-policy']);
  expect(policy).toContain("connect-src 'self' https://tenant.auth0.com;");
  expect(policy).toContain("form-action 'self' https://tenant.auth0.com;");
  expect(policy).toContain("base-uri 'none'");
});

test('answers of the API are not cached by browsers or proxies', async () => {
  const { app } = await useTestApp();
  for (const url of ['/api/v1/auth0/config/', '/api/v1/brands/', '/api/v1/nothing/', '/api/%zz/']) {
    expect((await app.inject(url)).headers['cache-control']).toBe('no-store');
  }
});

test.each([
  ['is not HTTP', 'not http at all\r\n\r\n', 400],
  ['has a line that is not a header', 'GET / HTTP/1.1\r\nhost: x\r\nbroken header\r\n\r\n', 400],
  ['has too long headers', `GET / HTTP/1.1\r\nhost: x\r\nx: ${'x'.repeat(100_000)}\r\n\r\n`, 431],
])('an answer to a request that %s has the headers too', async (_name, request, status) => {
  const { app } = await useOwnApp();
  await app.listen({ host: '127.0.0.1', port: 0 });
  const socket = connect((app.server.address() as { port: number }).port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(request);
  const answer = await text(socket);
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(answer).toContain('x-content-type-options: nosniff');
  expect(answer).toContain("content-security-policy: default-src 'none'");
  expect(answer).toContain('cache-control: no-store');
});
