import fs from 'node:fs';
import { Writable } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createLogLines } from '../../test/log-lines.ts';
import { createTestBrand, createTestKey, createTestMember } from '../../test/people.ts';
import { useOwnApp } from '../../test/test-app.ts';
import { createLogger, maskSecrets } from './request-log.ts';

test('secrets in URLs are masked, the rest is logged', () => {
  expect(maskSecrets('/verify-email?token=s3cret&page=1')).toBe('/verify-email?token=***&page=1');
  expect(maskSecrets('/callback?code=abc&state=def')).toBe('/callback?code=***&state=***');
  expect(maskSecrets('/idp/userinfo?access_token=abc&access_token=def')).toBe('/idp/userinfo?access_token=***');
  expect(maskSecrets('/idp/v2/logout?id_token_hint=abc')).toBe('/idp/v2/logout?id_token_hint=***');
  expect(maskSecrets('/api/v1/brands/1/variants/?search=tea&ordering=-name')).toBe('/api/v1/brands/1/variants/?search=tea&ordering=-name');
  expect(maskSecrets('/feeds/s3cret.tsv')).toBe('/feeds/***');
  expect(maskSecrets('//feeds/s3cret/a?id=gtin')).toBe('//feeds/***?id=***');
  expect(maskSecrets('/brands')).toBe('/brands');
});

test('each request is one line of JSON with its id, route, status, time and user', async () => {
  const { logger, lines } = createLogLines();
  const { app, database } = await useOwnApp({ logger });
  const brandId = await createTestBrand(database.db);
  const viewer = await createTestMember(database.db, brandId, 'viewer');
  await app.inject({
    url: `/api/v1/brands/${brandId}/variants/?page=1`,
    headers: { ...viewer.headers, 'x-request-id': 'trace-7' },
  });
  const answered = lines().filter(({ msg }) => msg === 'Answered');
  expect(answered).toEqual([
    expect.objectContaining({
      level: 30,
      time: expect.any(Number),
      user_id: viewer.id,
      req: {
        id: 'trace-7',
        method: 'GET',
        url: `/api/v1/brands/${brandId}/variants/?page=1`,
        route: '/api/v1/brands/:brandId/variants/',
        ip: '127.0.0.1',
      },
      res: { status: 200 },
      ms: expect.any(Number),
    }),
  ]);
});

test('the line of an API key’s request says which key and which brand', async () => {
  const { logger, lines, text } = createLogLines();
  const { app, database } = await useOwnApp({ logger });
  const brandId = await createTestBrand(database.db);
  const owner = await createTestMember(database.db, brandId, 'owner');
  const key = await createTestKey(database.db, owner, brandId, 'viewer');
  const call = (url: string, method: 'GET' | 'PATCH' = 'GET') =>
    app.inject({ method, url, headers: key.headers, ...(method === 'PATCH' && { body: { name: 'x' } }) });
  await call(`/api/v1/brands/${brandId}/variants/`);
  await call(`/api/v1/brands/${brandId}/`, 'PATCH');
  const who = { user_id: key.id, api_key: key.email, brand_id: brandId };
  expect(lines().filter(({ msg }) => msg !== 'incoming request')).toMatchObject([
    { msg: 'Answered', res: { status: 200 }, ...who },
    { msg: 'Request refused', code: 'permission_denied', ...who },
    { msg: 'Answered', res: { status: 403 }, ...who },
  ]);
  expect(key.email).toMatch(/^bp_.{8}$/);
  expect(text()).not.toContain(key.key);
});

test('readable log lines are written to the given destination', async () => {
  let text = '';
  const destination = new Writable({
    write: (chunk, _encoding, done) => {
      text += chunk;
      done();
    },
  });
  createLogger({ logLevel: 'info', logFormat: 'pretty' }, destination).info('Hello');
  await vi.waitFor(() => expect(text).toContain('Hello'), 10_000);
  expect(text).not.toContain('{');
});

test('the log lines of an error and of its response have the same request id', async () => {
  const { logger, lines } = createLogLines();
  const { app } = await useOwnApp({ logger });
  const answer = await app.inject({ url: '/api/v1/brands/', headers: { authorization: 'Bearer wrong' } });
  const { request_id } = answer.json();
  expect(lines().find(({ msg }) => msg === 'Request refused')).toMatchObject({
    reqId: request_id,
    code: 'unauthenticated',
  });
  expect(lines().find(({ msg }) => msg === 'Answered')).toMatchObject({ reqId: request_id, res: { status: 401 } });
});

test.each(['json', 'pretty'] as const)(
  'a full disk does not end the server: up to a megabyte of %s lines waits until there is space',
  (logFormat) => {
    let isFull = true;
    const written: string[] = [];
    const write = vi.spyOn(fs, 'writeSync').mockImplementation((_file, text) => {
      if (isFull) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      written.push(String(text));
      return Buffer.byteLength(String(text));
    });
    onTestFinished(() => write.mockRestore());
    const logger = createLogger({ logLevel: 'info', logFormat });
    logger.info('first');
    logger.info('second');
    for (let line = 0; line < 30; line++) logger.info('x'.repeat(100_000));
    // Until not even a short line has room.
    for (let line = 0; line < 2_000; line++) logger.info('short');
    isFull = false;
    logger.info('last');
    const lines = written.join('');
    expect(lines).toMatch(/first.*\n.*second/);
    expect(lines.length).toBeLessThan(1024 * 1024 + 1);
    logger.info('after');
    expect(written.join('')).toContain('after');
  },
);
