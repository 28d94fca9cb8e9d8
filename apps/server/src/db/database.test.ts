// @module-tag empty-installation
import type { AddressInfo } from 'node:net';
import { createServer, Socket } from 'node:net';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { readDump } from '../../test/schema.ts';
import { useTestDatabase } from '../../test/test-database.ts';
import { StartupError } from '../lib/errors.ts';
import { checkDatabase, inTransaction, openDatabase } from './database.ts';
import { migrate } from './migrate.ts';

/** A fake PostgreSQL that only reports its version. */
async function useServerOfVersion(versionNumber: string): Promise<string> {
  const message = (type: string, body: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(body.length + 4);
    return Buffer.concat([Buffer.from(type), length, body]);
  };
  const text = (value: string) => Buffer.from(`${value}\0`);
  const int16 = (value: number) => Buffer.from([value >> 8, value & 255]);
  const int32 = (value: number) => Buffer.from([0, 0, value >> 8, value & 255]);
  const ready = message('Z', Buffer.from('I'));
  const column = Buffer.concat([text('number'), int32(0), int16(0), int32(23), int16(4), int32(0), int16(0)]);
  const answer = Buffer.concat([
    message('1', Buffer.alloc(0)),
    message('2', Buffer.alloc(0)),
    message('T', Buffer.concat([int16(1), column])),
    message('D', Buffer.concat([int16(1), int32(versionNumber.length), Buffer.from(versionNumber)])),
    message('C', text('SELECT 1')),
    ready,
  ]);
  const speak = (socket: Socket) => {
    socket.once('data', () => {
      socket.write(Buffer.concat([message('R', int32(0)), ready]));
      socket.on('data', () => socket.write(answer));
    });
    socket.on('error', () => {});
  };
  const server = createServer(speak);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `postgres://user@127.0.0.1:${(server.address() as AddressInfo).port}/db`;
}

test('a PostgreSQL older than 15 is refused in one sentence that names its version', async () => {
  const database = openDatabase(await useServerOfVersion('140011'), () => {});
  await expect(checkDatabase(database.db)).rejects.toThrow(
    'PostgreSQL 15 or newer is needed, but DATABASE_URL names a server of version 14.',
  );
  await database.close();
});

test('an unreachable database is reported in one sentence without the password', async () => {
  const database = openDatabase('postgres://user:hunter2@127.0.0.1:1/db', () => {});
  const failure = await checkDatabase(database.db).catch((error: Error) => error.message);
  expect(failure).toMatch(/^The database that DATABASE_URL names cannot be reached: .*ECONNREFUSED.*\.$/);
  expect(failure).not.toContain('hunter2');
  await database.close();
});

test('a connection is given up if the machine of the database vanishes during a query', async () => {
  const keepAlive = vi.spyOn(Socket.prototype, 'setKeepAlive');
  onTestFinished(() => keepAlive.mockRestore());
  const database = openDatabase(await useServerOfVersion('180000'), () => {});
  await checkDatabase(database.db);
  expect(keepAlive).toHaveBeenCalledWith(true, 10_000);
  await database.close();
});

test('a failed transaction is rolled back as a whole, with the transactions nested in it', async () => {
  const { db, pool } = await useTestDatabase();
  const addUser = (handle: typeof db, email: string) => handle.insertInto('users').values({ email }).execute();
  const failing = inTransaction(db, async (db) => {
    await addUser(db, 'outer@example.com');
    await inTransaction(db, (db) => addUser(db, 'inner@example.com'));
    throw new Error('too late');
  });
  await expect(failing).rejects.toThrow('too late');
  expect((await pool.query('select * from users')).rows).toEqual([]);
});

// Dropping everything in a cluster's database would drop Citus too.
test.skipIf(inject('postgresUrls').length > 1)('servers that start together migrate once', async () => {
  const { url, pool } = await useTestDatabase();
  await pool.query('drop schema public cascade');
  await pool.query('create schema public');
  const databases = [openDatabase(url, () => {}), openDatabase(url, () => {}), openDatabase(url, () => {})];
  const applied = await Promise.all(databases.map(({ db }) => migrate(db)));
  await Promise.all(databases.map((database) => database.close()));
  expect(applied.filter((names) => names.length > 0)).toHaveLength(1);
  const { rows } = await pool.query('select name from kysely_migration order by name');
  expect(rows.map(({ name }) => name)).toEqual(applied.flat());
});

test('a server that is older than its database does not start, names the unknown migration, and changes nothing', async () => {
  const { db, pool } = await useTestDatabase();
  await pool.query("insert into kysely_migration values ('9999_future', '2030-01-01')");
  const describeSchema = async () => ({
    schema: await readDump(pool, 'public'),
    migrations: (await pool.query('select * from kysely_migration order by name')).rows,
  });
  const before = await describeSchema();
  await expect(migrate(db)).rejects.toThrow('does not know its migration 9999_future');
  await expect(migrate(db)).rejects.toBeInstanceOf(StartupError);
  expect(await describeSchema()).toEqual(before);
});
