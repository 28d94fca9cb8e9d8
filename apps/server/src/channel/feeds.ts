import { Readable } from 'node:stream';
import type { Db } from '../db/database.ts';
import { asShared, ofThisRead } from '../db/reads.ts';
import { explainRefusal } from '../http/admission.ts';
import { BoundedMap } from '../lib/bounded-map.ts';
import { refusedByStatus } from '../lib/errors.ts';
import { FairQueue } from '../lib/fair-queue.ts';
import { hashSecretToken } from '../people/identity/secret-tokens.ts';
import { dayIn } from '../writes/expiry-days.ts';
import { listConnections } from './connections.queries.ts';
import { productIdPrefix } from './connections.ts';
import { FEED_FORMATS, type FeedFormatName } from './feed-formats.ts';
import * as queries from './feeds.queries.ts';

const BATCH = 1_000;

/** The product ids in the feed: as in deliveries, or the GTIN, for brands that use it as the id elsewhere. */
export const FEED_IDS = ['delivery', 'gtin'] as const;
export type FeedId = (typeof FEED_IDS)[number];

export interface OpenedFeed {
  /** Changes only with the content. */
  readonly etag: string;
  readonly changedAt: Date;
  read(): Readable;
}

/** Undefined if the token is invalid, for any reason. Refused while the brand is inactive. */
export async function openFeed(
  db: Db,
  token: string,
  { format, id, supportEmail }: { format: FeedFormatName; id: FeedId; supportEmail: string },
): Promise<OpenedFeed | undefined> {
  const feed = await queries.findFeedByToken(db, hashSecretToken(token));
  if (!feed) return undefined;
  if (feed.is_inactive) throw refusedByStatus('brand_inactive', supportEmail);
  const { brand_id: brandId } = feed;
  const connection = (await listConnections(db, brandId)).find(({ ended }) => !ended);
  const prefix = productIdPrefix(connection);
  const today = dayIn(connection?.countries ?? [], new Date());
  const { digest, changedAt } = await readDigest(db, feed, { prefix, today });
  if (feed.is_due) await queries.updateFeedFetched(db, brandId);
  const toId = (item: queries.FeedItem) => (id === 'gtin' ? item.gtin : `${prefix}${brandId}-${item.id}`);
  return {
    etag: `"${format}-${id}-${digest}"`,
    changedAt,
    read: () => Readable.from(ofThisRead(write(db, { brandId, today, format, toId }))),
  };
}

interface Digest {
  readonly digest: string;
  readonly changedAt: Date;
}

interface Digests {
  /** By brand: many fetches at the same time need one, also while the brand goes on changing. */
  readonly running: Map<number, Promise<Digest>>;
  /** Computations go on when their callers have hung up: few at the same time, so that they leave connections to others. */
  readonly queue: FairQueue;
  /** Until when a brand's digest is not computed again. */
  readonly pauses: BoundedMap<number, number>;
}
const digestsOf = new WeakMap<Db, Digests>();
const MAX_PAUSES = 1_000;
const COMPUTATIONS = { total: 2, each: 1, waiting: 1, waitMs: 30_000 };
/** A computation that took long is not repeated for ten times as long, however often the brand changes. */
const LONG_MS = 500;
const PAUSE_FACTOR = 10;

/** The digest that is kept, if the brand, its connection and the day are still the same. */
async function readDigest(db: Db, feed: queries.KnownFeed, { prefix, today }: { prefix: string; today: string }): Promise<Digest> {
  const { brand_id: brandId, changes, digest, changed_at: changedAt } = feed;
  const key = `${prefix}${today}`;
  const { running, queue, pauses } = findDigests(db);
  const isSame = feed.digest_changes === changes && feed.is_recent;
  const isPaused = performance.now() < (pauses.get(brandId) ?? 0);
  if (digest !== null && changedAt && feed.digest_key === key && (isSame || isPaused)) return { digest, changedAt };
  const compute = () => computeDigest(db, feed, { prefix, today, key });
  const computed = running.get(brandId) ?? asShared(() => queue.run([`brand ${brandId}`], compute).finally(() => running.delete(brandId)));
  running.set(brandId, computed);
  return computed.catch(explainRefusal);
}

async function computeDigest(
  db: Db,
  { brand_id: brandId, changes, changed_at: knownSince }: queries.KnownFeed,
  { prefix, today, key }: { prefix: string; today: string; key: string },
): Promise<Digest> {
  const startedAt = performance.now();
  const digest = `${prefix}${await queries.digestFeedItems(db, brandId, today)}`;
  const tookMs = performance.now() - startedAt;
  if (tookMs > LONG_MS) findDigests(db).pauses.set(brandId, performance.now() + PAUSE_FACTOR * tookMs);
  const changedAt = await queries.updateFeedDigest(db, brandId, { digest, key, changes });
  return { digest, changedAt: changedAt ?? knownSince ?? new Date() };
}

function findDigests(db: Db): Digests {
  const found = digestsOf.get(db) ?? {
    running: new Map(),
    queue: new FairQueue(COMPUTATIONS),
    pauses: new BoundedMap(MAX_PAUSES),
  };
  digestsOf.set(db, found);
  return found;
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
