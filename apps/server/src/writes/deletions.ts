import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { Condition, Rows, Value } from '../db/fragments.ts';
import { queueDeliveries, type VariantKey } from './deliveries.ts';
import { scheduleWork, setDueWork } from './due-work.ts';
import { recountLater } from './kept-counts.ts';
import { refreshStatisticsLater } from './statistics.ts';
import {
  addToCounts,
  deleteVariants,
  gtin14Of,
  hasOwnChanges,
  indexedTo,
  nameKeyOf,
  type VariantCounts,
  variantsWithIds,
} from './variants.ts';

/** Soft deletion of variants. Call it in a transaction that has locked the brand. */

/** What a deleted variant keeps of its row. */
const COPIED = ['brand_id', 'id', 'gtin', 'name', 'category', 'details', 'published', 'created_at', 'version', 'change_count'] as const;

const copiedColumns = (table = '') => sql.join(COPIED.map((column) => sql.ref(table ? `${table}.${column}` : column)));

interface Delete {
  readonly userId: number | null;
  /** Must be existing variants. */
  readonly ids: readonly number[];
  /** How long they can be restored. */
  readonly days: number;
}

/** Returns the id of the deletion. Certificates stay, even those that no variant has any more. */
export async function softDeleteVariants(db: Db, brandId: number, { userId, ids, days }: Delete): Promise<number> {
  const { id } = await db
    .insertInto('deletions')
    .values({ brand_id: brandId, user_id: userId, variants: ids.length })
    .returning('id')
    .executeTakeFirstOrThrow();
  const which = variantsWithIds(ids);
  const links = (column: string): Value<number[]> => sql`case when has_certs then array(
    select ${sql.ref(column)} from variant_certificates l
    where l.brand_id = ${brandId} and l.variant_id = variants.id order by certificate_id
  ) else '{}' end`;
  await sql`
    insert into deleted_variants (${copiedColumns()}, deletion_id, certificate_ids, import_ids)
    select ${copiedColumns()}, ${id}::bigint, ${links('certificate_id')}, ${links('import_id')}
    from variants where brand_id = ${brandId} and ${which}
  `.execute(db);
  await deleteVariants(db, brandId, which);
  await scheduleWork(db, brandId, 'purge_deletions', { inSeconds: days * 86_400 });
  return id;
}

interface DeletedLink {
  /** Of the variant. */
  readonly id: number;
  readonly deletion_id: number;
  readonly certificate_id: number;
  readonly import_id: number | null;
}

/** The links of deleted variants to certificates. Leaves out those from an import that was undone in the meantime. */
export const deletedLinks = (brandId: number): Rows<DeletedLink> => sql`
  select d.id, d.deletion_id, l.certificate_id, l.import_id from deleted_variants d
  cross join lateral unnest(d.certificate_ids, d.import_ids) l (certificate_id, import_id)
  where d.brand_id = ${brandId}
    and not exists (select from imports i where i.brand_id = ${brandId} and i.id = l.import_id and i.state = 'undone')`;

interface RestoredVariant extends VariantKey {
  readonly published: boolean;
  readonly has_certs: boolean;
}

/**
 * Restores the variants of a deletion with their ids, and returns them. Two kinds stay deleted: those whose GTIN was
 * created again in the meantime, and those that an import created that was undone in the meantime, if nobody else changed them before.
 */
export async function restoreVariants(db: Db, brandId: number, deletionId: number): Promise<number[]> {
  const isUndone: Condition = sql`not ${hasOwnChanges('d')} and d.id not in (select id from linked) and exists (
    select from undone i where d.id > i.variants_after and d.id <= i.variants_to)`;
  const isDeleted: Condition = sql`d.brand_id = ${brandId} and d.deletion_id = ${deletionId}`;
  const { numAffectedRows } = await sql`
    insert into variants (${copiedColumns()}, has_certs, gtin14, name_key)
    overriding system value
    with undone as materialized (
      select variants_after, variants_to from imports where brand_id = ${brandId} and state = 'undone'
    ), linked as materialized (
      select l.id, c.id as certificate_id from (${deletedLinks(brandId)}) l
      left join certificates c on c.brand_id = ${brandId} and c.id = l.certificate_id
      where l.deletion_id = ${deletionId}
    )
    select ${copiedColumns('d')}, d.id in (select id from linked where certificate_id is not null), ${gtin14Of('d')}, ${nameKeyOf('d')}
    from deleted_variants d where ${isDeleted} and not (${isUndone})
    on conflict do nothing
  `.execute(db);
  await refreshStatisticsLater(db, 'variants', numAffectedRows);
  // Ids are never reused: those of the deletion that exist now have been restored.
  const restored: Rows<RestoredVariant> = sql`
    select v.brand_id, v.id, v.published, v.has_certs from variants v
    join deleted_variants d on d.brand_id = ${brandId} and d.id = v.id and d.deletion_id = ${deletionId}
    where v.brand_id = ${brandId}`;
  await sql`
    insert into variant_certificates (brand_id, variant_id, certificate_id, import_id)
    select c.brand_id, l.id, c.id, l.import_id from (${deletedLinks(brandId)}) l
    join variants v on v.brand_id = ${brandId} and v.id = l.id and v.has_certs
    join certificates c on c.brand_id = ${brandId} and c.id = l.certificate_id
    where l.deletion_id = ${deletionId}
    -- A conflict: if one certificate of the variant was replaced by another, both ids lead to the same row.
    on conflict do nothing
  `.execute(db);
  const counted = await sql<VariantCounts>`
    select count(*) as total, count(*) filter (where v.published) as published, count(*) filter (where v.has_certs) as certified,
      count(*) filter (where v.published and v.has_certs) as published_certified
    from (${restored}) v
  `.execute(db);
  const counts = counted.rows[0] ?? {};
  await addToCounts(db, brandId, counts);
  await recountLater(db, brandId);
  await sql`
    insert into variant_search_waiting (brand_id, variant_id)
    select v.brand_id, v.id from (${restored}) v where v.id <= ${indexedTo(brandId)}
  `.execute(db);
  if (counts.total) await scheduleWork(db, brandId, 'index_variants');
  if (counts.published) await queueDeliveries(db, brandId, sql`select v.brand_id, v.id from (${restored}) v where v.published`);
  const { rows } = await sql<{ id: number }>`select v.id from (${restored}) v order by v.id`.execute(db);
  await sql`delete from deleted_variants d where ${isDeleted}`.execute(db);
  await sql`
    update deletions set restored_at = now(), restored = ${rows.length} where brand_id = ${brandId} and id = ${deletionId}
  `.execute(db);
  return rows.map(({ id }) => id);
}

/** Deletes expired deletions for good. Returns how many. */
export async function purgeBrandDeletions(db: Db, brandId: number, days: number): Promise<number> {
  const isOld: Condition = sql`created_at <= now() - make_interval(days => ${days})`;
  await sql`
    delete from deleted_variants
    where brand_id = ${brandId} and deletion_id in (select id from deletions where brand_id = ${brandId} and ${isOld})
  `.execute(db);
  const { numAffectedRows } = await sql`delete from deletions where brand_id = ${brandId} and ${isOld}`.execute(db);
  const { rows } = await sql<{ next: Date | null }>`
    select min(created_at) + make_interval(days => ${days}) as next from deletions where brand_id = ${brandId}
  `.execute(db);
  await setDueWork(db, brandId, 'purge_deletions', rows[0]?.next ?? undefined);
  return Number(numAffectedRows ?? 0);
}
