import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { setForTransaction } from '../../db/statements.ts';
import type { Stage } from './staging.queries.ts';

/**
 * Compares the staged rows with the brand: which variants and links are new, and which known variants change. Reads only;
 * modules/writes/ then writes what is planned here.
 *
 * The planner's statistics are older than the brand's last import and know nothing of a new brand's 100,000
 * variants. So there are two query plans, chosen by size (`readsBrand`). A large file is joined with all rows of the brand, by
 * hashes. For a small one each row is looked up: "from this key to this key, ordered by the key, the first" is one step down the
 * index that has that order. A plain comparison could take any index that begins with the brand, and read all of it for each row.
 */

/** Joins by hashes: the number of staged rows is not in the statistics either. */
export async function prepareMerge(db: Db): Promise<void> {
  await setForTransaction(db, { jit: 'off', work_mem: '64MB', enable_nestloop: 'off' });
}

/** One index lookup costs about as much as reading this many rows. */
const ROWS_PER_LOOKUP = 8;

/** Whether the brand is read as a whole, for a file of so many rows. */
export async function readsBrand(db: Db, brandId: number, rows: number): Promise<boolean> {
  const { rows: counts } = await sql<{ total: number }>`
    select total from variant_counts where brand_id = ${brandId}
  `.execute(db);
  return (counts[0]?.total ?? 0) <= rows * ROWS_PER_LOOKUP;
}

/** The brand's variant with the GTIN of the row `s`, as `v`. */
function variantOf(brandId: number, readsBrand: boolean) {
  const variants = sql`select id, gtin14, name, category, details, published, version from variants where brand_id = ${brandId}`;
  return readsBrand
    ? sql`(${variants}) v on v.gtin14 = s.gtin14`
    : sql`lateral (${variants} and gtin14 between s.gtin14 and s.gtin14 order by gtin14 limit 1) v on true`;
}

/**
 * One row per variant that the file speaks of, beside what the brand has of it. Where several rows speak of one, their names and categories
 * differ in case and accents at most (`rejectContradictions`): any of them will do.
 */
export function compared({ stage, readsBrand, mayPublish }: Plan, rows = acceptedRows(stage)) {
  return sql`
    with s as (
      select brand_id, import_id, gtin14, max(gtin) as gtin, max(name) as name, nullif(max(category), '') as category,
        max(details) as details,
        min(row_number) as first_row, bool_or(certification_id is not null) as certified, bool_or(publish) and ${mayPublish} as publish
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

export const acceptedRows = ({ brandId, importId }: Stage) =>
  sql`import_rows where brand_id = ${brandId} and import_id = ${importId} and errors is null`;

/** What an import is to do, and how what the brand has is found. */
export interface Plan {
  readonly stage: Stage;
  readonly readsBrand: boolean;
  readonly mayPublish: boolean;
  /** Whether a row tells where a certificate is found at its issuer. */
  readonly hasLinks: boolean;
}

interface PlannedCounts {
  /** That the file speaks of. */
  readonly variants: number;
  readonly created: number;
  /** Of these, with certificates. */
  readonly created_certified: number;
  /** Known variants of which the file says something new, apart from links. */
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

/** For `insertVariants`. The file's last row first: the list, which shows the newest first, then shows them in the file's order. */
export function newVariants(plan: Plan) {
  return sql`
    select brand_id, gtin, name, category, details, newly_published, certified
    from (${compared(plan)}) compared where variant_id is null order by first_row desc`;
}

/** Notes which of the known variants change, and in what: to be shown and taken back, and because afterwards nobody could tell. */
export async function planChanges(db: Db, plan: Plan): Promise<void> {
  await sql`
    insert into import_changes (brand_id, import_id, variant_id, gtin, old_name, new_name, old_category, new_category,
      old_details, new_details, was_published, newly_published, version)
    select brand_id, import_id, variant_id, gtin, old_name, name, old_category, category,
      old_details, details, published, newly_published, version + (renamed or recategorised or redetailed)::int
    from (${compared(plan)}) compared where variant_id is not null and (renamed or recategorised or redetailed or newly_published)
  `.execute(db);
}

const planned = ({ brandId, importId }: Stage) => sql`brand_id = ${brandId} and import_id = ${importId}`;

/** For `updateVariants`. */
export function changedVariants(stage: Stage) {
  const changes = sql`from import_changes where ${planned(stage)}`;
  const renamed = sql`new_name <> old_name`;
  const changed = sql`(${renamed} or new_category <> old_category or new_details <> old_details)`;
  return {
    changes: sql`select brand_id, gtin, new_name, new_category, new_details ${changes} and ${changed}`,
    renamed: sql`select brand_id, variant_id ${changes} and ${renamed}`,
    outdated: sql`select brand_id, variant_id ${changes} and was_published and ${changed}`,
  };
}

/** For `publishVariants`: known variants that the file publishes. */
export function newlyPublished(stage: Stage) {
  return sql`id = any (array(select variant_id from import_changes where ${planned(stage)} and newly_published))`;
}

/** For `insertCertificates`. */
export function newCertificates({ stage: { brandId, importId }, readsBrand }: Plan) {
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
    left join ${certificateOf(brandId, readsBrand)}
    where c.id is null
    order by s.first_row`;
}

