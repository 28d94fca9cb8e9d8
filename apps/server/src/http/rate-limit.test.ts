import { expect, test } from 'vitest';
import { createLogLines } from '../../test/log-lines.ts';
import { createTestBrand, createTestMember } from '../../test/people.ts';
import { useOwnApp } from '../../test/test-app.ts';

const LIMIT = 3;
/** pino's level. */
const INFO = 30;
const CONFIG = '/api/v1/auth0/config/';

async function useLimitedApp(overrides: Parameters<typeof useOwnApp>[0] = {}) {
  const testApp = await useOwnApp({ ...overrides, config: { requestsPerMinute: LIMIT, ...overrides.config } });
  const { app } = testApp;
  const statusOf = async (url: string, headers: Record<string, string> = {}) => (await app.inject({ url, headers })).statusCode;
  /** Uses up the limit of the tests' address. */
  const exhaust = async (url: string) => {
    for (let request = 0; request < LIMIT; request++) expect(await statusOf(url)).not.toBe(429);
    expect(await statusOf(url)).toBe(429);
  };
  return { ...testApp, statusOf, exhaust };
}

test('files of the web app are not rate limited, so that an office behind one address can open it', async () => {
  const { statusOf } = await useLimitedApp();
  for (let file = 0; file < 10 * LIMIT; file++) expect(await statusOf('/assets/main-fixture.js')).toBe(200);
  expect(await statusOf(CONFIG)).toBe(200);
});

test.each([
  ['en-GB,en', 'en', 'Too many requests'],
  ['es-MX,es', 'es', 'Demasiadas solicitudes'],
])('a rate-limited page request gets an HTML page, in the language of %s', async (acceptLanguage, language, title) => {
  const { app, exhaust } = await useLimitedApp();
  await exhaust(CONFIG);
  const headers = { accept: 'text/html', 'accept-language': acceptLanguage };
  const page = await app.inject({ url: '/login', headers });
  expect(page.statusCode).toBe(429);
  expect(Number(page.headers['retry-after'])).toBeGreaterThan(0);
  expect(page.headers['content-type']).toContain('text/html');
  expect(page.body).toContain(`<html lang="${language}">`);
  expect(page.body).toContain(`<h1>${title}</h1>`);
  expect(page.headers['content-security-policy']).toContain("default-src 'none'");
});

test('members are counted separately, even if they share an IP address', async () => {
  const { database, statusOf, exhaust } = await useLimitedApp();
  const brandId = await createTestBrand(database.db);
  const [first, second] = [await createTestMember(database.db, brandId, 'viewer'), await createTestMember(database.db, brandId, 'viewer')];
  await exhaust(CONFIG);
  for (const { headers } of [first, second]) {
    for (let request = 0; request < LIMIT; request++) expect(await statusOf('/api/v1/brands/', headers)).toBe(200);
    expect(await statusOf('/api/v1/brands/', headers)).toBe(429);
  }
});

test('requests with an invalid token are counted by address', async () => {
  const { statusOf } = await useLimitedApp();
  const statuses: number[] = [];
  for (let guess = 0; guess <= LIMIT; guess++) {
    statuses.push(await statusOf('/api/v1/brands/', { authorization: `Bearer guess-${guess}` }));
  }
  expect(statuses).toEqual([401, 401, 401, 429]);
});

test.each([
  ['a path below the API that matches nothing', '/api/v1/nothing/'],
  ['a path that matches nothing', '/no/such/thing'],
  ['a file that does not exist', '/assets/nothing.js'],
  ['an address that cannot be decoded', '/api/%zz/'],
])('%s counts for the rate limit too', async (_name, url) => {
  const { exhaust, statusOf } = await useLimitedApp();
  await exhaust(url);
  expect(await statusOf(CONFIG)).toBe(429);
});

test('probes have a separate rate limit', async () => {
  const { exhaust, statusOf } = await useLimitedApp();
  await exhaust(CONFIG);
  await exhaust('/healthz');
  expect(await statusOf('/readyz')).toBe(429);
});

