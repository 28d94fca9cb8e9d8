import type { VariantDetails } from '@brand-portal/contract/import-mapping';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { setForTransaction } from '../../db/statements.ts';
import { compared, linksOf, type Plan } from './merge.queries.ts';
import type { Stage } from './staging.queries.ts';

/** What a merge would do. */
interface Foreseen {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly published: number;
  /** Published already, and to be told to the channel again. */
  readonly sent_again: number;
}

/** Some of what a merge would create and change, in the file's order. */
interface Samples {
  readonly created: readonly SampledVariant[];
  readonly updated: readonly SampledVariant[];
}

interface SampledVariant {
  readonly gtin: string;
  readonly name: string;
  readonly category: string;
  /** Null where it does not change. */
  readonly old_name: string | null;
  readonly old_category: string | null;
  readonly details: VariantDetails;
  readonly old_details: VariantDetails | null;
  readonly certificates: string[];
  readonly old_certificates: string[];
}

type Sampled = Omit<SampledVariant, 'certificates' | 'old_certificates'> & {
  readonly gtin14: string;
  readonly variant_id: number | null;
};

/** Only reads: a test holds that the merge does the same. With so many of each kind by name. */
export async function foreseeMerge(db: Db, plan: Plan, sampleSize = 0): Promise<Foreseen & { samples: Samples }> {
  const given = linksOf(plan, sql`left join`);
  const isUpdated = sql`variant_id is not null and (renamed or recategorised or redetailed or newly_published or certified.id is not null)`;
  const sample = (condition: RawBuilder<unknown>) => sql`(
    select coalesce(json_agg(sampled order by first_row), '[]') from (
      select gtin, gtin14, variant_id, name, category, details, first_row, case when redetailed then old_details end as old_details,
        case when renamed then old_name end as old_name, case when recategorised then old_category end as old_category
      from compared left join certified on certified.id = compared.variant_id where ${condition} order by first_row limit ${sampleSize}
    ) sampled)`;
  const { rows } = await sql<Foreseen & { created_sample: Sampled[]; updated_sample: Sampled[] }>`
    with compared as materialized (${compared(plan)}), ${given.rows}, certified as materialized (
      select v.id, bool_or(c.status = 'validated') is true as visible from ${given.joined} where l.variant_id is null group by v.id
    )
    select count(*) filter (where variant_id is null) as created,
      count(*) filter (where ${isUpdated}) as updated,
      count(*) filter (where variant_id is not null and not (${isUpdated})) as unchanged,
      count(*) filter (where newly_published) as published,
      count(*) filter (where published and (renamed or recategorised or redetailed or certified.visible)) as sent_again,
      ${sample(sql`variant_id is null`)} as created_sample, ${sample(isUpdated)} as updated_sample
    from compared left join certified on certified.id = compared.variant_id
  `.execute(db);
  const { created_sample = [], updated_sample = [], ...counts } = rows[0] ?? {};
  const foreseen = { created: 0, updated: 0, unchanged: 0, published: 0, sent_again: 0, ...counts };
  if (created_sample.length + updated_sample.length === 0)
    return { ...foreseen, samples: { created: [], updated: [] } };
  const certificates = await listSampledCertificates(db, plan.stage, [...created_sample, ...updated_sample]);
  const withCertificates = ({ gtin14, variant_id: _, ...sampled }: Sampled) => ({
    ...sampled,
    certificates: certificates.get(gtin14)?.added ?? [],
    old_certificates: certificates.get(gtin14)?.had ?? [],
  });
  const samples = { created: created_sample.map(withCertificates), updated: updated_sample.map(withCertificates) };
  return { ...foreseen, samples };
}

interface SampledCertificates {
  readonly gtin14: string;
  readonly added: string[];
  readonly had: string[];
}

/** Which certificates a few variants get, and which they have, by GTIN. */
async function listSampledCertificates(
  db: Db,
  { brandId, importId }: Stage,
  sampled: readonly Sampled[],
): Promise<ReadonlyMap<string, SampledCertificates>> {
  // A few rows are looked up one by one.
  await setForTransaction(db, { enable_nestloop: 'on' });
  const ids = sampled.flatMap(({ variant_id }) => (variant_id === null ? [] : [variant_id]));
  const { rows } = await sql<SampledCertificates>`
    with had as materialized (
      select v.gtin14, c.certification_id, c.id_key, n.name || ' ' || c.external_certificate_id as certificate
      from variants v
      join variant_certificates l on l.brand_id = ${brandId} and l.variant_id = v.id
      join certificates c on c.brand_id = ${brandId} and c.id = l.certificate_id
      join certifications n on n.id = c.certification_id
      where v.brand_id = ${brandId} and v.id = any (${ids})
    ), added as (
      select r.gtin14, n.name || ' ' || min(r.external_certificate_id) as certificate
      from import_rows r join certifications n on n.id = r.certification_id
      where r.brand_id = ${brandId} and r.import_id = ${importId} and r.errors is null
        and r.gtin14 = any (${sampled.map(({ gtin14 }) => gtin14)})
        and not exists (select from had where (had.gtin14, had.certification_id, had.id_key) = (r.gtin14, r.certification_id, r.certificate_key))
      group by r.gtin14, n.name, r.certificate_key
    )
    select gtin14, coalesce(array_agg(certificate order by certificate) filter (where is_new), '{}') as added,
      coalesce(array_agg(certificate order by certificate) filter (where not is_new), '{}') as had
    from (select gtin14, certificate, true as is_new from added union all select gtin14, certificate, false from had) c
    group by gtin14
  `.execute(db);
  return new Map(rows.map((row) => [row.gtin14, row]));
}
