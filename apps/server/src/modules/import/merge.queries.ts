import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { setForTransaction } from '../../db/statements.ts';
import type { ImportKey } from './staging.queries.ts';

/**
 * Compares the staged rows with the brand: which variants and links are new, and which known variants change. Only reads; modules/writes/
 * writes the result.
 *
 * The planner's statistics are older than the brand's last import, and may not know a new brand's 100,000 variants. So there are two query
 * plans, chosen by size (`shouldReadBrand`). A large file is hash joined with all rows of the brand. For a small file each row is an index
 * lookup, written as "key from x to x, ordered by the key, limit 1", which only the index of that order can answer. With a plain comparison
 * the planner could take any index that begins with the brand, and scan all of it for each row.
 */

/** Prefers hash joins: the statistics do not have the number of staged rows. A lateral join is a nested loop all the same. */
export async function prepareMerge(db: Db): Promise<void> {
  await setForTransaction(db, { jit: 'off', work_mem: '64MB', enable_nestloop: 'off' });
}

/** One index lookup costs about as much as reading this many rows. */
const ROWS_PER_LOOKUP = 8;

/** Whether a file of so many rows is hash joined with the whole brand. */
export async function shouldReadBrand(db: Db, brandId: number, rows: number): Promise<boolean> {
  const { rows: counts } = await sql<{ total: number }>`
    select total from variant_counts where brand_id = ${brandId}
  `.execute(db);
  return (counts[0]?.total ?? 0) <= rows * ROWS_PER_LOOKUP;
}

/** The brand's variant with the GTIN of the row `s`, as `v`. */
export function variantOf(brandId: number, readsBrand: boolean) {
  const variants = sql`select id, gtin14, name, category, details, published, version from variants where brand_id = ${brandId}`;
  return readsBrand
    ? sql`(${variants}) v on v.gtin14 = s.gtin14`
    : sql`lateral (${variants} and gtin14 between s.gtin14 and s.gtin14 order by gtin14 limit 1) v on true`;
}

/**
 * One row per variant of the file, joined with the stored variant. If several rows have the same GTIN, their names and categories differ at
 * most in case and accents (`rejectContradictions`), so any of them will do.
 */
export function compared({ stage, readsBrand, publishesRows }: Plan, rows = acceptedRows(stage)) {
  return sql`
    with s as (
      select brand_id, import_id, gtin14, max(gtin) as gtin, max(name) as name, nullif(max(category), '') as category,
        max(details) as details,
        min(row_number) as first_row, bool_or(certification_id is not null) as certified, bool_or(publish) and ${publishesRows} as publish
      from ${rows}
      group by brand_id, import_id, gtin14
    )
    select s.brand_id, s.import_id, s.gtin, s.gtin14, s.name, coalesce(s.category, v.category, '') as category, s.first_row, s.certified,
      v.id as variant_id, v.name as old_name, v.category as old_category, v.details as old_details, v.published, v.version,
      case when s.details is null then coalesce(v.details, '{}') else coalesce(v.details, '{}') || s.details::jsonb end as details,
      s.name <> v.name collate "C" as renamed, s.category <> v.category collate "C" is true as recategorised,
      s.details is not null and v.details <> v.details || s.details::jsonb as redetailed,
      s.publish and v.published is not true as newly_published
    from s left join ${variantOf(stage.brandId, readsBrand)}`;
}

export const acceptedRows = ({ brandId, importId }: ImportKey) =>
  sql`import_rows where brand_id = ${brandId} and import_id = ${importId} and errors is null`;

/** The options of a merge. */
export interface Plan {
  readonly stage: ImportKey;
  readonly readsBrand: boolean;
  readonly publishesRows: boolean;
  /** Why not, although rows name the channel. */
  readonly publishesNot: 'publishing_needs_trial' | 'publishing_needs_review' | undefined;
  /** Whether a row has a link to a certificate at its issuer. */
  readonly hasLinks: boolean;
}

