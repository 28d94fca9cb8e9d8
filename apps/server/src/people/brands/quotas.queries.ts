import type { QuotaName } from '@brand-portal/contract/quotas';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/database.ts';

const USED: Readonly<Record<QuotaName, (brandId: number) => RawBuilder<{ used: number }>>> = {
  variants: (brandId) => sql`
    select coalesce((select total from variant_counts where brand_id = ${brandId}), 0)
      + coalesce((select sum(variants) from deletions where brand_id = ${brandId} and restored_at is null), 0)::bigint as used`,
  api_keys: (brandId) => sql`
    select count(*) as used from api_keys
    where brand_id = ${brandId} and revoked_at is null and (expires_at is null or expires_at > now())`,
  imports: (brandId) => sql`
    select count(*) as used from imports where brand_id = ${brandId} and kind in ('file', 'corrections', 'undo')`,
  staged_bytes: (brandId) => sql`
    select coalesce(sum(file_bytes), 0)::bigint as used from imports
    where brand_id = ${brandId} and state in ('waiting', 'running', 'checked')`,
};

export async function countUsed(db: Db, brandId: number, name: QuotaName): Promise<number> {
  const { rows } = await USED[name](brandId).execute(db);
  return rows[0]?.used ?? 0;
}
