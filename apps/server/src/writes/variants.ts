import { EDITABLE_FIELDS, VARIANT_FIELDS, type VariantDetails } from '@brand-portal/contract/variant-fields';
import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { BRAND_TABLES } from '../db/distribute.ts';
import type { Condition, Ids, Rows, Value } from '../db/fragments.ts';
import { readIds } from '../db/statements.ts';
import { endConnection, queueDeliveries, type VariantKey, withdrawDeliveries } from './deliveries.ts';
import { scheduleWork } from './due-work.ts';
import { recountLater } from './kept-counts.ts';
import { refreshStatisticsLater } from './statistics.ts';

/**
 * All writes of variants. Each function does the write and its consequences: counts, search index, deliveries. Call them in a transaction
 * that has locked the brand (brand-lock.ts).
 *
 * Sets of variants are conditions or subqueries, so one variant and 100,000 take the same statements. A large set is read first and
 * compared as a value (`readIds`), which gets a good plan even if PostgreSQL has no statistics of the brand yet.
 */

const ALL: Condition = sql`true`;

export function variantWithId(id: number): Condition {
  return sql`id = ${id}`;
}

export function variantsWithIds(ids: readonly number[]): Condition {
  return sql`id = any (${ids}::bigint[])`;
}

export async function variantsOf(db: Db, ids: Ids): Promise<Condition> {
  return sql`id = any (${await readIds(db, ids)})`;
}

/** `gtin14` of a table's rows: GTINs are compared and searched in this form. */
export const gtin14Of = (table: string): Value<string> => sql`lpad(${sql.ref(`${table}.gtin`)}, 14, '0')`;
/** `name_key` of a table's rows: names are compared, searched and sorted in this form. */
export const nameKeyOf = (table: string): Value<string> => sql`search_key(${sql.ref(`${table}.name`)})`;

/** The fields of a variant as one JSON object. */
export const fieldsOf = (name: string, category: string, details: string): Value<Record<string, string>> =>
  sql`(${sql.ref(details)} || jsonb_build_object('name', ${sql.ref(name)}, 'category', ${sql.ref(category)}))`;

/** Of such an object, what is stored as `details`. */
export const detailsOf = (fields: string): Value<VariantDetails> => sql`(${sql.ref(fields)} - '{name,category}'::text[])`;

/**
 * Two questions. What has changed: the keys of a JSON object (`fields`). Whether Google must get the product again: if one of these is sent.
 */
export const isSent = (fields: string): Condition =>
  sql`${sql.ref(fields)} ?| ${EDITABLE_FIELDS.filter((field) => VARIANT_FIELDS[field].isSent)}::text[]`;

/**
 * A condition on rows of `variants` and `deleted_variants`: their fields have changed since they were created. The column `version` counts
 * changes, and undos count it down. What the API calls `version` is `change_count`, which only grows.
 */
export const hasOwnChanges = (table: string): Condition => sql`${sql.ref(`${table}.version`)} > 1`;

/** The inserted variants: how many, with ids greater than `after` and up to `to`. */
export interface Inserted {
  readonly count: number;
  readonly after: number;
  readonly to: number;
}

export interface VariantFields {
  readonly brand_id: number;
  readonly gtin: string;
  readonly name: string;
  readonly category: string;
  readonly details: VariantDetails;
}

export interface NewVariant extends VariantFields {
  readonly published: boolean;
  readonly has_certs: boolean;
}

/** Ids are assigned in the order of the rows. */
export async function insertVariants(db: Db, brandId: number, rows: Rows<NewVariant>): Promise<Inserted> {
  const before = await findLastId(db, 'variants', brandId);
  const { numAffectedRows } = await sql`
    insert into variants (brand_id, gtin, name, category, details, published, has_certs, gtin14, name_key)
    select r.*, ${gtin14Of('r')}, ${nameKeyOf('r')} from (${rows}) r (brand_id, gtin, name, category, details, published, has_certs)
  `.execute(db);
  if (!numAffectedRows) return { count: 0, after: before, to: before };
  await refreshStatisticsLater(db, 'variants', numAffectedRows);
  // Ids only increase, and the lock excludes other inserts into this brand. They are beyond `indexed_to`, so searches read them without the
  // index.
  const isNew: Condition = sql`id > ${before}`;
  await scheduleWork(db, brandId, 'index_variants');
  const counted = await sql<VariantCounts>`
    select count(*) as total, count(*) filter (where published) as published, count(*) filter (where has_certs) as certified,
      count(*) filter (where published and has_certs) as published_certified
    from variants where brand_id = ${brandId} and ${isNew}
  `.execute(db);
  const counts = counted.rows[0] ?? {};
  await addToCounts(db, brandId, counts);
  await recountLater(db, brandId);
  if (counts.published) {
    await queueDeliveries(db, brandId, sql`select brand_id, id from variants where brand_id = ${brandId} and ${isNew} and published`);
  }
  return { count: Number(numAffectedRows), after: before, to: await findLastId(db, 'variants', brandId) };
}

