import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import type { Condition } from '../../db/fragments.ts';

export interface FeedRow {
  readonly created_by: number | null;
  readonly maker_left: boolean;
  readonly created_at: Date;
  readonly revoked_at: Date | null;
  readonly last_fetched_at: Date | null;
}

export async function findFeed(db: Db, brandId: number): Promise<FeedRow | undefined> {
  const { rows } = await sql<FeedRow>`
    select f.created_at, f.created_by, f.revoked_at, f.last_fetched_at, not exists (
        select from brand_members m where m.brand_id = f.brand_id and m.user_id = f.created_by and m.status = 'active'
      ) and not exists (select from api_keys k where k.brand_id = f.brand_id and k.user_id = f.created_by) as maker_left
    from channel_feeds f where f.brand_id = ${brandId}
  `.execute(db);
  return rows[0];
}

/** Replaces the previous feed; its token stops working. */
export async function upsertFeed(db: Db, brandId: number, tokenHash: Buffer, createdBy: number): Promise<void> {
  await sql`
    insert into channel_feeds (brand_id, token_hash, created_by) values (${brandId}, ${tokenHash}, ${createdBy})
    on conflict (brand_id) do update set token_hash = excluded.token_hash, created_by = excluded.created_by, created_at = now(),
      revoked_at = null, last_fetched_at = null
  `.execute(db);
}

/** Whoever created it, unless `createdBy` is given. Returns whether there was a feed to revoke. */
export async function updateFeedRevoked(db: Db, brandId: number, createdBy?: number): Promise<boolean> {
  const isTheirs: Condition = createdBy === undefined ? sql`true` : sql`created_by = ${createdBy}`;
  const { rows } = await sql`
    update channel_feeds set revoked_at = now() where brand_id = ${brandId} and revoked_at is null and ${isTheirs} returning brand_id
  `.execute(db);
  return rows.length > 0;
}
