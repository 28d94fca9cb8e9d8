import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { setForTransaction } from '../../db/statements.ts';
import type { Stage } from './staging.queries.ts';

/**
 * What the staged rows amount to: which variants and links are new, and what of the known ones changes. Only reads the brand;
 * modules/writes/ then writes what is planned here.
 *
 * Every look into a table of the brand is "the first at or after this key", ordered by the key: one step down the index that
 * has that order, whatever the planner believes. A plain comparison or join is planned by statistics from before the brand's
 * last import. They know nothing of a new brand's 100,000 variants, so that any index which begins with the brand seems as good
 * as the right one, and each row then reads the whole brand (measured: minutes instead of a second).
 */

/** Staged rows are joined with each other by hashes: their number is not in the statistics either. */
export async function prepareMerge(db: Db): Promise<void> {
  await setForTransaction(db, { jit: 'off', work_mem: '64MB', enable_nestloop: 'off' });
}

/**
 * One row per variant that the file speaks of. Several rows may speak of one: the last name counts, and the last category that
 * is not blank. With the variant's id where the brand has it already, and what of it changes.
 */
export async function planVariants(db: Db, { brandId, importId }: Stage, mayPublish: boolean): Promise<void> {
  await sql`
    insert into import_variants (brand_id, import_id, gtin14, gtin, name, category, first_row, certified, variant_id, published,
      renamed, recategorised, newly_published)
    with spoken as (
      select gtin14, min(row_number) as first_row, max(row_number) as last_row,
        max(row_number) filter (where category <> '') as category_row, bool_or(certification_id is not null) as certified,
        bool_or(publish) and ${mayPublish} as publish
      from import_rows where brand_id = ${brandId} and import_id = ${importId} and errors is null group by gtin14
    )
    select r.brand_id, r.import_id, r.gtin14, r.gtin, r.name, coalesce(r.category, v.category, ''), r.first_row, r.certified, v.id,
      coalesce(v.published, false), coalesce(r.name <> v.name collate "C", false), coalesce(r.category <> v.category collate "C", false),
      r.publish and v.published is not true
    from (
      select l.brand_id, l.import_id, s.gtin14, l.gtin, l.name, s.first_row, s.certified, s.publish,
        -- Nearly always the same row.
        case when s.category_row = s.last_row then l.category else (
          select category from import_rows
          where brand_id = ${brandId} and import_id = ${importId} and row_number = s.category_row
        ) end as category
      from spoken s
      join import_rows l on l.brand_id = ${brandId} and l.import_id = ${importId} and l.row_number = s.last_row
    ) r
    left join lateral (
      select id, name, category, published, gtin14 from variants
      where brand_id = ${brandId} and gtin14 >= r.gtin14 order by gtin14 limit 1
    ) v on v.gtin14 = r.gtin14
  `.execute(db);
}

const planned = ({ brandId, importId }: Stage) => sql`brand_id = ${brandId} and import_id = ${importId}`;

/** For `insertVariants`. The file's last row first: the list, which shows the newest first, then shows them in the file's order. */
export function newVariants(stage: Stage) {
  return sql`
    select brand_id, gtin, name, category, newly_published, certified
    from import_variants where ${planned(stage)} and variant_id is null order by first_row desc`;
}

/** For `updateVariants`. */
export function changedVariants(stage: Stage) {
  const known = sql`from import_variants where ${planned(stage)} and variant_id is not null`;
  return {
    changes: sql`select brand_id, gtin, name, category ${known} and (renamed or recategorised)`,
    renamed: sql`select brand_id, variant_id ${known} and renamed`,
    outdated: sql`select brand_id, variant_id ${known} and published and (renamed or recategorised)`,
  };
}

/** For `publishVariants`: known variants that the file publishes. */
export function newlyPublished(stage: Stage) {
  return sql`id = any (array(select variant_id from import_variants where ${planned(stage)} and variant_id is not null and newly_published))`;
}

interface PlannedCounts {
  /** That the file speaks of. */
  readonly variants: number;
  /** Known variants of which the file says something new, apart from links. */
  readonly differing: number;
  readonly newly_published: number;
}