export interface ChangedVariants {
  readonly rows: Rows<VariantFields>;
  /** Read after the update: which fields have changed, as the keys of an object or as a list. */
  readonly changed: Rows<VariantKey & { readonly fields: unknown; readonly published: boolean }>;
}

/**
 * Sets names, categories and details of existing variants. An insert that always conflicts, because that finds rows by their key whatever
 * the statistics are; it fails if one does not conflict.
 */
export async function updateVariants(
  db: Db,
  brandId: number,
  { rows, changed }: ChangedVariants,
  how: 'change' | 'take back' = 'change',
): Promise<number> {
  // An undo restores the version from before the change, so that an earlier change can be undone as well.
  const step = how === 'change' ? 1 : -1; // Not a parameter below: Citus cannot tell its type.
  const before = await findLastId(db, 'variants', brandId);
  const { numAffectedRows } = await sql`
    insert into variants (brand_id, gtin, name, category, details, gtin14, name_key)
    select r.*, ${gtin14Of('r')}, ${nameKeyOf('r')} from (${rows}) r (brand_id, gtin, name, category, details)
    on conflict (brand_id, gtin14) do update
    set name = excluded.name, name_key = excluded.name_key, category = excluded.category, details = excluded.details,
      version = variants.version + ${sql.lit(step)}, change_count = variants.change_count + 1
  `.execute(db);
  if (!numAffectedRows) return 0;
  if ((await findLastId(db, 'variants', brandId)) !== before) throw new Error('An update met variants that do not exist');
  const changedWhere = (condition: Condition): Rows<VariantKey> =>
    sql`select brand_id, id from (${changed}) c (brand_id, id, fields, published) where ${condition}`;
  const renamed = changedWhere(sql`fields ? 'name'`);
  await sql`
    delete from variant_search where brand_id = ${brandId} and variant_id = any (array(select id from (${renamed}) r))
  `.execute(db);
  const waiting = await sql`
    insert into variant_search_waiting (brand_id, variant_id)
    select brand_id, id from (${renamed}) r where id <= ${indexedTo(brandId)}
    on conflict do nothing
  `.execute(db);
  if (waiting.numAffectedRows) await scheduleWork(db, brandId, 'index_variants');
  await queueDeliveries(db, brandId, changedWhere(sql`published and ${isSent('fields')}`));
  await recountLater(db, brandId);
  return Number(numAffectedRows);
}

/** Returns how many of them were not published before. */
export async function publishVariants(db: Db, brandId: number, which = ALL): Promise<number> {
  const isUnpublished: Condition = sql`not published and ${which}`;
  await queueDeliveries(db, brandId, sql`select brand_id, id from variants where brand_id = ${brandId} and ${isUnpublished}`);
  return setPublished(db, brandId, true, isUnpublished);
}

/** Returns how many of them were published before. */
export async function unpublishVariants(db: Db, brandId: number, which = ALL): Promise<number> {
  const isPublished: Condition = sql`published and ${which}`;
  await withdrawDeliveries(db, brandId, sql`select id from variants where brand_id = ${brandId} and ${isPublished}`);
  return setPublished(db, brandId, false, isPublished);
}

async function setPublished(db: Db, brandId: number, published: boolean, which: Condition): Promise<number> {
  const { rows } = await sql<{ variants: number; certified: number }>`
    with changed as (update variants set published = ${published} where brand_id = ${brandId} and ${which} returning has_certs)
    select count(*) as variants, count(*) filter (where has_certs) as certified from changed
  `.execute(db);
  const { variants, certified } = rows[0] ?? { variants: 0, certified: 0 };
  const sign = published ? 1 : -1;
  await addToCounts(db, brandId, { published: sign * variants, published_certified: sign * certified });
  return variants;
}

/** Returns how many it deleted. */
export async function deleteVariants(db: Db, brandId: number, which = ALL): Promise<number> {
  const chosen: Ids = sql`select id from variants where brand_id = ${brandId} and ${which}`;
  await withdrawDeliveries(db, brandId, chosen);
  const ids = await readIds(db, chosen);
  for (const table of ['variant_certificates', 'variant_search', 'variant_search_waiting'] as const) {
    await sql`delete from ${sql.table(table)} where brand_id = ${brandId} and variant_id = any (${ids})`.execute(db);
  }
  const { rows } = await sql<VariantCounts>`
    with gone as (delete from variants where brand_id = ${brandId} and ${which} returning published, has_certs)
    select -count(*) as total, -count(*) filter (where published) as published, -count(*) filter (where has_certs) as certified,
      -count(*) filter (where published and has_certs) as published_certified
    from gone
  `.execute(db);
  await addToCounts(db, brandId, rows[0] ?? {});
  await recountLater(db, brandId);
  return -(rows[0]?.total ?? 0);
}

