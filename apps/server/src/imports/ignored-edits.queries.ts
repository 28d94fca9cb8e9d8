import { DETAIL_FIELDS } from '@brand-portal/contract/variant-fields';
import { sql } from 'kysely';
import type { IgnoredEdits } from '../catalog/fields/row-problem.ts';
import type { Db } from '../db/database.ts';
import type { Condition } from '../db/fragments.ts';
import { isAccepted, type PlanOptions, variantOf } from './plan.queries.ts';

/**
 * Call it before the merge. Each row is compared: one edited row of several is an edit too. An export has only the newest certificate of each
 * certification, and none of retired ones. A row that gives a known variant another certificate is not of the export: its blank cells say
 * nothing, nor do the status and the day that an exchanged id leaves of the old one. A variant with rejected rows is not judged by what the others lack.
 */
export async function countIgnoredEdits(db: Db, options: PlanOptions): Promise<IgnoredEdits | undefined> {
  const { stage, publishesRows, readsBrand } = options;
  const { brandId, importId } = stage;
  const emptied = (had: Condition, isBlank: Condition): Condition =>
    sql`bool_or(is_whole and ${had} and ${isBlank} and is_exported) or bool_and(is_whole and ${had} and ${isBlank})`;
  const emptiedDetails = DETAIL_FIELDS.map(
    (field) => sql`${emptied(sql`old_details->>${field} <> ''`, sql`details->>${field} is null`)} as ${sql.ref(field)}`,
  );
  const countedDetails = DETAIL_FIELDS.map((field) => sql`count(*) filter (where ${sql.ref(field)}) as ${sql.ref(field)}`);
  const { rows } = await sql<IgnoredEdits>`
    with s as materialized (
      select gtin14, category, details::jsonb as details, publish, certification_id, certificate_key, certificate_link,
        cells->>'published' as published, cells->>'certificate_status' as status, regexp_split_to_array(cells->>'certificate_expires_on', '[|]') as days
      from import_rows where ${isAccepted(stage)}
    ), known as materialized (
      select s.*, v.id as variant_id, v.category as old_category, v.details as old_details, v.published as was_published, bad.gtin14 is null as is_whole
      from s join ${variantOf(brandId, readsBrand)} left join (
        select distinct gtin14 from import_rows where brand_id = ${brandId} and import_id = ${importId} and errors is not null
      ) bad on bad.gtin14 = s.gtin14
    ), had as materialized (
      select l.variant_id, c.certification_id, c.id_key, c.status, coalesce(c.expires_on::text, '') as expires_on
      from (
        select variant_id, certificate_id from variant_certificates
        where brand_id = ${brandId} and variant_id = any (array(select variant_id from known))
      ) l
      join certificates c on c.brand_id = ${brandId} and c.id = l.certificate_id
      join certifications n on n.id = c.certification_id and n.retired_at is null
    ), given as materialized (
      select known.*, certificate_key is null or had.variant_id is not null as is_exported from known left join had
        on had.variant_id = known.variant_id and had.certification_id = known.certification_id and had.id_key = known.certificate_key
    ), left_over as (
      select variant_id, array_agg(status) as statuses, array_agg(expires_on) as days from had group by variant_id
    ), products as (
      select bool_or(is_told and published <> 'true') or bool_or(is_told) and not (bool_or(publish) and ${publishesRows}) as published,
        ${emptied(sql`was_published`, sql`not publish`)} as publishing_channel,
        ${emptied(sql`old_category <> ''`, sql`category = ''`)} as category,
        ${sql.join(emptiedDetails)}
      from (select *, published <> was_published::text and (published <> '' or is_exported) as is_told from given) g group by variant_id
    ), named as (
      select bool_or(g.status <> coalesce(c.status, '') and (is_exported or g.status <> '' and (g.status = any (o.statuses)) is not true)) as status,
        bool_or(coalesce(c.expires_on::text, '') <> all (g.days) and (is_exported or g.days <> '{""}' and (g.days && o.days) is not true)) as expires,
        bool_or(c.link <> '' and g.certificate_link is null and is_exported) as link
      from given g left join left_over o using (variant_id) left join certificates c on c.brand_id = ${brandId}
        and c.certification_id = g.certification_id and c.id_key = g.certificate_key
      where g.certificate_key is not null group by g.certification_id, g.certificate_key
    )
    select count(*) filter (where published) as published, count(*) filter (where publishing_channel) as publishing_channel,
      count(*) filter (where category) as category, ${sql.join(countedDetails)},
      (select count(*) from named where status) as certificate_status,
      (select count(*) from named where expires) as certificate_expires_on,
      (select count(*) from named where link) as certificate_link,
      (select count(*) from (select distinct variant_id, certification_id from had) had
        where variant_id in (select variant_id from known where is_whole) and not exists (
          select from given where given.variant_id = had.variant_id and given.certification_id = had.certification_id)) as removed_certificates
    from products
  `.execute(db);
  return rows[0];
}
