import { sql } from 'kysely';
import { type Db, inAbortableTransaction } from '../db/database.ts';
import type { Value } from '../db/fragments.ts';
import { inKeptBrand, isBrandDeleted } from './brand-lock.ts';
import { type BrandByBrand, beginLongWork, endLongWork, scheduleWork, workBrandByBrand } from './due-work.ts';

/**
 * Counts that read all variants of a brand. Small brands are counted on request. Of large ones a job counts them after writes, and requests
 * get what it counted last.
 */
export type KeptKind = 'coverage' | 'readiness';

/** Brands with more variants are large. */
export const LARGE_BRAND = 100_000;
/**
 * So that counting takes a small share of the time while writes go on: it took half a minute for a million variants. Shorter than the lease
 * of `beginLongWork`, so that a write during the count makes it due again.
 */
const DELAY_SECONDS: Value<number> = sql`least(greatest(60, total / 2000), 600)`;

/** Call it after changing which variants there are, their columns, or which certificates they have. */
export async function recountLater(db: Db, brandId: number): Promise<void> {
  const { rows } = await sql<{ delay: number }>`
    select ${DELAY_SECONDS} as delay from variant_counts where brand_id = ${brandId} and total > ${LARGE_BRAND}
  `.execute(db);
  if (rows[0]) await scheduleWork(db, brandId, 'count_brand', { inSeconds: rows[0].delay });
}

export async function isLargeBrand(db: Db, brandId: number): Promise<boolean> {
  const { rows } = await sql`
    select 1 from variant_counts where brand_id = ${brandId} and total > ${LARGE_BRAND}
  `.execute(db);
  return rows.length > 0;
}

interface KeptCounts<Counts> {
  readonly counts: Counts;
  readonly counted_at: Date;
}

/** Undefined: not counted yet. */
export async function findKeptCounts<Counts>(db: Db, brandId: number, kind: KeptKind): Promise<KeptCounts<Counts> | undefined> {
  const { rows } = await sql<KeptCounts<Counts>>`
    select counts, counted_at from kept_counts where brand_id = ${brandId} and kind = ${kind}
  `.execute(db);
  return rows[0];
}

type Counters = Readonly<Record<KeptKind, (db: Db, brandId: number) => Promise<unknown>>>;

/** Counts large brands whose variants have changed. Returns how many. */
export function countLargeBrands(db: Db, counters: Counters, options: BrandByBrand = {}): Promise<number> {
  const stopping = options.stopping ?? new AbortController().signal;
  return workBrandByBrand(db, 'count_brand', (brandId) => countBrand(db, brandId, counters, stopping), options);
}

async function countBrand(db: Db, brandId: number, counters: Counters, stopping: AbortSignal): Promise<number> {
  const begun = await beginLongWork(db, brandId, 'count_brand');
  // A deleted brand may be restored: it is tried again later.
  if (!begun || (await isBrandDeleted(db, brandId))) return 0;
  for (const [kind, count] of Object.entries(counters)) {
    const countedAt = new Date();
    const counts = await countUntil(stopping, db, (db) => count(db, brandId));
    // It is counted when the lease has ended.
    if (stopping.aborted) return 0;
    const keep = (db: Db) =>
      sql`
        insert into kept_counts (brand_id, kind, counts, counted_at) values (${brandId}, ${kind}, ${JSON.stringify(counts)}, ${countedAt})
        on conflict (brand_id, kind) do update set counts = excluded.counts, counted_at = excluded.counted_at
      `.execute(db);
    await inKeptBrand(db, brandId, keep, { name: kind });
  }
  await endLongWork(db, brandId, 'count_brand', begun);
  return 1;
}

/** Half a minute would hold up the stop of the server. */
async function countUntil<T>(stopping: AbortSignal, db: Db, count: (db: Db) => Promise<T>): Promise<T | undefined> {
  try {
    return await inAbortableTransaction(db, stopping, count);
  } catch (error) {
    if (stopping.aborted) return undefined;
    throw error;
  }
}