/** For `updateCertificateLinks`. Where rows differ, the last one counts. */
export function namedLinks({ brandId, importId }: Stage) {
  return sql`
    select distinct on (certification_id, certificate_key) certification_id, certificate_key, certificate_link from import_rows
    where brand_id = ${brandId} and import_id = ${importId} and errors is null and certificate_link is not null
    order by certification_id, certificate_key, row_number desc`;
}

/** The file's certificates beside the brand's: the variant `v` shall have the certificate `c`, and has it where `l` is there. */
export function linksOf({ stage: { brandId, importId }, readsBrand }: Plan, joinCertificate: RawBuilder<unknown>) {
  const links = sql`select variant_id, certificate_id from variant_certificates where brand_id = ${brandId}`;
  const linkOf = readsBrand
    ? sql`(${links}) l on l.variant_id = v.id and l.certificate_id = c.id`
    : sql`lateral (
        ${links} and (variant_id, certificate_id) >= (v.id, c.id) and (variant_id, certificate_id) <= (v.id, c.id)
        order by variant_id, certificate_id limit 1
      ) l on true`;
  return {
    // By itself, because the planner takes the lookups below for filters that leave one row, and would join for one.
    rows: sql`s as materialized (
      select distinct brand_id, import_id, gtin14, certification_id, certificate_key from import_rows
      where brand_id = ${brandId} and import_id = ${importId} and errors is null and certification_id is not null
    )`,
    joined: sql`s join ${variantOf(brandId, readsBrand)} ${joinCertificate} ${certificateOf(brandId, readsBrand)} left join ${linkOf}`,
  };
}

/**
 * Which variants get which certificates again: call it when both are there. Returns how many links, and how many variants that
 * did not change in anything else; all that are new and certified have links that are new.
 */
export async function planLinks(
  db: Db,
  plan: Plan,
  { created_certified }: PlannedCounts,
): Promise<{ links: number; variants: number }> {
  const { brandId, importId } = plan.stage;
  const given = linksOf(plan, sql`join`);
  await sql`
    insert into import_links (brand_id, import_id, variant_id, certificate_id)
    with ${given.rows}
    select s.brand_id, s.import_id, v.id, c.id from ${given.joined} where l.variant_id is null
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
 * Variants that get a certificate of a certification of which they have another one. Call it before the new links are there.
 * Step by step: joined by certification first, 14,000 links and 500 certificates of one certification were compared each with each.
 */
export async function countFurtherCertificates(db: Db, stage: Stage): Promise<number> {
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

/** For `insertLinks`. */
export function newLinks(stage: Stage) {
  return sql`select brand_id, variant_id, certificate_id from import_links where ${planned(stage)}`;
}

/** The brand's certificate that the row `s` names, as `c`. */
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
