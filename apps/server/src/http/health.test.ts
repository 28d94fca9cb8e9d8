// @module-tag empty-installation
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { freePort } from '../../test/free-port.ts';
import { createTestBrand, createTestMember } from '../../test/people.ts';
import { useOwnApp, useTestApp } from '../../test/test-app.ts';
import { useTestDatabase } from '../../test/test-database.ts';

test('a server whose database is reachable and migrated is ready', async () => {
  const { app } = await useTestApp();
  const answer = await app.inject('/readyz');
  expect(answer.statusCode).toBe(200);
  expect(answer.json()).toEqual({ status: 'ready' });
});

test('a server whose database is gone is healthy but not ready, and recovers with the database', async () => {
  const { app, database } = await useTestApp();
  await database.pool.query('alter table kysely_migration rename to kysely_migration_away');
  await database.pool.query('create table kysely_migration (name varchar(255) primary key, timestamp varchar(255))');
  const missing = await app.inject('/readyz');
  expect(missing.statusCode).toBe(503);
  expect(missing.json()).toMatchObject({ code: 'not_ready' });
  expect((await app.inject('/healthz')).statusCode).toBe(200);
  await database.pool.query('drop table kysely_migration');
  await database.pool.query('alter table kysely_migration_away rename to kysely_migration');
  expect((await app.inject('/readyz')).statusCode).toBe(200);
});

test('a server on which nobody could sign in, because half of the provider is missing, is not ready and says what to set', async () => {
  const { app } = await useOwnApp({ identity: { domain: 'tenant.eu.auth0.com', clientId: '' } });
  const answer = await app.inject('/readyz');
  expect(answer.statusCode).toBe(503);
  expect(answer.json()).toMatchObject({
    code: 'not_ready',
    detail: expect.stringContaining('Missing Auth0 configuration'),
  });
});

test.each([
  ['alter table imports drop column is_check', 'imports.is_check'],
  ['drop index deliveries_unreachable_idx', 'deliveries_unreachable_idx'],
  ['alter table variant_search drop constraint variant_search_pkey', 'variant_search_pkey'],
  [`insert into kysely_migration (name, timestamp) values ('9999_future', '2030-01-01')`, '9999_future'],
])('a server whose database does not fit its code is not ready and names what is wrong: %s', async (change, name) => {
  const { app, database } = await useTestApp();
  await database.pool.query(change);
  const answer = await app.inject('/readyz');
  expect(answer.statusCode).toBe(503);
  expect(answer.json()).toMatchObject({ code: 'not_ready', detail: expect.stringContaining(name) });
});

test('a server that was ready stays so while a later version migrates its database', async () => {
  const { app, database } = await useTestApp();
  await app.inject('/readyz');
  await database.pool.query(`insert into kysely_migration (name, timestamp) values ('9999_future', '2030-01-01')`);
  await database.pool.query('alter table imports rename is_check to is_preview');
  expect((await app.inject('/readyz')).statusCode).toBe(200);
});

test('a stopping server first reports not ready, still answers, and closes each connection with its next answer', async () => {
  const controller = new AbortController();
  const { app } = await useOwnApp({ stopping: controller.signal });
  expect((await app.inject('/healthz')).headers.connection).not.toBe('close');
  controller.abort();
  const answer = await app.inject('/readyz');
  expect(answer.statusCode).toBe(503);
  expect(answer.json()).toMatchObject({ code: 'not_ready' });
  const call = await app.inject('/api/v1/auth0/config/');
  expect(call.statusCode).toBe(200);
  expect(call.headers.connection).toBe('close');
});

test('a server that is closing answers as always, and accepts files for the next one', async () => {
  const { app, database } = await useTestApp();
  const brandId = await createTestBrand(database.db);
  const { headers } = await createTestMember(database.db, brandId, 'editor');
  const { promise: open, resolve: end } = Promise.withResolvers<void>();
  app.addHook('preClose', () => open);
  const url = await app.listen({ port: await freePort(), host: '127.0.0.1' });
  const closed = app.close();
  await setImmediate();
  const answers = await Promise.all(['/api/v1/auth0/config/', '/api/v1/brands/', '/healthz'].map((path) => fetch(url + path)));
  expect(answers.map(({ status }) => status)).toEqual([200, 401, 200]);
  expect(await answers[1]?.json()).toMatchObject({ code: 'unauthenticated', request_id: expect.any(String) });
  const body = new FormData();
  body.append('file', new Blob(['gtin,variant_name\n4006381333931,Salt\n'], { type: 'text/csv' }), 'products.csv');
  const upload = `${url}/api/v1/brands/${brandId}/variant-certifications/upload/`;
  const accepted = await fetch(upload, { method: 'POST', headers, body });
  expect(accepted.status).toBe(202);
  expect(await accepted.json()).toMatchObject({ import_id: expect.any(Number) });
  end();
  await closed;
});

test('concurrent readiness checks share one database query', async () => {
  const database = await useTestDatabase();
  let statements = 0;
  const gate = database.gate.withPlugin({
    transformQuery: ({ node }) => {
      statements += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const { app } = await useOwnApp({ database, gate });
  await app.inject('/readyz');
  const before = statements;
  await Promise.all(Array.from({ length: 50 }, () => app.inject('/readyz')));
  expect(statements - before).toBe(1);
});
