import type { VariantDetails } from '@brand-portal/contract/variant-fields';
import { MAX_SHOWN_CERTIFICATES } from '@brand-portal/contract/variants';
import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { Columns, Condition, Ids, Join, Rows, Value } from '../db/fragments.ts';
import { withSettings } from '../db/statements.ts';
import type { NamedLink, NewCertificate, NewLink } from '../writes/certificates.ts';
import { type ChangedVariants, detailsOf, fieldsOf, isSent, type NewVariant } from '../writes/variants.ts';
import type { ImportKey } from './staging.queries.ts';

/**
 * The plan of an import: what it does to each variant of its file. It is stored for preview, confirmation and the import itself, and made again
 * if the brand has changed since. Whether a row changes a variant is decided in `storePlan` and nowhere else.
 *
 * The planner's statistics are older than the brand's last import, and may not know a new brand's 100,000 variants. So there are two query
 * plans, chosen by size (`shouldReadBrand`). A large file is hash joined with all rows of the brand. For a small file each row is an index
 * lookup, written as "key from x to x, ordered by the key, limit 1", which only the index of that order can answer. With a plain comparison
 * the planner could take any index that begins with the brand, and scan all of it for each row.
 */

/** With hash joins: the statistics do not have the number of staged rows. A lateral join is a nested loop all the same. */
export function withHashJoins<T>(db: Db, work: () => Promise<T>): Promise<T> {
  return withSettings(db, { jit: 'off', work_mem: '64MB', enable_nestloop: 'off' }, work);
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

/** How often the brand has been changed: a plan made before another change is made again. */
export async function countChanges(db: Db, brandId: number): Promise<number> {
  const { rows } = await sql<{ changes: number }>`
    select changes from variant_counts where brand_id = ${brandId}
  `.execute(db);
  return rows[0]?.changes ?? 0;
}

/** How a plan is made. */
export interface PlanOptions {
  readonly stage: ImportKey;
  readonly readsBrand: boolean;
  /** In the file. */
  readonly variants: number;
  /** Whether rows that name the channel publish their variants. */
  readonly publishesRows: boolean;
  /** Whether a row has a link to a certificate at its issuer. */
  readonly hasLinks: boolean;
}

export interface PlanCounts {
  readonly variants: number;
  readonly created: number;
  readonly updated: number;
  /** Of the updated ones. */
  readonly renamed: number;
  readonly unchanged: number;
  readonly published: number;
  /** Already published variants that are sent to the channel again. */
  readonly sent_again: number;
}

export interface StoredPlan extends PlanCounts {
  /** `countChanges` when it was made. */
  readonly changes: number;
  readonly publishes_rows: boolean;
  readonly publishes_not: 'publishing_needs_trial' | 'publishing_needs_review' | null;
}

/** On rows of `import_rows`. */
export const isAccepted = ({ brandId, importId }: ImportKey): Condition =>
  sql`brand_id = ${brandId} and import_id = ${importId} and errors is null`;

/** On rows of `import_plan p`. */
const isPlanned = ({ brandId, importId }: ImportKey): Condition => sql`p.brand_id = ${brandId} and p.import_id = ${importId}`;

/** The brand's variant with the GTIN of the row `s`, as `v`. */
export function variantOf(brandId: number, readsBrand: boolean): Join {
  const columns: Columns = sql`id, gtin14, name, category, details, published`;
  return readsBrand
    ? sql`(select ${columns} from variants where brand_id = ${brandId}) v on v.gtin14 = s.gtin14`
    : sql`lateral (
        select ${columns} from variants
        where brand_id = ${brandId} and gtin14 between s.gtin14 and s.gtin14 order by gtin14 limit 1
      ) v on true`;
}

/** The brand's certificate that the row `s` names, as `c`. */
function certificateOf(brandId: number, readsBrand: boolean): Join {
  const columns: Columns = sql`id, certification_id, id_key, status`;
  const named: Value<[number, string]> = sql`(s.certification_id, s.certificate_key)`;
  return readsBrand
    ? sql`(select ${columns} from certificates where brand_id = ${brandId}) c on (c.certification_id, c.id_key) = ${named}`
    : sql`lateral (
        select ${columns} from certificates
        where brand_id = ${brandId} and (certification_id, id_key) >= ${named} and (certification_id, id_key) <= ${named}
        order by certification_id, id_key limit 1
      ) c on true`;
}

/** The link of the variant of the row `s` to the certificate `c`, as `l`, if it has it already. */
function linkOf(brandId: number, readsBrand: boolean): Join {
  const columns: Columns = sql`variant_id, certificate_id`;
  return readsBrand
    ? sql`(
        select ${columns} from variant_certificates where brand_id = ${brandId}
      ) l on l.variant_id = s.variant_id and l.certificate_id = c.id`
    : sql`lateral (
        select ${columns} from variant_certificates
        where brand_id = ${brandId}
          and (variant_id, certificate_id) >= (s.variant_id, c.id) and (variant_id, certificate_id) <= (s.variant_id, c.id)
        order by variant_id, certificate_id limit 1
      ) l on true`;
}

/**
 * Decides for each variant of the file what the import does to it: creates it (no `variant_id`), changes fields (`before` and `after`),
 * publishes it, or gives it certificates. A variant without a row in the plan stays as it is. If several rows have the same GTIN, their names and categories differ at most in case
 * and accents (`rejectContradictions`), so any of them will do. A blank cell changes nothing.
 */
export async function storePlan(db: Db, { stage, readsBrand, variants, publishesRows, hasLinks }: PlanOptions): Promise<PlanCounts> {
  const { brandId, importId } = stage;
  const [old, now] = [fieldsOf('old_name', 'old_category', 'old_details'), fieldsOf('name', 'category', 'details')];
  await sql`delete from import_plan where brand_id = ${brandId} and import_id = ${importId}`.execute(db);
  await sql`
    insert into import_plan (brand_id, import_id, first_row, gtin, gtin14, variant_id, name, category, details, before, after,
      publishes, was_published, certifies, sends_again)
    with given as materialized (
      select brand_id, import_id, gtin14, max(gtin) as gtin, max(name) as name, max(category) as category, max(details)::jsonb as details,
        min(row_number) as first_row, bool_or(certification_id is not null) as certified, bool_or(publish) and ${publishesRows} as publish
      from import_rows where ${isAccepted(stage)} group by brand_id, import_id, gtin14
    ), compared as materialized (
      select s.brand_id, s.import_id, s.gtin14, s.gtin, s.first_row, s.certified, s.publish and v.published is not true as publishes,
        v.id as variant_id, v.published, v.name as old_name, v.category as old_category, v.details as old_details,
        s.name, coalesce(nullif(s.category, ''), v.category, '') as category,
        coalesce(v.details, '{}') || coalesce(s.details, '{}') as details
      from given s left join ${variantOf(brandId, readsBrand)}
    ), named as materialized (
      select known.variant_id, r.certification_id, r.certificate_key
      from (select * from import_rows where ${isAccepted(stage)} and certification_id is not null) r
      join compared known on known.gtin14 = r.gtin14 and known.variant_id is not null
    ), certified as materialized (
      select s.variant_id as id, bool_or(c.status = 'validated') is true as visible
      from named s left join ${certificateOf(brandId, readsBrand)} left join ${linkOf(brandId, readsBrand)}
      where l.variant_id is null group by s.variant_id
    ), planned as (
      select compared.*, certified.id is not null or variant_id is null and certified as certifies, certified.visible is true as visible,
        variant_id is not null and (name <> old_name or category <> old_category or details <> old_details) as changes
      from compared left join certified on certified.id = compared.variant_id
    ), changed as materialized (
      select *,
        case when changes then (select jsonb_object_agg(key, ${old} -> key) from jsonb_each(${now}) where value is distinct from ${old} -> key) end
          as before,
        case when changes then (select jsonb_object_agg(key, value) from jsonb_each(${now}) where value is distinct from ${old} -> key) end as after
      from planned where variant_id is null or changes or publishes or certifies
    )
    select brand_id, import_id, first_row, gtin, gtin14, variant_id, name, category, details, before, after, publishes, published is true,
      certifies, published is true and (visible or ${isSent('after')} is true)
    from changed
  `.execute(db);
  return countPlan(db, stage, variants, hasLinks);
}

async function countPlan(db: Db, stage: ImportKey, variants: number, hasLinks: boolean): Promise<PlanCounts> {
  const { brandId } = stage;
  // A new page of a valid certificate is sent for all its variants, also for those that are not in the file.
  const sentAgain: Value<number> = hasLinks
    ? sql`(select count(*) from (
        select p.variant_id from import_plan p where ${isPlanned(stage)} and p.sends_again
        union
        select l.variant_id from (${namedLinks(stage)}) named (certification_id, id_key, link)
        join certificates c on c.brand_id = ${brandId} and c.certification_id = named.certification_id and c.id_key = named.id_key
        join variant_certificates l on l.brand_id = ${brandId} and l.certificate_id = c.id
        join variants v on v.brand_id = ${brandId} and v.id = l.variant_id
        where c.link <> named.link and c.status = 'validated' and v.published
      ) sent)`
    : sql`count(*) filter (where p.sends_again)`;
  const { rows } = await sql<PlanCounts>`
    select ${variants}::bigint as variants, count(*) filter (where p.variant_id is null) as created, count(p.variant_id) as updated,
      ${variants}::bigint - count(*) as unchanged,
      count(*) filter (where p.after ? 'name') as renamed, count(*) filter (where p.publishes) as published, ${sentAgain} as sent_again
    from import_plan p where ${isPlanned(stage)}
  `.execute(db);
  const none = { variants: 0, created: 0, updated: 0, renamed: 0, unchanged: 0, published: 0, sent_again: 0 };
  return rows[0] ?? none;
}

/** A variant of the plan, as the preview shows it. */
interface SampledVariant {
  readonly gtin: string;
  readonly name: string;
  readonly category: string;
  /** Null: unchanged. */
  readonly old_name: string | null;
  readonly old_category: string | null;
  readonly details: VariantDetails;
  readonly old_details: VariantDetails | null;
  readonly certificates: string[];
  readonly old_certificates: string[];
}

/** The first variants, in file order, that the import creates or changes. */
export async function listPlanned(db: Db, stage: ImportKey, kind: 'created' | 'updated', limit: number): Promise<SampledVariant[]> {
  const { brandId } = stage;
  const { rows } = await sql<SampledVariant>`
    with sampled as materialized (
      select * from import_plan p
      where ${isPlanned(stage)} and ${kind === 'created' ? sql`p.variant_id is null` : sql`p.variant_id is not null`}
      order by p.first_row limit ${limit}
    ), links as materialized (
      select variant_id, certificate_id from variant_certificates
      where brand_id = ${brandId} and variant_id = any (array(select variant_id from sampled))
    ), had as materialized (
      select l.variant_id, c.certification_id, c.id_key, n.name || ' ' || c.external_certificate_id as certificate
      from links l
      join certificates c on c.brand_id = ${brandId} and c.id = l.certificate_id
      join certifications n on n.id = c.certification_id
    ), added as materialized (
      select s.gtin14, n.name || ' ' || min(r.external_certificate_id) as certificate
      from (
        select * from import_rows
        where ${isAccepted(stage)} and certification_id is not null and gtin14 = any (array(select gtin14 from sampled))
      ) r
      join sampled s on s.gtin14 = r.gtin14
      join certifications n on n.id = r.certification_id
      where not exists (
        select from had where (had.variant_id, had.certification_id, had.id_key) = (s.variant_id, r.certification_id, r.certificate_key))
      group by s.gtin14, n.name, r.certificate_key
    )
    select gtin, name, category, details, before->>'name' as old_name, before->>'category' as old_category,
      case when ${detailsOf('after')} <> '{}' then jsonb_strip_nulls(details || ${detailsOf('before')}) end as old_details,
      array(select certificate from added where added.gtin14 = s.gtin14 order by certificate) as certificates,
      array(select certificate from had where had.variant_id = s.variant_id order by certificate limit ${MAX_SHOWN_CERTIFICATES}) as old_certificates
    from sampled s order by first_row
  `.execute(db);
  return rows;
}

/** The last row of the file first: the list shows the newest first, so it then shows them in file order. */
export function newVariants(stage: ImportKey): Rows<NewVariant> {
  return sql`
    select brand_id, gtin, name, category, details, publishes, certifies
    from import_plan p where ${isPlanned(stage)} and p.variant_id is null order by p.first_row desc`;
}

/** Keeps how known variants change, for the receipt and for undo. */
export async function keepChanges(db: Db, stage: ImportKey): Promise<void> {
  await sql`
    insert into import_changes (brand_id, import_id, variant_id, gtin, before, after, was_published, newly_published)
    select brand_id, import_id, variant_id, gtin, coalesce(before, '{}'), coalesce(after, '{}'), was_published, publishes
    from import_plan p where ${isPlanned(stage)} and p.variant_id is not null and (p.after is not null or p.publishes)
  `.execute(db);
}

export function changedVariants(stage: ImportKey): ChangedVariants {
  return {
    rows: sql`select p.brand_id, p.gtin, p.name, p.category, p.details from import_plan p where ${isPlanned(stage)} and p.after is not null`,
    changed: sql`select p.brand_id, p.variant_id, p.after, p.was_published from import_plan p where ${isPlanned(stage)} and p.after is not null`,
  };
}

/** The known variants that the file publishes. */
export function newlyPublished(stage: ImportKey): Ids {
  return sql`select p.variant_id from import_plan p where ${isPlanned(stage)} and p.variant_id is not null and p.publishes`;
}

/** Spelled as in their first row. Materialized, because Citus refuses the join directly below an insert. */
export function newCertificates({ stage, readsBrand }: Pick<PlanOptions, 'stage' | 'readsBrand'>): Rows<NewCertificate> {
  return sql`
    with new as materialized (
      select s.* from (
        select distinct on (certification_id, certificate_key)
          brand_id, certification_id, external_certificate_id, certificate_key, row_number
        from import_rows where ${isAccepted(stage)} and certification_id is not null
        order by certification_id, certificate_key, row_number
      ) s left join ${certificateOf(stage.brandId, readsBrand)}
      where c.id is null
    )
    select brand_id, certification_id, external_certificate_id, certificate_key from new order by row_number`;
}

/** If rows differ, the last one wins. */
export function namedLinks(stage: ImportKey): Rows<NamedLink> {
  return sql`
    select distinct on (certification_id, certificate_key) certification_id, certificate_key, certificate_link
    from import_rows where ${isAccepted(stage)} and certificate_link is not null
    order by certification_id, certificate_key, row_number desc`;
}

/** Plans the new links of variants to certificates, when both have their ids. Returns how many. */
export async function planLinks(db: Db, { stage, readsBrand }: Pick<PlanOptions, 'stage' | 'readsBrand'>): Promise<number> {
  const { brandId } = stage;
  const { numAffectedRows } = await sql`
    insert into import_links (brand_id, import_id, variant_id, certificate_id)
    with s as materialized (
      select distinct r.brand_id, r.import_id, v.id as variant_id, r.certification_id, r.certificate_key
      from (select * from import_rows where ${isAccepted(stage)} and certification_id is not null) r
      join (select gtin14 from import_plan p where ${isPlanned(stage)} and p.certifies) s on s.gtin14 = r.gtin14
      join ${variantOf(brandId, readsBrand)}
    )
    select s.brand_id, s.import_id, s.variant_id, c.id
    from s join ${certificateOf(brandId, readsBrand)} left join ${linkOf(brandId, readsBrand)} where l.variant_id is null
  `.execute(db);
  return Number(numAffectedRows ?? 0n);
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

/** The known variants that get certificates. */
export function certifiedVariants(stage: ImportKey): Ids {
  return sql`select p.variant_id from import_plan p where ${isPlanned(stage)} and p.variant_id is not null and p.certifies`;
}

export function newLinks({ brandId, importId }: ImportKey): Rows<NewLink> {
  return sql`
    select brand_id, variant_id, certificate_id from import_links where brand_id = ${brandId} and import_id = ${importId}`;
}
