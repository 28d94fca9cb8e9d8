import { sql } from 'kysely';
import { type Db, inTransaction } from '../db/database.ts';
import { certificationsOf, type DeliveredCertification } from './deliveries.queries.ts';

export interface KnownFeed {
  readonly brand_id: number;
  readonly is_inactive: boolean;
  /** How many changes of the brand the feed has. */
  readonly changes: number;
  /** Of the last computation: what it was for, and its result. */
  readonly digest: string | null;
  readonly digest_key: string | null;
  readonly digest_changes: number | null;
  readonly changed_at: Date | null;
  /** Computed within the last hour: the catalogue may have changed since. */
  readonly is_recent: boolean;
  /** The last fetch is more than a minute ago. */
  readonly is_due: boolean;
}

export async function findFeedByToken(db: Db, tokenHash: Buffer): Promise<KnownFeed | undefined> {
  const { rows } = await sql<KnownFeed>`
    select f.brand_id, b.status = 'inactive' as is_inactive, f.changes, f.digest, f.digest_key, f.digest_changes, f.changed_at,
      coalesce(f.digested_at > now() - interval '1 hour', false) as is_recent,
      f.last_fetched_at is null or f.last_fetched_at < now() - interval '1 minute' as is_due
    from channel_feeds f join brands b on b.id = f.brand_id
    where f.token_hash = ${tokenHash} and f.revoked_at is null and b.deleted_at is null
  `.execute(db);
  return rows[0];
}

/** Does not wait for a writer of the brand, who may hold the row for long: the next fetch stores it. */
export async function updateFeedFetched(db: Db, brandId: number): Promise<void> {
  await sql`
    update channel_feeds set last_fetched_at = now()
    where brand_id = (select brand_id from channel_feeds where brand_id = ${brandId} for update skip locked)
  `.execute(db);
}

/** Returns when the content last changed. Like `updateFeedFetched`, it does not wait. */
export async function updateFeedDigest(
  db: Db,
  brandId: number,
  { digest, key, changes }: { digest: string; key: string; changes: number },
): Promise<Date | undefined> {
  const { rows } = await sql<{ changed_at: Date }>`
    update channel_feeds set digest = ${digest}, digest_key = ${key}, digest_changes = ${changes}, digested_at = now(),
      changed_at = case when digest is distinct from ${digest} then now() else changed_at end
    where brand_id = (select brand_id from channel_feeds where brand_id = ${brandId} for update skip locked)
    returning changed_at
  `.execute(db);
  return rows[0]?.changed_at;
}

export interface FeedItem {
  readonly id: number;
  readonly gtin: string;
  readonly certifications: readonly DeliveredCertification[];
}

/** The next published variants with certificates. The certificates may be invalid. */
export async function listFeedItems(
  db: Db,
  { brandId, after, take, today }: { brandId: number; after: number; take: number; today: string },
): Promise<FeedItem[]> {
  const { rows } = await sql<FeedItem>`
    select v.id, v.gtin, ${certificationsOf(brandId, sql`v.id`, today)} as certifications
    from variants v where v.brand_id = ${brandId} and v.published and v.has_certs and v.id > ${after}
    order by v.id limit ${take}
  `.execute(db);
  return rows;
}

/** More than a very large brand takes. Nobody cancels it: others may wait for the same. */
const MAX_DIGEST_MS = 300_000;

/** Changes if any item changes: the number of items and the sum of their hashes. */
export function digestFeedItems(db: Db, brandId: number, today: string): Promise<string> {
  return inTransaction(db, async (db) => {
    await sql`set local statement_timeout = ${sql.lit(MAX_DIGEST_MS)}`.execute(db);
    const { rows } = await sql<{ digest: string }>`
      select count(*) || '-' || coalesce(sum(hashtextextended(concat_ws(' ', v.id, v.gtin, ${certificationsOf(brandId, sql`v.id`, today)}), 0)), 0)
        as digest
      from variants v where v.brand_id = ${brandId} and v.published and v.has_certs
    `.execute(db);
    return rows[0]?.digest ?? '';
  });
}