export async function countPlanned(db: Db, stage: Stage): Promise<PlannedCounts> {
  const { rows } = await sql<PlannedCounts>`
    select count(*) as variants, count(*) filter (where variant_id is not null and (renamed or recategorised or newly_published)) as differing,
      count(*) filter (where newly_published) as newly_published
    from import_variants where ${planned(stage)}
  `.execute(db);
  return rows[0] ?? { variants: 0, differing: 0, newly_published: 0 };
}

/** For `insertCertificates`. */
export function newCertificates({ brandId, importId }: Stage) {
  return sql`
    select s.brand_id, s.certification_id, f.external_certificate_id, s.certificate_key
    from (
      select brand_id, certification_id, certificate_key, min(row_number) as first_row
      from import_rows
      where brand_id = ${brandId} and import_id = ${importId} and errors is null and certification_id is not null
      group by brand_id, certification_id, certificate_key
    ) s
    -- The spelling of the first row.
    join import_rows f on f.brand_id = ${brandId} and f.import_id = ${importId} and f.row_number = s.first_row
    left join lateral (${certificateAt(brandId)}) c
      on c.brand_id = s.brand_id and c.certification_id = s.certification_id and c.id_key = s.certificate_key
    where c.id is null
    order by s.first_row`;
}

/** Which variants get which certificates anew: to be called when both are there. Tells how many, and of how many otherwise unchanged variants. */
export async function planLinks(db: Db, stage: Stage): Promise<{ links: number; variants: number }> {
  const { brandId, importId } = stage;
  await sql`
    insert into import_links (brand_id, import_id, variant_id, certificate_id)
    -- By itself, because the planner takes the lookups below for filters that leave one row, and would join for one.
    with s as materialized (
      select distinct brand_id, import_id, gtin14, certification_id, certificate_key from import_rows
      where brand_id = ${brandId} and import_id = ${importId} and errors is null and certification_id is not null
    )
    select s.brand_id, s.import_id, v.id, c.id
    from s
    join lateral (
      select id, gtin14 from variants
      where brand_id = ${brandId} and gtin14 >= s.gtin14 order by gtin14 limit 1
    ) v on v.gtin14 = s.gtin14
    join lateral (${certificateAt(brandId)}) c
      on c.certification_id = s.certification_id and c.id_key = s.certificate_key
    left join lateral (
      select variant_id, certificate_id from variant_certificates
      where brand_id = ${brandId} and (variant_id, certificate_id) >= (v.id, c.id)
      order by variant_id, certificate_id limit 1
    ) l on l.variant_id = v.id and l.certificate_id = c.id
    where l.variant_id is null
  `.execute(db);
  const unchanged = sql`
    select variant_id from import_variants
    where ${planned(stage)} and variant_id is not null and not (renamed or recategorised or newly_published)`;
  const { rows } = await sql<{ links: number; variants: number }>`
    select count(*) as links, count(distinct variant_id) filter (where variant_id = any (array(${unchanged}))) as variants
    from import_links where ${planned(stage)}
  `.execute(db);
  return rows[0] ?? { links: 0, variants: 0 };
}

/** Variants that get a certificate of a certification of which they have another one. To be called before the new links are there. */
export async function countFurtherCertificates(db: Db, stage: Stage): Promise<number> {
  const { brandId } = stage;
  const { rows } = await sql<{ variants: number }>`
    with given as materialized (
      select l.variant_id, c.certification_id from import_links l
      join certificates c on c.brand_id = ${brandId} and c.id = l.certificate_id
      where l.brand_id = ${brandId} and l.import_id = ${stage.importId}
    )
    select count(distinct given.variant_id) as variants from given
    join variant_certificates l on l.brand_id = ${brandId} and l.variant_id = given.variant_id
    join certificates c on c.brand_id = ${brandId} and c.id = l.certificate_id and c.certification_id = given.certification_id
  `.execute(db);
  return rows[0]?.variants ?? 0;
}

/** For `insertLinks`. */
export function newLinks(stage: Stage) {
  return sql`select brand_id, variant_id, certificate_id from import_links where ${planned(stage)}`;
}

/** The first certificate at or after the one that the row `s` names. */
function certificateAt(brandId: number) {
  return sql`
    select brand_id, id, certification_id, id_key from certificates
    where brand_id = ${brandId}
      and (certification_id, id_key) >= (s.certification_id, s.certificate_key)
    order by certification_id, id_key limit 1
  `;
}
