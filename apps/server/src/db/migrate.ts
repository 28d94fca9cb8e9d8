import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { type Migration, Migrator, type MigratorProps } from 'kysely/migration';
import pg from 'pg';
import { StartupError } from '../lib/errors.ts';
import type { Db } from './database.ts';
import { distribute, isDistributed } from './distribute.ts';
import { listMissing } from './schema-check.ts';
import { setForTransaction } from './statements.ts';

/** PostgreSQL's `raise exception`. */
const RAISED = 'P0001';
const UNDEFINED_TABLE = '42P01';
/** A line of a migration that includes a file, as in psql. */
const INCLUDE = /^\\i (\S+)$/gm;

/** A folder of migrations, beside it the schema after all of them, and the table that records which were applied. */
export interface Migrations extends Pick<MigratorProps, 'migrationTableSchema' | 'migrationTableName' | 'migrationLockTableName'> {
  readonly folder: string;
}

const OWN: Migrations = { folder: join(import.meta.dirname, 'migrations') };

/** Applies missing migrations in order, under a lock, so that several starting servers do not run them at once. */
export async function migrate(db: Db, migrations = OWN): Promise<string[]> {
  await refuseChanged(db, migrations);
  const { error, results = [] } = await createMigrator(db, migrations).migrateToLatest();
  const failed = results.find((result) => result.status === 'Error');
  const unknown = /previously executed migration (\S+) is missing/.exec(error instanceof Error ? error.message : '')?.[1];
  if (unknown) throw new StartupError(belongsToOther(unknown));
  // A migration that cannot continue raises an exception with the reason and what the operator can do.
  if (error instanceof pg.DatabaseError && error.code === RAISED) throw new StartupError(error.message);
  if (error) {
    throw new Error(`The migration ${failed?.migrationName ?? 'of the database'} failed`, { cause: error });
  }
  await recordChecksums(db, migrations);
  // On a cluster, new tables are distributed too. Also repairs a start that was interrupted in between.
  if (await isDistributed(db)) await distribute(db);
  return results.map((result) => result.migrationName);
}

const MAX_NAMED = 10;

/** Why this code cannot use the database, in one sentence. Undefined if it can. */
export async function findSchemaProblem(db: Db, migrations = OWN): Promise<string | undefined> {
  const applied = (await listApplied(db, migrations)).map(({ name }) => name);
  const known = [...(await readChecksums(migrations)).keys()];
  const pending = known.filter((name) => !applied.includes(name));
  if (pending.length > 0) {
    return `The database is not up to date: start the server once to apply ${pending.join(', ')}.`;
  }
  const unknown = applied.find((name) => !known.includes(name));
  if (unknown) return belongsToOther(unknown);
  const missing = await listMissing(db, join(migrations.folder, '../schema.txt'), migrations.migrationTableSchema);
  if (missing.length === 0) return undefined;
  const more = missing.length > MAX_NAMED ? ` and ${missing.length - MAX_NAMED} more` : '';
  return `The database lacks ${missing.slice(0, MAX_NAMED).join(', ')}${more}, although all migrations are applied: restore a backup.`;
}

/** For commands that run while a server runs. */
export async function checkMigrated(db: Db, migrations = OWN): Promise<void> {
  const problem = await findSchemaProblem(db, migrations);
  if (problem) throw new StartupError(problem);
}

function belongsToOther(unknown: string): string {
  return `The database belongs to another version of the portal, because this one does not know its migration ${unknown}: start the version that applied it, or a later one.`;
}

interface Applied {
  readonly name: string;
  /** Null: applied by a version that kept none. */
  readonly checksum: string | null;
}

/** Kysely's table has the checksum as a further column. */
const notesOf = ({ migrationTableSchema, migrationTableName = 'kysely_migration' }: Migrations) =>
  sql.table(migrationTableSchema ? `${migrationTableSchema}.${migrationTableName}` : migrationTableName);

async function listApplied(db: Db, migrations: Migrations): Promise<Applied[]> {
  const { rows } = await sql<Applied>`
    select name, to_jsonb(applied)->>'checksum' as checksum from ${notesOf(migrations)} applied order by name
  `
    .execute(db)
    .catch((error: unknown) => {
      if (error instanceof pg.DatabaseError && error.code === UNDEFINED_TABLE) return { rows: [] };
      throw error;
    });
  return rows;
}

/** A file that differs from what was applied would describe another database than this one. */
async function refuseChanged(db: Db, migrations: Migrations): Promise<void> {
  const checksums = await readChecksums(migrations);
  for (const { name, checksum } of await listApplied(db, migrations)) {
    if (checksum === null || checksum === (checksums.get(name) ?? checksum)) continue;
    throw new StartupError(`The migration ${name} is not as it was when this database was migrated: restore its file as it was released.`);
  }
}

async function recordChecksums(db: Db, migrations: Migrations): Promise<void> {
  const missing = (await listApplied(db, migrations)).filter(({ checksum }) => checksum === null);
  if (missing.length === 0) return;
  const checksums = await readChecksums(migrations);
  const notes = notesOf(migrations);
  await sql`alter table ${notes} add column if not exists checksum text`.execute(db);
  for (const { name } of missing) {
    await sql`update ${notes} set checksum = ${checksums.get(name)} where name = ${name} and checksum is null`.execute(db);
  }
}

function createMigrator(db: Db, { folder, ...notes }: Migrations): Migrator {
  return new Migrator({ db, provider: { getMigrations: () => readMigrations(folder) }, ...notes });
}

async function readMigrations(folder: string): Promise<Record<string, Migration>> {
  const migrations = await Promise.all(
    (await listFiles(folder)).map(async (file) => {
      const text = await readWithIncludes(folder, file);
      const up = async (db: Parameters<Migration['up']>[0]) => {
        // On a cluster: a transaction that has written to a table on every node can change its other tables only node by node.
        await setForTransaction(db, { 'citus.multi_shard_modify_mode': 'sequential' });
        // Statement by statement: Citus sends the nodes the whole text that a change of a table came in.
        await sql.raw(`do $migration_file$ begin\n${text}\nend $migration_file$`).execute(db);
      };
      return [nameOf(file), { up }] as const;
    }),
  );
  return Object.fromEntries(migrations);
}

/** Of each migration's own text, without what it includes: functions are changed by later migrations. */
async function readChecksums({ folder }: Migrations): Promise<Map<string, string>> {
  const files = await listFiles(folder);
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  const checksum = (text: string) => createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex');
  return new Map(files.map((file, place) => [nameOf(file), checksum(texts[place] ?? '')]));
}

async function listFiles(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
}

const nameOf = (file: string) => file.replace(/\.sql$/, '');

/** Functions of the database are in separate files with their current text. A migration that changes one includes it again. */
async function readWithIncludes(folder: string, file: string): Promise<string> {
  const text = await readFile(join(folder, file), 'utf8');
  const included = new Map<string, string>();
  for (const [line, path = ''] of text.matchAll(INCLUDE)) {
    included.set(line, await readFile(join(folder, '..', path), 'utf8'));
  }
  return text.replace(INCLUDE, (line) => included.get(line) ?? line);
}
