import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ENDPOINTS } from '@brand-portal/contract/endpoints';
import fastify from 'fastify';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createTestBrand, createTestMember } from '../../test/people.ts';
import { useTestApp } from '../../test/test-app.ts';
import { allowSlowBody, useBodies } from './bodies.ts';

const withoutPayload = ENDPOINTS.filter(({ method, body, bodyKind }) => method !== 'GET' && !body && !bodyKind);

// spec: §7 json
test.each(withoutPayload.map(({ method, path }) => [method, path] as const))(
  '%s %s takes a JSON content type without a body',
  async (method, path) => {
    const { app, database } = await useTestApp();
    const brandId = await createTestBrand(database.db);
    const { headers } = await createTestMember(database.db, brandId, 'owner');
    const url = path.replace(':brandId', String(brandId)).replaceAll(/:\w+/g, '1');
    const answer = await app.inject({ method, url, headers: { ...headers, 'content-type': 'application/json' } });
    expect(answer.body).not.toContain('malformed_request');
    expect(answer.statusCode).not.toBe(400);
  },
);

test('a call that needs a payload says so when there is none', async () => {
  const { app } = await useTestApp();
  const answer = await app.inject({
    method: 'POST',
    url: '/api/v1/auth/token/refresh/',
    headers: { 'content-type': 'application/json' },
  });
  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toMatchObject({ code: 'validation_failed' });
});

test('broken JSON is still refused', async () => {
  const { app } = await useTestApp();
  const answer = await app.inject({
    method: 'POST',
    url: '/api/v1/auth/token/refresh/',
    headers: { 'content-type': 'application/json' },
    payload: '{"refresh":',
  });
  expect(answer.json()).toMatchObject({ code: 'malformed_request' });
});

describe('a body that arrives slowly', () => {
  async function useDrippingServer() {
    const app = fastify();
    useBodies(app, { deadlineMs: 150 });
    app.addContentTypeParser('*', (_request, payload, done) => payload.resume().once('end', () => done(null)));
    app.post('/', async () => 'read');
    app.post('/refused', { onRequest: async (_request, reply) => reply.status(401).send('no') }, async () => 'read');
    app.post('/slow', { onRequest: async (request) => allowSlowBody(request) }, async () => 'read');
    await app.listen({ host: '127.0.0.1', port: 0 });
    onTestFinished(() => app.close());
    const { port } = app.server.address() as { port: number };
    /** Returns whether the connection was closed while the body was still being sent. */
    return async (path: string, type: string, length: 'known' | 'unknown' = 'known') => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => {});
      const framing = length === 'known' ? 'content-length: 1000' : 'transfer-encoding: chunked';
      const drop = length === 'known' ? ' ' : '1\r\n \r\n';
      socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: ${type}\r\n${framing}\r\n\r\n`);
      const dripping = setInterval(() => socket.write(drop), 20);
      const closed = await Promise.race([new Promise((resolve) => socket.once('close', () => resolve(true))), sleep(1_000, false)]);
      clearInterval(dripping);
      socket.destroy();
      return closed;
    };
  }

  test.each([
    ['/', 'application/json'],
    ['/', 'application/x-www-form-urlencoded'],
    ['/', 'multipart/form-data; boundary=x'],
    ['/refused', 'application/json'],
    ['/refused', 'multipart/x'],
  ])('to %s as %s is aborted, also if the request was already answered', async (path, type) => {
    const drip = await useDrippingServer();
    expect(await drip(path, type)).toBe(true);
    expect(await drip(path, type, 'unknown')).toBe(true);
  });

  test('is accepted by a route that allows it', async () => {
    const drip = await useDrippingServer();
    expect(await drip('/slow', 'multipart/form-data; boundary=x')).toBe(false);
  });
});