test('a flood leaves one line in the log, not one for each request', async () => {
  const { logger, lines } = createLogLines();
  const { exhaust, statusOf } = await useLimitedApp({ logger });
  await exhaust('/no/such/thing');
  await statusOf('/api/%zz/');
  const told = () => lines().filter(({ level }) => Number(level) >= INFO);
  const before = told().length;
  for (let request = 0; request < 50; request++) {
    await statusOf('/no/such/thing');
    await statusOf('/api/%zz/');
  }
  expect(told().slice(before)).toEqual([]);
  expect(told().filter(({ msg }) => msg === 'Too many requests')).toHaveLength(1);
});

test('behind a proxy that appends to it, a forged X-Forwarded-For does not evade the rate limit', async () => {
  const { app } = await useLimitedApp({ config: { trustProxy: 1 } });
  const statuses: number[] = [];
  for (let call = 0; call <= LIMIT; call++) {
    const headers = { 'x-forwarded-for': `203.0.113.${call}, 198.51.100.7` };
    statuses.push((await app.inject({ url: CONFIG, headers })).statusCode);
  }
  expect(statuses).toEqual([200, 200, 200, 429]);
  const another = await app.inject({ url: CONFIG, headers: { 'x-forwarded-for': '198.51.100.8' } });
  expect(another.statusCode).toBe(200);
});

test.each(['198.51.100.7', '[2001:db8::7]'])(
  'behind a proxy that appends %s with the port, as of Azure, all connections of a caller are counted together',
  async (address) => {
    const { app } = await useLimitedApp({ config: { trustProxy: 1 } });
    const statuses: number[] = [];
    for (let call = 0; call <= LIMIT; call++) {
      const headers = { 'x-forwarded-for': `203.0.113.9, ${address}:${50_000 + call}` };
      statuses.push((await app.inject({ url: CONFIG, headers })).statusCode);
    }
    expect(statuses).toEqual([200, 200, 200, 429]);
  },
);

test('X-Forwarded-For is used only if it comes from a trusted proxy', async () => {
  const { app } = await useLimitedApp({ config: { trustProxy: '10.0.0.0/8' } });
  const statuses: number[] = [];
  for (let call = 0; call <= LIMIT; call++) {
    const headers = { 'x-forwarded-for': `203.0.113.${call}` };
    statuses.push((await app.inject({ url: CONFIG, headers, remoteAddress: '198.51.100.7' })).statusCode);
  }
  expect(statuses.at(-1)).toBe(429);
});

test('cross-site requests do not use up the rate limit of the visitor or of others at that address', async () => {
  const { app, statusOf } = await useLimitedApp({ config: { requestsPerMinute: 20 } });
  const foreign = { 'sec-fetch-site': 'cross-site' };
  const refresh = (headers = {}) => app.inject({ method: 'POST', url: '/api/v1/auth/token/refresh/', headers, payload: { refresh: 'x' } });
  for (let call = 0; call < 30; call++) await statusOf(CONFIG, foreign);
  for (let call = 0; call < 3; call++) await refresh(foreign);
  expect((await refresh(foreign)).statusCode).toBe(429);
  expect(await statusOf(CONFIG)).toBe(200);
  expect((await refresh()).statusCode).toBe(401);
});

test('a request whose caller has hung up already, so that it has no address any more, is counted like others', async () => {
  const { logger, lines } = createLogLines();
  const { app } = await useLimitedApp({ logger });
  app.server.on('connection', (socket) => Object.defineProperty(socket, 'remoteAddress', { value: undefined }));
  const server = await app.listen({ port: 0, host: '127.0.0.1' });
  const statuses: number[] = [];
  for (let request = 0; request <= LIMIT; request++) statuses.push((await fetch(server + CONFIG)).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
  expect(lines().filter(({ msg }) => msg === 'Request failed')).toEqual([]);
});
