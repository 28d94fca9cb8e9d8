import { join } from 'node:path';
import type { Db } from '@brand-portal/server/db/database.ts';
import { checkMigrated, type Migrations, migrate } from '@brand-portal/server/db/migrate.ts';
import { type Kysely, sql } from 'kysely';
import type { EmbeddedSchema } from './schema.ts';

const MIGRATIONS: Migrations = {
  folder: join(import.meta.dirname, 'migrations'),
  migrationTableSchema: 'embedded',
  migrationTableName: 'kysely_embedded_migration',
  migrationLockTableName: 'kysely_embedded_migration_lock',
};

/** For statements that use only tables of the stand-ins. */
export const tables = (db: Db) => (db as unknown as Kysely<EmbeddedSchema>).withSchema('embedded');

/** Call it before a stand-in is used. A database whose server needs none does not get this schema. */
export function migrateTables(db: Db): Promise<string[]> {
  return migrate(db, MIGRATIONS);
}

/** Whether a stand-in was ever used here. */
export async function hasSchema(db: Db): Promise<boolean> {
  const { rows } = await sql`select from pg_namespace where nspname = 'embedded'`.execute(db);
  return rows.length > 0;
}

/** The same for the operator's commands, which migrate nothing. */
export async function hasTables(db: Db): Promise<boolean> {
  if (!(await hasSchema(db))) return false;
  await checkMigrated(db, MIGRATIONS);
  return true;
}