/**
 * Call it after changing links: `which` are the variants that now have certificates, or now have none. Uses `is distinct from`, which no
 * index supports: for `<>` the planner took an index that begins with has_certs and compared every variant of the brand with every id
 * (measured: an import of a million rows did not finish).
 */
export async function setHasCerts(db: Db, brandId: number, hasCerts: boolean, which: Condition): Promise<void> {
  const { rows } = await sql<{ variants: number; published: number }>`
    with changed as (
      update variants set has_certs = ${hasCerts} where brand_id = ${brandId}
        and has_certs is distinct from ${hasCerts} and ${which}
      returning published
    )
    select count(*) as variants, count(*) filter (where published) as published from changed
  `.execute(db);
  const { variants, published } = rows[0] ?? { variants: 0, published: 0 };
  const sign = hasCerts ? 1 : -1;
  await addToCounts(db, brandId, { certified: sign * variants, published_certified: sign * published });
}

/** Variants with larger ids are not in the search index yet. */
export const indexedTo = (brandId: number): Value<number> =>
  sql`coalesce((select indexed_to from variant_counts where brand_id = ${brandId}), 0)`;

/** Adds up to `limit` variants to the search index. Returns how many. Call it under the brand's lock. */
export async function indexPendingVariants(db: Db, brandId: number, limit: number): Promise<number> {
  const renamed: Ids = sql`select variant_id from variant_search_waiting where brand_id = ${brandId} order by variant_id limit ${limit}`;
  const again = await insertSearchRows(db, brandId, renamed);
  if (again > 0) {
    await sql`
      delete from variant_search_waiting where brand_id = ${brandId} and variant_id = any (array(${renamed}))
    `.execute(db);
    return again;
  }
  const added: Ids = sql`select id from variants where brand_id = ${brandId} and id > ${indexedTo(brandId)} order by id limit ${limit}`;
  const indexed = await insertSearchRows(db, brandId, added);
  if (indexed > 0) {
    await sql`
      update variant_counts set indexed_to = (select max(id) from (${added}) added) where brand_id = ${brandId}
    `.execute(db);
  }
  return indexed;
}

async function insertSearchRows(db: Db, brandId: number, ids: Ids): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into variant_search (brand_id, variant_id, created_at, name_key, gtin14)
    select brand_id, id, created_at, name_key, gtin14 from variants where brand_id = ${brandId} and id = any (array(${ids}))
  `.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** Deletes all data of a brand except its history and its deliveries, which a job withdraws. */
export async function deleteBrandData(db: Db, brandId: number): Promise<void> {
  await deleteVariants(db, brandId);
  await endConnection(db, brandId);
  const kept: readonly string[] = ['audit_log', 'deliveries', 'channel_connections'];
  const tables = BRAND_TABLES.filter((table) => !kept.includes(table));
  for (const table of tables) await sql`delete from ${sql.table(table)} where brand_id = ${brandId}`.execute(db);
  await sql`delete from due_work where brand_id = ${brandId} and kind not in ('deliver', 'end_connections', 'purge_history')`.execute(db);
}

export interface VariantCounts {
  readonly total?: number;
  readonly published?: number;
  readonly certified?: number;
  readonly published_certified?: number;
}

export async function addToCounts(db: Db, brandId: number, difference: VariantCounts): Promise<void> {
  const { total = 0, published = 0, certified = 0, published_certified = 0 } = difference;
  if (!total && !published && !certified && !published_certified) return;
  await sql`
    insert into variant_counts as known (brand_id, total, published, certified, published_certified)
    values (${brandId}, ${total}, ${published}, ${certified}, ${published_certified})
    on conflict (brand_id) do update set total = known.total + excluded.total, published = known.published + excluded.published,
      certified = known.certified + excluded.certified,
      published_certified = known.published_certified + excluded.published_certified
  `.execute(db);
}

/**
 * Includes deleted variants that can be restored: an import takes all ids beyond this as its own, so its undo would delete a variant that
 * was restored among them.
 */
export async function findLastId(db: Db, table: 'variants' | 'certificates', brandId: number): Promise<number> {
  const last = (table: string): Value<number | null> =>
    sql`(select id from ${sql.table(table)} where brand_id = ${brandId} order by brand_id desc, id desc limit 1)`;
  const { rows } = await sql<{ id: number | null }>`
    select greatest(${last(table)}, ${table === 'variants' ? last('deleted_variants') : 0}) as id
  `.execute(db);
  return rows[0]?.id ?? 0;
}
