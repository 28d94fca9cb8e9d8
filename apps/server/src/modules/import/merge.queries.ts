import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { setForTransaction } from '../../db/statements.ts';

/**
 * Every look into a permanent table here is "the first at or after this key", ordered by the key: one step down the index that
 * has that order, whatever the planner believes. A plain comparison or join is planned by statistics from before the brand's
 * last import. They know nothing of a new brand's 100,000 variants, so that any index which begins with the brand seems as good
 * as the right one, and each row then reads the whole brand (measured: minutes instead of a second).
 */

export async function prepareMerge(db: Db): Promise<void> {
  await setForTransaction(db, { jit: 'off', work_mem: '64MB' });
}

/** Imports of one brand take turns here, and with whoever publishes all its variants or changes which certificates they have. */
export async function lockBrand(db: Db, brandId: number): Promise<boolean> {
  const { rows } = await sql`select 1 from brands where id = ${brandId} for no key update`.execute(db);
  return rows.length > 0;
}

/**
 * One row per variant that the file speaks of. Several rows may speak of one: the last name counts, and the last category that
 * is not blank. With the variant's id where the brand has it already, and whether the file says anything new of it.
 */
export async function planVariants(db: Db, brandId: number, mayPublish: boolean): Promise<void> {
  await sql`
    create temporary table planned_variants on commit drop as
    with spoken as (
      select gtin14, min(row_number) as first_row, max(row_number) as last_row,
        max(row_number) filter (where category <> '') as category_row, bool_or(certification_id is not null) as certified,
        bool_or(publish) and ${mayPublish} as publish
      from staged_rows where errors is null group by gtin14
    )
    select s.gtin14, r.gtin, r.name, coalesce(c.category, v.category, '') as category, s.first_row, s.certified, v.id as variant_id,
      s.publish, s.publish and v.published is not true as newly_published,
      v.id is not null and (
        r.name <> v.name collate "C" or c.category <> v.category collate "C" or s.publish and not v.published
      ) is true as differs
    from spoken s
    join staged_rows r on r.row_number = s.last_row
    left join staged_rows c on c.row_number = s.category_row
    left join lateral (
      select id, name, category, published, gtin14 from variants
      where brand_id = ${brandId} and gtin14 >= s.gtin14 order by gtin14 limit 1
    ) v on v.gtin14 = s.gtin14
  `.execute(db);
  await sql`analyze planned_variants (gtin14)`.execute(db);
}

/** How many the file publishes that were not published. */
export async function countNewlyPublished(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from planned_variants where newly_published
  `.execute(db);
  return rows[0]?.count ?? 0;
}

/**
 * A variant of which the file says nothing new is not written: no new version of it, no index entry, no trigger.
 * The others are all known, so that nothing is inserted: the conflict is how a row is found by its key and by nothing else.
 */
export async function updateDifferingVariants(db: Db, brandId: number): Promise<number> {
  const result = await sql`
    insert into variants (brand_id, gtin, name, category, published)
    select ${brandId}::bigint, gtin, name, category, publish from planned_variants where differs
    on conflict (brand_id, gtin14) do update
    set name = excluded.name, category = excluded.category, published = variants.published or excluded.published
  `.execute(db);
  return Number(result.numAffectedRows ?? 0n);
}

/** The file's last row first: the list, which shows the newest first, then shows them in the file's order. */
export async function insertNewVariants(db: Db, brandId: number): Promise<number> {
  const result = await sql`
    insert into variants (brand_id, gtin, name, category, has_certs, published)
    select ${brandId}::bigint, gtin, name, category, certified, publish
    from planned_variants where variant_id is null order by first_row desc
  `.execute(db);
  return Number(result.numAffectedRows ?? 0n);
}

export async function insertNewCertificates(db: Db, brandId: number): Promise<number> {
  const result = await sql`
    insert into certificates (brand_id, certification_id, external_certificate_id)
    select ${brandId}::bigint, s.certification_id, s.external_certificate_id
    from (
      select certification_id, external_certificate_id, min(row_number) as first_row
      from staged_rows where errors is null and certification_id is not null
      group by certification_id, external_certificate_id
    ) s
    left join lateral (${certificateAt(brandId)}) c
      on c.certification_id = s.certification_id and c.external_certificate_id = s.external_certificate_id
    where c.id is null
    order by s.first_row
  `.execute(db);
  return Number(result.numAffectedRows ?? 0n);
}

/** Which variants get which certificates anew. */
export async function planLinks(db: Db, brandId: number): Promise<{ links: number; variants: number }> {
  await sql`
    create temporary table planned_links on commit drop as
    -- By itself, because the planner takes the lookups below for filters that leave one row, and would join for one.
    with s as materialized (
      select distinct r.gtin14, r.certification_id, r.external_certificate_id,
        p.variant_id is not null and not p.differs as otherwise_unchanged
      from staged_rows r join planned_variants p on p.gtin14 = r.gtin14
      where r.errors is null and r.certification_id is not null
    )
    select v.id as variant_id, c.id as certificate_id, s.otherwise_unchanged
    from s
    join lateral (
      select id, gtin14 from variants
      where brand_id = ${brandId} and gtin14 >= s.gtin14 order by gtin14 limit 1
    ) v on v.gtin14 = s.gtin14
    join lateral (${certificateAt(brandId)}) c
      on c.certification_id = s.certification_id and c.external_certificate_id = s.external_certificate_id
    left join lateral (
      select variant_id, certificate_id from variant_certificates
      where brand_id = ${brandId} and (variant_id, certificate_id) >= (v.id, c.id)
      order by variant_id, certificate_id limit 1
    ) l on l.variant_id = v.id and l.certificate_id = c.id
    where l.variant_id is null
  `.execute(db);
  const { rows } = await sql<{ links: number; variants: number }>`
    select count(*) as links, count(distinct variant_id) filter (where otherwise_unchanged) as variants from planned_links
  `.execute(db);
  return rows[0] ?? { links: 0, variants: 0 };
}

export async function insertPlannedLinks(db: Db, brandId: number): Promise<void> {
  await sql`
    insert into variant_certificates (brand_id, variant_id, certificate_id)
    select ${brandId}::bigint, variant_id, certificate_id from planned_links
  `.execute(db);
}

/** The first certificate at or after the one that the row `s` names. */
function certificateAt(brandId: number) {
  return sql`
    select id, certification_id, external_certificate_id from certificates
    where brand_id = ${brandId}
      and (certification_id, external_certificate_id) >= (s.certification_id, s.external_certificate_id)
    order by certification_id, external_certificate_id limit 1
  `;
}
