import type { ChannelFeed, NewChannelFeed } from '@brand-portal/contract/channel';
import { audit } from '../../audit/audit.ts';
import { type Db, inTransaction } from '../../db/database.ts';
import { requireLastingAdmin } from '../../writes/lasting-role.ts';
import { createSecretToken, hashSecretToken } from '../identity/secret-tokens.ts';
import * as queries from './feed-url.queries.ts';

const NO_FEED: ChannelFeed = {
  state: 'none',
  created_at: null,
  creator_id: null,
  maker_left: false,
  revoked_at: null,
  last_fetched_at: null,
};

export async function getFeed(db: Db, brandId: number): Promise<ChannelFeed> {
  const feed = await queries.findFeed(db, brandId);
  if (!feed) return NO_FEED;
  return {
    state: feed.revoked_at ? 'revoked' : 'active',
    created_at: feed.created_at.toISOString(),
    creator_id: feed.created_by,
    maker_left: feed.maker_left,
    revoked_at: feed.revoked_at?.toISOString() ?? null,
    last_fetched_at: feed.last_fetched_at?.toISOString() ?? null,
  };
}

/** Creates a new feed URL, shown once. The previous one stops working. */
export function createFeed(db: Db, userId: number, brandId: number, publicUrl: string): Promise<NewChannelFeed> {
  const token = createSecretToken();
  return inTransaction(db, async (db) => {
    await requireLastingAdmin(db, brandId, userId);
    await queries.upsertFeed(db, brandId, hashSecretToken(token), userId);
    await audit(db, { brandId, userId, action: 'channel.feed_created', details: {} });
    const address = `${publicUrl}/feeds/${token}`;
    return { tsv_url: `${address}.tsv`, xml_url: `${address}.xml` };
  });
}

export function revokeFeed(db: Db, userId: number, brandId: number): Promise<void> {
  return inTransaction(db, async (db) => {
    if (!(await queries.updateFeedRevoked(db, brandId))) return;
    await audit(db, { brandId, userId, action: 'channel.feed_revoked', details: {} });
  });
}

/** If the person or key created it. Returns whether it was revoked. */
export async function revokeFeedOf(db: Db, userId: number | null, brandId: number, creatorId: number): Promise<boolean> {
  if (!(await queries.updateFeedRevoked(db, brandId, creatorId))) return false;
  await audit(db, { brandId, userId, action: 'channel.feed_revoked', details: {} });
  return true;
}
