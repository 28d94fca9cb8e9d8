import { type ImportNotice, MAX_DISMISSED } from '@brand-portal/contract/import';
import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { Condition, Value } from '../db/fragments.ts';
import { IS_LISTED } from '../db/listed-imports.ts';

/** How long imports are shown in "Needs attention", unless they are dismissed. */
const NOTICE_DAYS = 30;

const isRecent: Condition = sql`i.dismissed_at is null and ${IS_LISTED} and i.created_at > now() - make_interval(days => ${NOTICE_DAYS})`;

/** Whether an import `i` of the brand needs attention. A check changes nothing, so a failed one does not; nor do rows that were corrected. */
const reasons = (brandId: number): Readonly<Record<ImportNotice, Condition>> => ({
  failed: sql`i.state = 'failed' and not i.is_check`,
  rejected_rows: sql`i.state = 'done' and i.rejected > 0 and i.rejected > (
    select coalesce(sum(c.imported), 0) from imports c
    where c.brand_id = ${brandId} and c.corrects_import_id = i.id and c.state = 'done'
  )`,
});

export function hasNotice(brandId: number, notice: ImportNotice): Condition {
  return sql`${isRecent} and ${reasons(brandId)[notice]}`;
}

export interface NoticedImports extends Readonly<Record<ImportNotice, number>> {
  /** The newest first. */
  readonly ids: Readonly<Record<ImportNotice, number[]>>;
}

export async function countNotices(db: Db, brandId: number): Promise<NoticedImports> {
  const { failed, rejected_rows } = reasons(brandId);
  const idsOf = (state: string): Value<number[]> =>
    sql`coalesce(to_json((array_agg(i.id order by i.id desc) filter (where i.state = ${state}))[1:${sql.lit(MAX_DISMISSED)}]), '[]')`;
  const { rows } = await sql<NoticedImports>`
    select count(*) filter (where i.state = 'failed') as failed, count(*) filter (where i.state = 'done') as rejected_rows,
      json_build_object('failed', ${idsOf('failed')}, 'rejected_rows', ${idsOf('done')}) as ids
    from imports i where i.brand_id = ${brandId} and ${isRecent} and (${failed} or ${rejected_rows})
  `.execute(db);
  if (!rows[0]) throw new Error('The count returned no row');
  return rows[0];
}

/** Returns how many. */
export async function dismissNotices(db: Db, brandId: number, notice: ImportNotice, ids: readonly number[]): Promise<number> {
  const { numAffectedRows } = await sql`
    update imports i set dismissed_at = now() where i.brand_id = ${brandId} and i.id = any (${ids}::bigint[]) and ${hasNotice(brandId, notice)}
  `.execute(db);
  return Number(numAffectedRows ?? 0);
}
