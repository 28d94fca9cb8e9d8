import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { type Migration, Migrator, type MigratorProps } from 'kysely/migration';
import pg from 'pg';
import { StartupError } from '../errors.ts';
import type { Db } from './database.ts';
import { distribute, isDistributed } from './distribute.ts';
import { setForTransaction } from './statements.ts';

/** PostgreSQL's `raise exception`. */
const RAISED = 'P0001';
/** A line of a migration that includes a file, as in psql. */
const INCLUDE = /^\\i (\S+)$/gm;

/** A folder of migrations, and the table that records which were applied. */
export interface Migrations
  extends Pick<MigratorProps, 'migrationTableSchema' | 'migrationTableName' | 'migrationLockTableName'> {
  readonly folder: string;
}

const OWN: Migrations = { folder: join(import.meta.dirname, 'migrations') };

/** Applies missing migrations in order, under a lock, so that several starting servers do not run them at once. */
export async function migrate(db: Db, migrations = OWN): Promise<string[]> {
  const { error, results = [] } = await createMigrator(db, migrations).migrateToLatest();
  const failed = results.find((result) => result.status === 'Error');
  const unknown = /previously executed migration (\S+) is missing/.exec(
    error instanceof Error ? error.message : '',
  )?.[1];
  if (unknown) {
    throw new StartupError(
      `The database belongs to another version of the portal: this one does not know its migration ${unknown}. Start the version that applied it, or a later one.`,
    );
  }
  // A migration that cannot continue raises an exception with the reason and what the operator can do.
  if (error instanceof pg.DatabaseError && error.code === RAISED) throw new StartupError(error.message);
  if (error) {
    throw new Error(`The migration ${failed?.migrationName ?? 'of the database'} failed`, { cause: error });
  }
  // On a cluster, new tables are distributed too. Also repairs a start that was interrupted in between.
  if (await isDistributed(db)) await distribute(db);
  return results.map((result) => result.migrationName);
}

export async function listPendingMigrations(db: Db, migrations = OWN): Promise<string[]> {
  const known = await createMigrator(db, migrations).getMigrations();
  return known.filter((migration) => !migration.executedAt).map((migration) => migration.name);
}

/** For commands that run while a server runs. */
export async function checkMigrated(db: Db, migrations = OWN): Promise<void> {
  if ((await listPendingMigrations(db, migrations)).length === 0) return;
  throw new StartupError('The database is not up to date: start the server once to migrate it.');
}

function createMigrator(db: Db, { folder, ...notes }: Migrations): Migrator {
  return new Migrator({ db, provider: { getMigrations: () => readMigrations(folder) }, ...notes });
}

async function readMigrations(folder: string): Promise<Record<string, Migration>> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  const migrations = await Promise.all(
    files.map(async (file) => {
      const text = await readWithIncludes(folder, file);
      const up = async (db: Parameters<Migration['up']>[0]) => {
        // On a cluster: a transaction that has written to a table on every node can change its other tables only node by node.
        await setForTransaction(db, { 'citus.multi_shard_modify_mode': 'sequential' });
        // Statement by statement: Citus sends the nodes the whole text that a change of a table came in.
        await sql.raw(`do $migration_file$ begin\n${text}\nend $migration_file$`).execute(db);
      };
      return [file.replace(/\.sql$/, ''), { up }] as const;
    }),
  );
  return Object.fromEntries(migrations);
}

/** Functions of the database are in separate files with their current text. A migration that changes one includes it again. */
async function readWithIncludes(folder: string, file: string): Promise<string> {
  const text = await readFile(join(folder, file), 'utf8');
  const included = new Map<string, string>();
  for (const [line, path = ''] of text.matchAll(INCLUDE)) {
    included.set(line, await readFile(join(folder, '..', path), 'utf8'));
  }
  return text.replace(INCLUDE, (line) => included.get(line) ?? line);
}
