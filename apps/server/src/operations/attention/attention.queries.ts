import type { ChannelIssueGroup } from '@brand-portal/contract/attention';
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';

interface BrandCounts {
  readonly refused: number;
  readonly partly_live: number;
  readonly invalid: number;
  readonly pending: number;
  readonly published: number;
}

/** Answered from small partial indexes, because the dashboard counts for every brand. */
export async function countProblems(db: Db, brandId: number): Promise<BrandCounts> {
  const { rows } = await sql<BrandCounts>`
    select d.refused, d.partly_live, c.invalid, c.pending,
      (select coalesce(sum(published), 0)::bigint from variant_counts where brand_id = ${brandId}) as published
    from (
      select count(*) filter (where state = 'refused') as refused, count(*) filter (where state = 'partly_live') as partly_live
      from deliveries where brand_id = ${brandId} and wanted = 'present' and state in ('refused', 'partly_live')
    ) d cross join (
      select count(*) filter (where status = 'invalid') as invalid, count(*) filter (where status = 'pending') as pending
      from certificates where brand_id = ${brandId} and status in ('invalid', 'pending')
    ) c
  `.execute(db);
  if (!rows[0]) throw new Error('The count returned no row');
  return rows[0];
}

/** Not for the dashboard: if the channel fails for hours, these are all variants of all brands. Without deleted ones, which no list shows. */
export async function countUnreachable(db: Db, brandId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from deliveries d
    where d.brand_id = ${brandId} and d.attempts >= 3 and d.state in ('queued', 'removing') and d.reason <> ''
      and exists (select from variants v where v.brand_id = ${brandId} and v.id = d.variant_id)
  `.execute(db);
  return rows[0]?.count ?? 0;
}

/**
 * The channel's issues with the current versions, most frequent first. One entry per type with its worst severity, because the list filters
 * by type.
 */
export async function listIssueGroups(db: Db, brandId: number): Promise<ChannelIssueGroup[]> {
  const { rows } = await sql<ChannelIssueGroup>`
    select i.type, case when bool_or(i.severity = 'error') then 'error' when bool_or(i.severity = 'warning') then 'warning' else 'info' end as severity,
      min(i.title) as title, min(i.description) as description, min(i.resolution) as resolution, count(distinct i.variant_id) as count
    from delivery_issues i
    join deliveries d on d.brand_id = ${brandId} and d.variant_id = i.variant_id and d.revision = i.revision and d.wanted = 'present'
    where i.brand_id = ${brandId}
    group by i.type
    order by bool_or(i.severity = 'error') desc, count desc, i.type
  `.execute(db);
  return rows;
}
