// @module-tag empty-installation
import { once } from 'node:events';
import { connect } from 'node:net';
import { sql } from 'kysely';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { createTestBrand } from '../../test/people.ts';
import { useTestDatabase } from '../../test/test-database.ts';
import { openDatabase } from './database.ts';
import { codeOfDatabaseError } from './pg-errors.ts';

/** Runs two transactions on two brands. Returns the error of the one that fails. */
async function collide(begin: string, work: (first: pg.PoolClient, second: pg.PoolClient) => Promise<unknown>) {
  const { db, pool } = await useTestDatabase();
  for (const name of ['a', 'b']) await createTestBrand(db, name);
  const clients = [await pool.connect(), await pool.connect()] as const;
  try {
    for (const client of clients) await client.query(begin);
    return await work(...clients).catch((error: unknown) => error);
  } finally {
    for (const client of clients) client.release(true);
  }
}

const rename = (name: string) => `update brands set name = name || '!' where name like '${name}%'`;

test('a transaction that failed with a deadlock can be retried', async () => {
  const error = await collide('begin', async (first, second) => {
    await first.query(rename('a'));
    await second.query(rename('b'));
    await Promise.all([first.query(rename('b')), second.query(rename('a'))]);
  });
  expect(error).toMatchObject({ code: '40P01' });
  expect(codeOfDatabaseError(error)).toBe('database_unavailable');
});

test('a transaction that failed because of a concurrent change can be retried', async () => {
  const error = await collide('begin isolation level repeatable read', async (first, second) => {
    await first.query('select from brands');
    await second.query(`${rename('a')}; commit`);
    await first.query(rename('a'));
  });
  expect(error).toMatchObject({ code: '40001' });
  expect(codeOfDatabaseError(error)).toBe('database_unavailable');
});

test('a list that takes longer than the browser waits is ended, and can be retried', async () => {
  const { lists } = await useTestDatabase();
  const { rows } = await sql<{ statement_timeout: string }>`show statement_timeout`.execute(lists);
  expect(rows).toEqual([{ statement_timeout: '10s' }]);
  const error = await collide('begin', (first) => first.query('set local statement_timeout = 20; select pg_sleep(60)'));
  expect(error).toMatchObject({ code: '57014' });
  expect(codeOfDatabaseError(error)).toBe('database_unavailable');
});

test('a write that reaches a standby while the database fails over can be retried', async () => {
  const error = await collide('begin read only', (first) => first.query(rename('a')));
  expect(error).toMatchObject({ code: '25006' });
  expect(codeOfDatabaseError(error)).toBe('database_unavailable');
});

test('an SQL error of our own is neither an outage nor retryable', async () => {
  const error = await collide('begin', (first) => first.query('select from nothing'));
  expect(error).toMatchObject({ code: '42P01' });
  expect(codeOfDatabaseError(error)).toBeUndefined();
});

test('a refused connection counts as a database outage only if it was to the database', async () => {
  const [elsewhere] = await once(
    connect(1, '127.0.0.1').on('error', () => {}),
    'error',
  ).catch((error) => [error]);
  expect(elsewhere).toMatchObject({ code: 'ECONNREFUSED' });
  expect(codeOfDatabaseError(elsewhere)).toBeUndefined();

  const { pool, db, close } = openDatabase('postgres://nobody@127.0.0.1:1/nothing', () => {});
  const calls = [() => db.selectFrom('brands').selectAll().execute(), () => pool.query('select 1'), () => pool.connect()] as const;
  for (const call of calls) {
    const error = await call().catch((error: unknown) => error);
    expect(error).toMatchObject({ code: 'ECONNREFUSED' });
    expect(codeOfDatabaseError(error)).toBe('database_unavailable');
  }
  await close();
});

test('a connection that is lost in the middle of a query is an outage', async () => {
  const { pool } = await useTestDatabase();
  const victim = await pool.connect();
  const { rows } = await victim.query('select pg_backend_pid() as pid');
  const query = victim.query('select pg_sleep(60)').catch((error: unknown) => error);
  await pool.query('select pg_terminate_backend($1::int)', [rows[0].pid]);
  expect(codeOfDatabaseError(await query)).toBe('database_unavailable');
  const after = await victim.query('select 1').catch((error: unknown) => error);
  expect(codeOfDatabaseError(after)).toBe('database_unavailable');
  victim.release(true);
});