interface PlannedCounts {
  /** Variants in the file. */
  readonly variants: number;
  readonly created: number;
  /** New variants with certificates. */
  readonly created_certified: number;
  /** Known variants that change, not counting new certificates. */
  readonly changed: number;
  readonly newly_published: number;
}

export async function countPlanned(db: Db, plan: Plan): Promise<PlannedCounts> {
  const { rows } = await sql<PlannedCounts>`
    select count(*) as variants, count(*) filter (where variant_id is null) as created,
      count(*) filter (where variant_id is null and certified) as created_certified,
      count(*) filter (where variant_id is not null and (renamed or recategorised or redetailed or newly_published)) as changed,
      count(*) filter (where newly_published) as newly_published
    from (${compared(plan)}) compared
  `.execute(db);
  return rows[0] ?? { variants: 0, created: 0, created_certified: 0, changed: 0, newly_published: 0 };
}

/** Rows for `insertVariants`, the last row of the file first: the list shows the newest first, so it then shows them in file order. */
export function newVariants(plan: Plan) {
  return sql`
    select brand_id, gtin, name, category, details, newly_published, certified
    from (${compared(plan)}) compared where variant_id is null order by first_row desc`;
}

/** Records which known variants change and how, for the receipt and for undo. After the merge the old values are gone. */
export async function planChanges(db: Db, plan: Plan): Promise<void> {
  await sql`
    insert into import_changes (brand_id, import_id, variant_id, gtin, old_name, new_name, old_category, new_category,
      old_details, new_details, was_published, newly_published, version)
    select brand_id, import_id, variant_id, gtin, old_name, name, old_category, category,
      old_details, details, published, newly_published, version + (renamed or recategorised or redetailed)::int
    from (${compared(plan)}) compared where variant_id is not null and (renamed or recategorised or redetailed or newly_published)
  `.execute(db);
}

const planned = ({ brandId, importId }: ImportKey) => sql`brand_id = ${brandId} and import_id = ${importId}`;

/** Rows for `updateVariants`. */
export function changedVariants(stage: ImportKey) {
  const changes = sql`from import_changes where ${planned(stage)}`;
  const renamed = sql`new_name <> old_name`;
  const changed = sql`(${renamed} or new_category <> old_category or new_details <> old_details)`;
  return {
    changes: sql`select brand_id, gtin, new_name, new_category, new_details ${changes} and ${changed}`,
    renamed: sql`select brand_id, variant_id ${changes} and ${renamed}`,
    outdated: sql`select brand_id, variant_id ${changes} and was_published and ${changed}`,
  };
}

/** The ids of known variants that the file publishes. */
export function newlyPublished(stage: ImportKey) {
  return sql`select variant_id from import_changes where ${planned(stage)} and newly_published`;
}

/** Rows for `insertCertificates`, spelled as in their first row. Materialised, because Citus refuses the join directly below an insert. */
export function newCertificates({ stage, readsBrand }: Plan) {
  return sql`
    with new as materialized (
      select s.* from (
        select distinct on (certification_id, certificate_key)
          brand_id, certification_id, external_certificate_id, certificate_key, row_number
        from ${acceptedRows(stage)} and certification_id is not null
        order by certification_id, certificate_key, row_number
      ) s left join ${certificateOf(stage.brandId, readsBrand)}
      where c.id is null
    )
    select brand_id, certification_id, external_certificate_id, certificate_key from new order by row_number`;
}

/** Rows for `updateCertificateLinks`. If rows differ, the last one wins. */
export function namedLinks(stage: ImportKey) {
  return sql`
    select distinct on (certification_id, certificate_key) certification_id, certificate_key, certificate_link
    from ${acceptedRows(stage)} and certificate_link is not null
    order by certification_id, certificate_key, row_number desc`;
}

/**
 * Joins `s`, the certificates that the file gives to known variants, with the brand's as `c`. `l` is the link if the variant has it already.
 * Write `s` (variant_id, certification_id, certificate_key) as a materialized table: otherwise the planner estimates one row for the lookups
 * and chooses a nested loop.
 */
