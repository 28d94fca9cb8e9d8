import type { VariantDetails } from '@brand-portal/contract/import-mapping';
import { MAX_SHOWN_CERTIFICATES } from '@brand-portal/contract/variants';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { setForTransaction } from '../../db/statements.ts';
import { acceptedRows, compared, linksOf, namedLinks, type Plan } from './merge.queries.ts';

export interface MergePreview {
  readonly created: number;
  readonly updated: number;
  /** Of the updated ones. */
  readonly renamed: number;
  readonly unchanged: number;
  readonly published: number;
  /** Already published variants that are sent to the channel again. */
  readonly sent_again: number;
}

/** Examples of what a merge would create and change, in file order. */
interface Samples {
  readonly created: readonly SampledVariant[];
  readonly updated: readonly SampledVariant[];
}

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

/** Only reads. A test checks that the merge does the same. Returns up to `sampleSize` examples of each kind. */
export async function previewMerge(db: Db, plan: Plan, sampleSize = 0): Promise<MergePreview & { samples: Samples }> {
  const isUpdated = sql`variant_id is not null and (renamed or recategorised or redetailed or newly_published or certified.id is not null)`;
  const joined = sql`compared left join certified on certified.id = compared.variant_id`;
  const isSentAgain = sql`published and (renamed or recategorised or redetailed or certified.visible)`;
  const { brandId } = plan.stage;
  // A new page of a valid certificate is sent for all its variants, also for those that are not in the file.
  const relinked = sql`
    select l.variant_id from (${namedLinks(plan.stage)}) named (certification_id, id_key, link)
    join certificates c on c.brand_id = ${brandId} and c.certification_id = named.certification_id and c.id_key = named.id_key
    join variant_certificates l on l.brand_id = ${brandId} and l.certificate_id = c.id
    join variants v on v.brand_id = ${brandId} and v.id = l.variant_id
    where c.link <> named.link and c.status = 'validated' and v.published`;
  const sentAgain = plan.hasLinks
    ? sql`(select count(*) from (select variant_id from ${joined} where ${isSentAgain} union ${relinked}) x)`
    : sql`count(*) filter (where ${isSentAgain})`;
  const sample = (condition: RawBuilder<unknown>) =>
    sql`array(select gtin14 from ${joined} where ${condition} order by first_row limit ${sampleSize})`;
  const { rows } = await sql<MergePreview & { created_gtins: string[]; updated_gtins: string[] }>`
    with compared as materialized (
      select gtin14, variant_id, first_row, published, renamed, recategorised, redetailed, newly_published from (${compared(plan)}) c
    ), s as materialized (
      select known.variant_id, r.certification_id, r.certificate_key
      from (select * from ${acceptedRows(plan.stage)} and certification_id is not null) r
      join compared known on known.gtin14 = r.gtin14 and known.variant_id is not null
    ), certified as materialized (
      select s.variant_id as id, bool_or(c.status = 'validated') is true as visible
      from ${linksOf(plan, sql`left join`)} where l.variant_id is null group by s.variant_id
    )
    select count(*) filter (where variant_id is null) as created,
      count(*) filter (where ${isUpdated}) as updated,
      count(*) filter (where variant_id is not null and not (${isUpdated})) as unchanged,
      count(*) filter (where renamed) as renamed,
      count(*) filter (where newly_published) as published,
      ${sentAgain} as sent_again,
      ${sample(sql`variant_id is null`)} as created_gtins, ${sample(isUpdated)} as updated_gtins
    from ${joined}
  `.execute(db);
  const { created_gtins = [], updated_gtins = [], ...counts } = rows[0] ?? {};
  const planned = { created: 0, updated: 0, renamed: 0, unchanged: 0, published: 0, sent_again: 0, ...counts };
  const sampled = await describeSampled(db, plan, [...created_gtins, ...updated_gtins]);
  const describe = (gtins: readonly string[]) => gtins.flatMap((gtin14) => sampled.get(gtin14) ?? []);
  return { ...planned, samples: { created: describe(created_gtins), updated: describe(updated_gtins) } };
}

/** Examples from the file joined with the stored variants, by GTIN. */
async function describeSampled(
  db: Db,
  plan: Plan,
  gtins: readonly string[],
): Promise<ReadonlyMap<string, SampledVariant>> {
  if (gtins.length === 0) return new Map();
  // A few rows are faster by index lookups.
  await setForTransaction(db, { enable_nestloop: 'on' });
  const { brandId } = plan.stage;
  const { rows } = await sql<SampledVariant & { gtin14: string }>`
    with sampled as materialized (
      select * from ${acceptedRows(plan.stage)} and gtin14 = any (${gtins})
    ), described as materialized (${compared({ ...plan, readsBrand: false }, sql`sampled`)}), had as materialized (
      select d.gtin14, c.certification_id, c.id_key, n.name || ' ' || c.external_certificate_id as certificate
      from described d
      join variant_certificates l on l.brand_id = ${brandId} and l.variant_id = d.variant_id
      join certificates c on c.brand_id = ${brandId} and c.id = l.certificate_id
      join certifications n on n.id = c.certification_id
    ), added as materialized (
      select r.gtin14, n.name || ' ' || min(r.external_certificate_id) as certificate
      from sampled r join certifications n on n.id = r.certification_id
      where not exists (select from had where (had.gtin14, had.certification_id, had.id_key) = (r.gtin14, r.certification_id, r.certificate_key))
      group by r.gtin14, n.name, r.certificate_key
    )
    select gtin14, gtin, name, category, details, case when redetailed then old_details end as old_details,
      case when renamed then old_name end as old_name, case when recategorised then old_category end as old_category,
      array(select certificate from added where added.gtin14 = d.gtin14 order by certificate) as certificates,
      array(select certificate from had where had.gtin14 = d.gtin14 order by certificate limit ${MAX_SHOWN_CERTIFICATES}) as old_certificates
    from described d
  `.execute(db);
  return new Map(rows.map(({ gtin14, ...variant }) => [gtin14, variant]));
}
