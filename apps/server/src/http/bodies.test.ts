import { connect } from 'node:net';
import { ENDPOINTS } from '@brand-portal/contract/endpoints';
import fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { createTestBrand, createTestMember } from '../../test/people.ts';
import { useTestApp } from '../../test/test-app.ts';
import { useBodies } from './bodies.ts';

const withoutPayload = ENDPOINTS.filter(({ method, body, bodyKind }) => method !== 'GET' && !body && !bodyKind);

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

test('a body that drips is given up, whatever its type', async () => {
  const app = fastify();
  useBodies(app, { deadlineMs: 100 });
  app.post('/', async () => 'read');
  app.addContentTypeParser('*', (_request, payload, done) => payload.resume().once('end', () => done(null)));
  await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => app.close());
  const { port } = app.server.address() as { port: number };
  for (const type of ['application/json', 'application/x-www-form-urlencoded']) {
    const socket = connect(port, '127.0.0.1');
    socket.write(`POST / HTTP/1.1\r\nhost: x\r\ncontent-type: ${type}\r\ncontent-length: 100\r\n\r\n{`);
    const dripping = setInterval(() => socket.write(' '), 20);
    socket.on('error', () => {});
    await new Promise((resolve) => socket.once('close', resolve));
    clearInterval(dripping);
  }
});
