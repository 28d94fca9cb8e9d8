// @module-tag empty-installation
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { useTestDatabase } from '../../test/test-database.ts';
import { StartupError } from '../lib/errors.ts';
import { type Database, openDatabase } from './database.ts';
import { BRAND_TABLES } from './distribute.ts';
import { findSchemaProblem, type Migrations, migrate } from './migrate.ts';

/** A database without any migration. Without the check of statements: migrations write rows of all brands. */
async function useEmptyDatabase(): Promise<Database> {
  const { url } = await useTestDatabase();
  const database = openDatabase(url, () => {});
  onTestFinished(database.close);
  await database.pool.query('drop schema public cascade; create schema public');
  return database;
}

async function listTables({ pool }: Pick<Database, 'pool'>): Promise<string[]> {
  const { rows } = await pool.query(
    `select table_name from information_schema.tables
     where table_schema = 'public' and table_name not like 'kysely%' order by 1`,
  );
  return rows.map(({ table_name }) => table_name);
}

describe('an empty database', () => {
  test('gets the whole schema, and a second run changes nothing', async () => {
    const database = await useEmptyDatabase();
    const whole = await listTables(await useTestDatabase());
    expect(whole.length).toBeGreaterThan(20);
    expect(await findSchemaProblem(database.db)).toContain('start the server once to apply 0001_baseline, ');
    expect((await migrate(database.db))[0]).toBe('0001_baseline');
    expect(await listTables(database)).toEqual(whole);
    expect(await migrate(database.db)).toEqual([]);
    expect(await findSchemaProblem(database.db)).toBeUndefined();
  });

  test('is migrated once by servers that start at the same time', async () => {
    const { db } = await useEmptyDatabase();
    const applied = await Promise.all([migrate(db), migrate(db), migrate(db)]);
    expect(applied.map((names) => names.length > 0).sort()).toEqual([false, false, true]);
  });

  test('stays empty when a migration fails, and can be migrated after that', async () => {
    const database = await useEmptyDatabase();
    await database.pool.query('create table deliveries ()');
    await expect(migrate(database.db)).rejects.toThrow('The migration 0001_baseline failed');
    expect(await listTables(database)).toEqual(['deliveries']);
    await database.pool.query('drop table deliveries');
    expect(await migrate(database.db)).toContain('0001_baseline');
  });

  test('that cannot be migrated says why in one sentence', async () => {
    const { db, pool } = await useEmptyDatabase();
    await pool.query(`
      create schema probe;
      create function probe.refuse() returns event_trigger language plpgsql as $$
      begin
        if exists (select from pg_class where relname = 'kysely_migration_lock') and tg_tag = 'CREATE INDEX'
        then raise exception 'Please do this first.'; end if;
      end $$;
      create event trigger probe_refuse on ddl_command_start execute function probe.refuse()`);
    const failure = await migrate(db).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StartupError);
    expect((failure as Error).message).toBe('Please do this first.');
  });
});

test('a database with an unknown migration is not changed, and the error names the migration', async () => {
  const database = await useTestDatabase();
  const before = await listTables(database);
  await database.pool.query(`insert into kysely_migration (name, timestamp) values ('0000_older', '2026-01-01')`);
  const failure = await migrate(database.db).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(StartupError);
  expect((failure as Error).message).toContain('does not know its migration 0000_older');
  expect(await listTables(database)).toEqual(before);
});

describe('a migration that was applied', () => {
  async function useMigrations(text: string): Promise<{ database: Database; migrations: Migrations; write(text: string): void }> {
    const folder = mkdtempSync(join(tmpdir(), 'migrations-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    mkdirSync(join(folder, 'functions'));
    mkdirSync(join(folder, 'migrations'));
    writeFileSync(join(folder, 'functions/answer.sql'), 'create or replace function answer() returns int language sql return 42;');
    const write = (text: string) => writeFileSync(join(folder, 'migrations/0001_first.sql'), text);
    write(text);
    const database = await useEmptyDatabase();
    const migrations = { folder: join(folder, 'migrations') };
    await migrate(database.db, migrations);
    writeFileSync(join(folder, 'functions/answer.sql'), 'create or replace function answer() returns int language sql return 43;');
    return { database, migrations, write };
  }

  const TEXT = '\\i functions/answer.sql\ncreate table first (id int);\n';

  test('is refused in one sentence when its file is changed', async () => {
    const { database, migrations, write } = await useMigrations(TEXT);
    write(`${TEXT}create table second (id int);\n`);
    const failure = await migrate(database.db, migrations).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StartupError);
    expect((failure as Error).message).toBe(
      'The migration 0001_first is not as it was when this database was migrated: restore its file as it was released.',
    );
  });

  test('is not refused for other line ends, nor for a function that it includes and that is changed later', async () => {
    const { database, migrations, write } = await useMigrations(TEXT);
    write(TEXT.replaceAll('\n', '\r\n'));
    expect(await migrate(database.db, migrations)).toEqual([]);
  });

  test('by a version that kept no checksums gets that of its file', async () => {
    const { database, migrations, write } = await useMigrations(TEXT);
    await database.pool.query('alter table kysely_migration drop column checksum');
    expect(await migrate(database.db, migrations)).toEqual([]);
    write(`${TEXT}-- a comment\n`);
    await expect(migrate(database.db, migrations)).rejects.toThrow('is not as it was');
  });
});

test('there are no triggers', async () => {
  const { pool } = await useTestDatabase();
  const { rows } = await pool.query(
    `select t.tgname from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where not t.tgisinternal and c.relnamespace = 'public'::regnamespace`,
  );
  expect(rows).toEqual([]);
});

test('the keys of a brand’s tables begin with the brand, and refer to nothing but the brand and the catalogue', async () => {
  const { pool } = await useTestDatabase();
  const { rows } = await pool.query(
    `select c.relname as table, i.indexrelid::regclass::text as index, a.attname as first
     from pg_index i join pg_class c on c.oid = i.indrelid
     left join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
     where c.relname = any ($1) order by 1, 2`,
    [BRAND_TABLES],
  );
  expect(new Set(rows.map(({ table }) => table))).toEqual(new Set(BRAND_TABLES));
  // The gram index contains the brand in its grams, and an import belongs to one brand: with the brand in front, the planner takes this
  // index for questions that are the primary key's.
  const others = rows.filter(({ first }) => first !== 'brand_id');
  expect(others.map(({ index }) => index)).toEqual(['variant_certificates_import_idx', 'variant_search_grams_idx']);
  const { rows: references } = await pool.query(
    `select distinct f.relname as table from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_class f on f.oid = k.confrelid
     where k.contype = 'f' and c.relname = any ($1) order by 1`,
    [BRAND_TABLES],
  );
  expect(references.map(({ table }) => table)).toEqual(['certificates', 'certifications', 'variants']);
});
