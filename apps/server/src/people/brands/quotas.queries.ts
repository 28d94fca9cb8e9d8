import type { QuotaName } from '@brand-portal/contract/quotas';
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import type { Rows } from '../../db/fragments.ts';
import { IS_LISTED } from '../../db/listed-imports.ts';

const USED: Readonly<Record<QuotaName, (brandIds: readonly number[]) => Rows<{ brand_id: number; used: number }>>> = {
  variants: (ids) => sql`
    select brand_id, sum(used)::bigint as used from (
      select brand_id, total as used from variant_counts where brand_id = any (${ids}::bigint[])
      union all
      select brand_id, variants from deletions where brand_id = any (${ids}::bigint[]) and restored_at is null
    ) parts group by brand_id`,
  api_keys: (ids) => sql`
    select brand_id, count(*) as used from api_keys
    where brand_id = any (${ids}::bigint[]) and revoked_at is null and (expires_at is null or expires_at > now()) group by brand_id`,
  imports: (ids) => sql`
    select brand_id, count(*) as used from imports
    where brand_id = any (${ids}::bigint[]) and ${IS_LISTED} group by brand_id`,
  staged_bytes: (ids) => sql`
    select brand_id, sum(file_bytes)::bigint as used from imports
    where brand_id = any (${ids}::bigint[]) and state in ('waiting', 'running', 'checked') group by brand_id`,
};

/** The most that any of the brands has. */
export async function countUsed(db: Db, brandIds: readonly number[], name: QuotaName): Promise<number> {
  const { rows } = await USED[name](brandIds).execute(db);
  return rows.reduce((most, { used }) => Math.max(most, used), 0);
}