export function linksOf({ stage: { brandId }, readsBrand }: Plan, joinCertificate: RawBuilder<unknown>) {
  const links = sql`select variant_id, certificate_id from variant_certificates where brand_id = ${brandId}`;
  const linkOf = readsBrand
    ? sql`(${links}) l on l.variant_id = s.variant_id and l.certificate_id = c.id`
    : sql`lateral (
        ${links} and (variant_id, certificate_id) >= (s.variant_id, c.id) and (variant_id, certificate_id) <= (s.variant_id, c.id)
        order by variant_id, certificate_id limit 1
      ) l on true`;
  return sql`s ${joinCertificate} ${certificateOf(brandId, readsBrand)} left join ${linkOf}`;
}

/**
 * Records which links are new. Call it after inserting variants and certificates. Returns the number of links, and of variants whose only
 * change is a link. (Every new certified variant has new links.)
 */
export async function planLinks(
  db: Db,
  plan: Plan,
  { created_certified }: PlannedCounts,
): Promise<{ links: number; variants: number }> {
  const { brandId, importId } = plan.stage;
  await sql`
    insert into import_links (brand_id, import_id, variant_id, certificate_id)
    with s as materialized (
      select distinct s.brand_id, s.import_id, v.id as variant_id, s.certification_id, s.certificate_key
      from (select * from ${acceptedRows(plan.stage)} and certification_id is not null) s join ${variantOf(brandId, plan.readsBrand)}
    )
    select s.brand_id, s.import_id, s.variant_id, c.id from ${linksOf(plan, sql`join`)} where l.variant_id is null
  `.execute(db);
  const { rows } = await sql<{ links: number; variants: number }>`
    select count(*) as links,
      count(distinct l.variant_id) filter (where p.variant_id is null) - ${created_certified}::bigint as variants
    from import_links l
    left join import_changes p on p.brand_id = ${brandId} and p.import_id = ${importId} and p.variant_id = l.variant_id
    where l.brand_id = ${brandId} and l.import_id = ${importId}
  `.execute(db);
  return rows[0] ?? { links: 0, variants: 0 };
}

/**
 * Counts variants that get another certificate of a certification they already have one of. Call it before inserting the links. It joins in
 * steps: a direct join by certification compared 14,000 links with 500 certificates of one certification, each with each.
 */
export async function countFurtherCertificates(db: Db, stage: ImportKey): Promise<number> {
  const { brandId } = stage;
  const { rows } = await sql<{ variants: number }>`
    with given as materialized (
      select l.variant_id, c.certification_id from import_links l
      join certificates c on c.brand_id = ${brandId} and c.id = l.certificate_id
      where l.brand_id = ${brandId} and l.import_id = ${stage.importId}
    ), had_links as materialized (
      select variant_id, certificate_id from variant_certificates
      where brand_id = ${brandId} and variant_id = any (array(select variant_id from given))
    ), had as materialized (
      select l.variant_id, c.certification_id from had_links l
      join certificates c on c.brand_id = ${brandId} and c.id = l.certificate_id
    )
    select count(distinct given.variant_id) as variants from given join had using (variant_id, certification_id)
  `.execute(db);
  return rows[0]?.variants ?? 0;
}

/** Rows for `insertLinks`. */
export function newLinks(stage: ImportKey) {
  return sql`select brand_id, variant_id, certificate_id from import_links where ${planned(stage)}`;
}

/** Joins the brand's certificate that the row `s` names, as `c`. */
function certificateOf(brandId: number, readsBrand: boolean) {
  const certificates = sql`select id, certification_id, id_key, status from certificates where brand_id = ${brandId}`;
  const named = sql`(s.certification_id, s.certificate_key)`;
  return readsBrand
    ? sql`(${certificates}) c on (c.certification_id, c.id_key) = ${named}`
    : sql`lateral (
        ${certificates}
          and (certification_id, id_key) >= ${named} and (certification_id, id_key) <= ${named}
        order by certification_id, id_key limit 1
      ) c on true`;
}
