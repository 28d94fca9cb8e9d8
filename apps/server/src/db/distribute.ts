import { type RawBuilder, sql } from 'kysely';
import { StartupError } from '../lib/errors.ts';
import { type Db, inTransaction } from './database.ts';
import { setForTransaction } from './statements.ts';

/** Shared by all brands, and small. Every node has a copy. */
export const REFERENCE_TABLES = [
  'certifying_bodies',
  'certifications',
  'registries',
  'registry_certificates',
  'registry_previous',
] as const;

/** Rows of brands. All rows of one brand are on the same node, and every statement names one brand. */
export const BRAND_TABLES = [
  'audit_log',
  'certificate_notices',
  'variants',
  'certificates',
  'variant_certificates',
  'variant_counts',
  'kept_counts',
  'variant_search',
  'variant_search_waiting',
  'audit_variants',
  'audit_certificates',
  'deletions',
  'deleted_variants',
  'channel_connections',
  'deliveries',
  'delivery_issues',
  'imports',
  'import_mappings',
  'import_rejected_rows',
  'import_files',
  'import_rows',
  'import_plan',
  'import_changes',
  'import_certificate_links',
  'import_links',
] as const;

/** To move a brand while it is written to, Citus uses logical replication, which needs a key. */
const REPLICATION_REQUIREMENTS: Partial<Record<(typeof BRAND_TABLES)[number], RawBuilder<never>>> = {
  import_links: sql`alter table import_links add primary key (brand_id, import_id, variant_id, certificate_id)`,
};

/**
 * Distributes the brands over the nodes of a Citus cluster, with existing rows. Returns the tables that were not distributed before.
 * Idempotent; migrations run it for the tables that they add.
 */
export function distribute(db: Db): Promise<string[]> {
  return inTransaction(db, async (db) => {
    // Only one of several starting servers runs this at a time.
    await sql`select pg_advisory_xact_lock(hashtext('distribute'))`.execute(db);
    const distributed = await listDistributedTables(db);
    const isMissing = (table: string) => !distributed.includes(table);
    const reference = REFERENCE_TABLES.filter(isMissing);
    const own = BRAND_TABLES.filter(isMissing);
    const missing = [...reference, ...own];
    if (missing.length === 0) return [];
    // Sequential, because it is one transaction with one connection per node.
    await setForTransaction(db, { 'citus.multi_shard_modify_mode': 'sequential' });
    // A table that refers to a distributed one cannot be distributed. So its foreign keys are dropped and added again afterwards.
    const foreignKeys = await listForeignKeys(db, missing);
    for (const { table, name } of foreignKeys) {
      await sql`alter table ${sql.table(table)} drop constraint ${sql.ref(name)}`.execute(db);
    }
    for (const table of reference) await sql`select create_reference_table(${table})`.execute(db);
    for (const table of own) {
      await REPLICATION_REQUIREMENTS[table]?.execute(db);
      const colocated = table === BRAND_TABLES[0] ? 'default' : BRAND_TABLES[0];
      await sql`select create_distributed_table(${table}, 'brand_id', colocate_with => ${colocated})`.execute(db);
    }
    // The rows are on the nodes now; this frees the space of the hidden local copy.
    await sql`select truncate_local_data_after_distributing_table(t::regclass) from unnest(${own}::text[]) t`.execute(db);
    for (const { table, name, definition } of foreignKeys) {
      await sql`alter table ${sql.table(table)} add constraint ${sql.ref(name)} ${sql.raw(definition)}`.execute(db);
    }
    return missing;
  });
}

/** False without Citus. */
export async function isDistributed(db: Db): Promise<boolean> {
  return (await hasCitus(db)) && (await listDistributedTables(db)).length > 0;
}

async function listDistributedTables(db: Db): Promise<string[]> {
  if (!(await hasCitus(db))) {
    throw new StartupError(
      'The database is not part of a Citus cluster: run "create extension citus" in it and add its workers first (docs/OPERATIONS.md).',
    );
  }
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_dist_partition join pg_class on oid = logicalrelid
  `.execute(db);
  return rows.map(({ name }) => name);
}

export async function hasCitus(db: Db): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_extension where extname = 'citus'`.execute(db);
  return rows.length > 0;
}

async function listForeignKeys(db: Db, tables: readonly string[]) {
  const { rows } = await sql<{ table: string; name: string; definition: string }>`
    select relname as table, conname as name, pg_get_constraintdef(k.oid) as definition
    from pg_constraint k join pg_class t on t.oid = k.conrelid
    where contype = 'f' and relname = any (${tables})
  `.execute(db);
  return rows;
}
