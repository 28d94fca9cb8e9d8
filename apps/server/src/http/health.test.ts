import { expect, test } from 'vitest';
import { useTestApp } from '../../test/test-app.ts';

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
