import { useErrorHandler } from '@brand-portal/server/http/error-handler.ts';
import { useSecurityHeaders } from '@brand-portal/server/http/security-headers.ts';
import { readConfig } from '@brand-portal/server/lib/config.ts';
import { hostileText } from '@brand-portal/server/test/fuzz/hostile-values.ts';
import { useTestDatabase } from '@brand-portal/server/test/test-database.ts';
import fc from 'fast-check';
import fastify, { type FastifyInstance, type InjectOptions } from 'fastify';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createEmbeddedIdentityProvider } from './identity-provider.ts';

const PUBLIC_URL = 'http://localhost:3000';
const ROUTES = [
  ['GET', '/authorize'],
  ['GET', '/authorize/x'],
  ['POST', '/oauth/token'],
  ['GET', '/userinfo'],
  ['GET', '/login/x'],
  ['POST', '/login/x'],
  ['GET', '/v2/logout'],
  ['GET', '/forgot-password'],
  ['POST', '/forgot-password'],
  ['GET', '/reset-password'],
  ['POST', '/reset-password'],
  ['GET', '/change-password'],
  ['POST', '/change-password'],
  ['GET', '/change-password/done'],
] as const;
/** A nearly valid request, so that the broken part is processed. */
const PARAMETERS = {
  client_id: 'brand-portal-web',
  response_type: 'code',
  scope: 'openid profile email',
  redirect_uri: `${PUBLIC_URL}/callback`,
  code_challenge: 'x'.repeat(43),
  code_challenge_method: 'S256',
  state: 's',
  ui_locales: 'es',
  login_hint: 'a@example.com',
  prompt: 'none',
  grant_type: 'refresh_token',
  refresh_token: 'r',
  token: 't',
  returnTo: PUBLIC_URL,
  language: 'en',
  email: 'a@example.com',
  password: 'p',
  confirm: 'p',
  current: 'p',
};
const SCRIPT = '"><script>alert(1)</script>';

const hostile = fc.oneof(hostileText, fc.constantFrom(SCRIPT, 'https://evil.example/', '//evil.example', '/\\evil.example'));
const requests: fc.Arbitrary<InjectOptions> = fc
  .record({
    route: fc.constantFrom(...ROUTES),
    broken: fc.constantFrom(...Object.keys(PARAMETERS)),
    value: hostile.map((text) => text.slice(0, 3_000)),
    cookie: fc.constantFrom(undefined, 'idp_session=x; idp_interaction=y', `idp_session=${SCRIPT}`),
  })
  .map(({ route: [method, path], broken, value, cookie }) => {
    const parameters = new URLSearchParams({ ...PARAMETERS, [broken]: value }).toString();
    const isForm = method === 'POST';
    return {
      method,
      url: `/idp${path}${isForm ? '' : `?${parameters}`}`,
      headers: {
        host: 'localhost:3000',
        ...(cookie && { cookie }),
        ...(path === '/userinfo' && { authorization: `Bearer ${encodeURIComponent(value.toWellFormed())}` }),
        ...(isForm && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(isForm && { payload: parameters }),
    };
  });

async function useProvider(): Promise<FastifyInstance> {
  const { db } = await useTestDatabase();
  const logger = pino({ level: 'silent' });
  const idp = await createEmbeddedIdentityProvider({ db, publicUrl: PUBLIC_URL, logger });
  const app = fastify();
  useErrorHandler(app);
  await useSecurityHeaders(app, readConfig({ PUBLIC_URL }));
  await idp.register(app);
  onTestFinished(() => app.close());
  return app;
}

test.each([
  '/idp/authorize?client_id=a%00b',
  '/idp/authorize/x?client_id=brand-portal-web&redirect_uri=',
  `/idp/authorize?${new URLSearchParams({ ...PARAMETERS, prompt: 'login', state: 'a\0b' })}`,
])('%s is refused', async (url) => {
  const app = await useProvider();
  const answer = await app.inject({ url, headers: { host: 'localhost:3000' } });
  expect(answer.statusCode).toBe(400);
});

test('random requests cause no 5xx, no redirect to another site, and no injected markup', async () => {
  const app = await useProvider();
  const property = fc.asyncProperty(requests, async (request) => {
    const answer = await app.inject(request);
    expect(answer.statusCode, answer.body).toBeLessThan(500);
    const location = answer.headers.location;
    if (location !== undefined) expect(new URL(String(location), PUBLIC_URL).origin).toBe(PUBLIC_URL);
    expect(answer.body).not.toContain('<script>alert');
    expect(String(answer.headers['content-security-policy'])).not.toContain('unsafe');
  });
  await fc.assert(property, {
    seed: Number(process.env.FUZZ_SEED ?? 1),
    numRuns: Number(process.env.FUZZ_REQUESTS ?? 100),
  });
}, 120_000);
