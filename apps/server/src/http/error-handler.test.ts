import { refreshAccessToken } from '@brand-portal/contract/identity';
import { expect, test, vi } from 'vitest';
import { useOwnApp, useTestApp } from '../../test/test-app.ts';

const path = refreshAccessToken.path;

test('a body with a field of the wrong type is refused, naming the field', async () => {
  const { app } = await useTestApp();
  const answer = await app.inject({ method: 'POST', url: path, body: { refresh: 7 } });
  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toEqual({
    code: 'validation_failed',
    detail: 'refresh must be string',
    fields: { refresh: 'must be string' },
    request_id: answer.headers['x-request-id'],
  });
});

test('a missing field is named', async () => {
  const { app } = await useTestApp();
  const answer = await app.inject({ method: 'POST', url: path, body: {} });
  expect(answer.json()).toMatchObject({ code: 'validation_failed', fields: { refresh: 'is required' } });
});

test.each([
  ['broken JSON', { 'content-type': 'application/json' }, '{"refresh"', 400, 'malformed_request'],
  ['another content type', { 'content-type': 'text/xml' }, '<a/>', 415, 'unsupported_media_type'],
  ['an oversized body', { 'content-type': 'application/json' }, `"${'x'.repeat(300_000)}"`, 413, 'payload_too_large'],
])('%s is refused with the common error body', async (_name, headers, payload, status, code) => {
  const { app } = await useTestApp();
  const answer = await app.inject({ method: 'POST', url: path, headers, payload });
  expect(answer.statusCode).toBe(status);
  expect(answer.json()).toMatchObject({ code, detail: expect.any(String), request_id: expect.any(String) });
});

test('a body of many nested brackets is refused', async () => {
  const { app } = await useTestApp();
  const payload = '['.repeat(100_000) + ']'.repeat(100_000);
  const answer = await app.inject({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/json' },
    payload,
  });
  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toMatchObject({
    code: 'validation_failed',
    detail: expect.stringContaining('nested too deeply'),
  });
});

test('an unknown path below /api/ is a JSON 404 even for a browser', async () => {
  const { app } = await useTestApp();
  const answer = await app.inject({ url: '/api/v1/nothing/', headers: { accept: 'text/html' } });
  expect(answer.statusCode).toBe(404);
  expect(answer.json()).toMatchObject({ code: 'not_found' });
});

test('a URL that cannot be decoded is refused with the common error body', async () => {
  const { app } = await useTestApp();
  const answer = await app.inject('/api/%zz/');
  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toMatchObject({ code: 'malformed_request', request_id: answer.headers['x-request-id'] });
  expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
  expect(answer.headers['x-content-type-options']).toBe('nosniff');
});

test('too many requests from one address are refused, with a Retry-After', async () => {
  const { app } = await useOwnApp({ config: { requestsPerMinute: 3 } });
  for (let request = 1; request <= 3; request++) {
    expect((await app.inject('/api/v1/auth0/config/')).statusCode).toBe(200);
  }
  const refused = await app.inject('/api/v1/auth0/config/');
  expect(refused.statusCode).toBe(429);
  expect(refused.json()).toMatchObject({ code: 'rate_limited' });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
});

test('requests without a session count for the rate limit too', async () => {
  const { app } = await useOwnApp({ config: { requestsPerMinute: 3 } });
  for (let request = 1; request <= 3; request++) {
    expect((await app.inject('/api/v1/users/me/')).statusCode).toBe(401);
  }
  expect((await app.inject('/api/v1/users/me/')).statusCode).toBe(429);
});

test('where a token could be guessed, the rate limit is a tenth', async () => {
  const { app } = await useOwnApp({ config: { requestsPerMinute: 20 } });
  const guess = (token: string) => app.inject({ method: 'POST', url: path, body: { refresh: token } });
  expect((await guess('first')).statusCode).toBe(401);
  expect((await guess('second')).statusCode).toBe(401);
  const third = await guess('third');
  expect(third.statusCode).toBe(429);
  expect(third.json()).toMatchObject({ code: 'rate_limited' });
  // The rest of the portal works, and invitations cannot be guessed in the meantime either.
  expect((await app.inject('/api/v1/auth0/config/')).statusCode).toBe(200);
  expect((await app.inject('/api/v1/verification-status/?token=guess')).statusCode).toBe(429);
});

test('a lost database connection gives a 503, and requests work again without a restart', async () => {
  const { app, database } = await useTestApp();
  const call = () => app.inject({ method: 'POST', url: path, body: { refresh: 'unknown' } });
  expect((await call()).json()).toMatchObject({ code: 'refresh_token_invalid' });
  await database.pool.query('alter table sessions rename to sessions_away');
  const defect = await call();
  expect(defect.statusCode).toBe(500);
  expect(defect.json()).toMatchObject({ code: 'internal_error', detail: 'Server error. Please try again later.' });
  await database.pool.query('alter table sessions_away rename to sessions');

  const loss = Promise.all([call(), call(), call()]);
  await database.pool.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  for (const answer of await loss) expect([401, 503]).toContain(answer.statusCode);
  // The pool detects a lost connection only when it is used next.
  await vi.waitFor(async () => expect((await call()).json()).toMatchObject({ code: 'refresh_token_invalid' }), 10_000);
});

test('a request id of the caller is kept, unless it could forge a log line', async () => {
  const { app } = await useTestApp();
  const kept = await app.inject({ url: '/healthz', headers: { 'x-request-id': 'trace-42' } });
  expect(kept.headers['x-request-id']).toBe('trace-42');
  const replaced = await app.inject({ url: '/healthz', headers: { 'x-request-id': 'a b\tc' } });
  expect(replaced.headers['x-request-id']).not.toBe('a b\tc');
});
