import { Readable } from 'node:stream';
import type { ChannelFeed, NewChannelFeed } from '@brand-portal/contract/channel';
import { type Db, inTransaction } from '../../db/database.ts';
import { audit } from '../audit/audit.ts';
import { createSecretToken, hashSecretToken } from '../identity/secret-tokens.ts';
import { dayIn } from '../writes/expiry-days.ts';
import { listConnections } from './connections.queries.ts';
import { productIdPrefix } from './connections.ts';
import { FEED_FORMATS, type FeedFormatName } from './feed-formats.ts';
import * as queries from './feeds.queries.ts';

const BATCH = 1_000;

export async function getFeed(db: Db, brandId: number): Promise<ChannelFeed> {
  const feed = await queries.findFeed(db, brandId);
  if (!feed) return { state: 'none', created_at: null, revoked_at: null, last_fetched_at: null };
  return {
    state: feed.revoked_at ? 'revoked' : 'active',
    created_at: feed.created_at.toISOString(),
    revoked_at: feed.revoked_at?.toISOString() ?? null,
    last_fetched_at: feed.last_fetched_at?.toISOString() ?? null,
  };
}

/** Creates a new feed URL, shown once. The previous one stops working. */
export function createFeed(db: Db, userId: number, brandId: number, publicUrl: string): Promise<NewChannelFeed> {
  const token = createSecretToken();
  return inTransaction(db, async (db) => {
    await queries.upsertFeed(db, brandId, hashSecretToken(token));
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

/** The product ids in the feed: as in deliveries, or the GTIN, for brands that use it as the id elsewhere. */
export const FEED_IDS = ['delivery', 'gtin'] as const;
export type FeedId = (typeof FEED_IDS)[number];

export interface OpenedFeed {
  /** Changes only with the content. */
  readonly etag: string;
  readonly changedAt: Date;
  read(): Readable;
}

/** Undefined if the token is invalid, for any reason. */
export async function openFeed(
  db: Db,
  token: string,
  { format, id }: { format: FeedFormatName; id: FeedId },
): Promise<OpenedFeed | undefined> {
  const tokenHash = hashSecretToken(token);
  const brandId = await queries.findBrandOfFeed(db, tokenHash);
  if (brandId === undefined) return undefined;
  const connection = (await listConnections(db, brandId)).find(({ ended }) => !ended);
  const prefix = productIdPrefix(connection);
  const today = dayIn(connection?.countries ?? [], new Date());
  const digest = `${prefix}${await queries.digestFeedItems(db, brandId, today)}`;
  const changedAt = await queries.updateFeedFetched(db, tokenHash, digest);
  if (!changedAt) return undefined;
  const toId = (item: queries.FeedItem) => (id === 'gtin' ? item.gtin : `${prefix}${brandId}-${item.id}`);
  return {
    etag: `"${format}-${id}-${digest}"`,
    changedAt,
    read: () => Readable.from(write(db, { brandId, today, format, toId })),
  };
}

interface Written {
  readonly brandId: number;
  readonly today: string;
  readonly format: FeedFormatName;
  readonly toId: (item: queries.FeedItem) => string;
}

/** Reads in batches with backpressure: a slow client holds neither a connection nor memory. */
async function* write(db: Db, { brandId, today, format, toId }: Written): AsyncGenerator<string> {
  const { head, toText, foot } = FEED_FORMATS[format];
  yield head;
  let after = 0;
  for (;;) {
    const items = await queries.listFeedItems(db, { brandId, after, take: BATCH, today });
    const certified = items.filter(({ certifications }) => certifications.length > 0);
    const text = certified.map((item) => toText({ id: toId(item), certifications: item.certifications })).join('');
    if (text) yield text;
    after = items.at(-1)?.id ?? after;
    if (items.length < BATCH) break;
  }
  yield foot;
}
