import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { acceptedRows, type Plan, variantOf } from './merge.queries.ts';
import type { IgnoredEdits } from './rows/row-problem.ts';

/**
 * Call it before the merge. An export has only the newest certificate of each certification, and none of retired ones. A variant with rejected
 * rows is not judged by what the others lack.
 */
export async function countIgnoredEdits(db: Db, plan: Plan): Promise<IgnoredEdits | undefined> {
  const { stage, publishesRows, readsBrand } = plan;
  const { brandId, importId } = stage;
  const emptied = (column: 'description' | 'image_link' | 'product_page_url') =>
    sql`count(*) filter (where is_whole and old_details->>${column} <> '' and details->>${column} is null) as ${sql.ref(column)}`;
  const { rows } = await sql<IgnoredEdits>`
    with s as materialized (
      select gtin14, max(category) as category, max(details)::jsonb as details, bool_or(publish) as publish, max(cells->>'published') as published
      from ${acceptedRows(stage)} group by gtin14
    ), known as materialized (
      select s.*, v.id as variant_id, v.category as old_category, v.details as old_details, v.published as was_published, bad.gtin14 is null as is_whole
      from s join ${variantOf(brandId, readsBrand)} left join (
        select distinct gtin14 from import_rows where brand_id = ${brandId} and import_id = ${importId} and errors is not null
      ) bad on bad.gtin14 = s.gtin14
    ), given as materialized (
      select known.variant_id, r.certification_id, r.certificate_key, r.certificate_link, r.cells->>'certificate_status' as status,
        r.cells->>'certificate_expires_on' as expires
      from known join (select * from ${acceptedRows(stage)} and certification_id is not null) r on r.gtin14 = known.gtin14
    ), named as materialized (
      select certification_id, certificate_key, min(status) as status, min(expires) as expires, max(certificate_link) as link from given group by 1, 2
    ), had as materialized (
      select distinct on (l.variant_id, c.certification_id) l.variant_id, c.certification_id
      from (
        select variant_id, certificate_id from variant_certificates
        where brand_id = ${brandId} and variant_id = any (array(select variant_id from known where is_whole))
      ) l
      join certificates c on c.brand_id = ${brandId} and c.id = l.certificate_id
      join certifications n on n.id = c.certification_id and n.retired_at is null
    )
    select count(*) filter (where published <> was_published::text and published <> (was_published or publish and ${publishesRows})::text) as published,
      count(*) filter (where is_whole and was_published and not publish) as publishing_channel,
      count(*) filter (where is_whole and old_category <> '' and category = '') as category,
      ${emptied('description')}, ${emptied('image_link')}, ${emptied('product_page_url')},
      (select count(*) from named left join certificates c on c.brand_id = ${brandId}
        and c.certification_id = named.certification_id and c.id_key = named.certificate_key
        where named.status <> coalesce(c.status, '')) as certificate_status,
      (select count(*) from named left join certificates c on c.brand_id = ${brandId}
        and c.certification_id = named.certification_id and c.id_key = named.certificate_key
        where named.expires <> coalesce(c.expires_on::text, '')) as certificate_expires_on,
      (select count(*) from named join certificates c on c.brand_id = ${brandId}
        and c.certification_id = named.certification_id and c.id_key = named.certificate_key
        where c.link <> '' and named.link is null) as certificate_link,
      (select count(*) from had where not exists (
        select from given where given.variant_id = had.variant_id and given.certification_id = had.certification_id)) as removed_certificates
    from known
  `.execute(db);
  return rows[0];
}
