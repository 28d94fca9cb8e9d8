import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { inTurn, type Wait } from '../db/turns.ts';
import { AppError, brandNotFound, refusedByStatus } from '../lib/errors.ts';

/** The merge of 100,000 imported rows finishes within this. The request itself times out after 10 s. */
export const MEMBER_WAIT: Wait = { waitMs: 5_000, waiting: 20 };
/** A job skips a busy brand, and does its work later. */
export const JOB_WAIT: Wait = { waitMs: 0, waiting: 0 };
/** For the command line, which a person can interrupt. */
export const OPERATOR_WAIT: Wait = {};

export type BrandState = 'present' | 'deleted' | 'missing';

interface BrandWait extends Wait {
  /** For a deletion: also excludes those who keep the brand, so that what they have written is visible. */
  readonly forDeletion?: boolean;
}

/**
 * Runs a transaction that holds the brand's lock. Every writer of a brand's variants, certificates, links or deliveries needs it (except
 * `claimDeliveries`). Writers of one brand are serialised: no deadlocks, exact counts, and no writes into a brand that is being deleted.
 * Readers never wait for it.
 */
export function inBrand<T>(db: Db, brandId: number, work: (db: Db) => Promise<T>, wait: BrandWait = MEMBER_WAIT): Promise<T> {
  const workIfPresent = (db: Db, state: BrandState) => {
    if (state !== 'present') throw brandNotFound();
    return work(db);
  };
  return inAnyBrand(db, brandId, workIfPresent, wait);
}

/**
 * The same for a brand that may be deleted. A soft-deleted brand still exists until it can no longer be restored: jobs continue, members and
 * imports do not.
 */
export async function inAnyBrand<T>(
  db: Db,
  brandId: number,
  work: (db: Db, state: BrandState) => Promise<T>,
  { forDeletion = false, ...wait }: BrandWait,
): Promise<T> {
  let state: BrandState = 'missing';
  const lock = async (db: Db) => {
    const found = await tryLock(db, brandId, forDeletion ? 'update' : 'no key update');
    if (found !== 'busy') state = found;
    return found !== 'busy';
  };
  return inTurn(db, { ...wait, name: `brand ${brandId}`, lock, busy: brandBusy }, async (db) => {
    const result = await work(db, state);
    await countChange(db, brandId);
    return result;
  });
}

/** Any write may change what the brand's feed says and what an import would do. Last, because it locks rows that others write too. */
async function countChange(db: Db, brandId: number): Promise<void> {
  await sql`update variant_counts set changes = changes + 1 where brand_id = ${brandId}`.execute(db);
  await sql`update channel_feeds set changes = changes + 1 where brand_id = ${brandId}`.execute(db);
}

/**
 * Prevents deletion of the brand until the transaction ends, without waiting for writers. For writes about a brand that do not touch its
 * variants, such as accepting an import. `alsoLock` takes another lock without waiting, after the brand's.
 */
export function inKeptBrand<T>(
  db: Db,
  brandId: number,
  work: (db: Db) => Promise<T>,
  { name = '', alsoLock }: { name?: string; alsoLock?: (db: Db) => Promise<boolean> } = {},
): Promise<T> {
  const lock = async (db: Db) => {
    const state = await tryLock(db, brandId, 'key share');
    if (state === 'busy') return false;
    if (state !== 'present') throw brandNotFound();
    return alsoLock ? alsoLock(db) : true;
  };
  return inTurn(db, { ...MEMBER_WAIT, name: `kept brand ${brandId} ${name}`, lock, busy: brandBusy }, work);
}

async function tryLock(db: Db, brandId: number, strength: 'update' | 'no key update' | 'key share'): Promise<BrandState | 'busy'> {
  const { rows } = await sql<{ is_deleted: boolean }>`
    select deleted_at is not null as is_deleted from brands where id = ${brandId} for ${sql.raw(strength)} skip locked
  `.execute(db);
  if (rows[0]) return rows[0].is_deleted ? 'deleted' : 'present';
  const { rows: known } = await sql`select 1 from brands where id = ${brandId}`.execute(db);
  return known.length > 0 ? 'busy' : 'missing';
}

export async function isBrandDeleted(db: Db, brandId: number): Promise<boolean> {
  const { rows } = await sql`select 1 from brands where id = ${brandId} and deleted_at is not null`.execute(db);
  return rows.length > 0;
}

/** Nothing of an inactive brand is sent, neither to the channel nor by mail. */
export async function isBrandInactive(db: Db, brandId: number): Promise<boolean> {
  const { rows } = await sql`select 1 from brands where id = ${brandId} and status = 'inactive'`.execute(db);
  return rows.length > 0;
}

/** For work that was accepted while the brand was active. Call it under the brand's lock, which a change of the status needs too. */
export async function refuseInactiveBrand(db: Db, brandId: number): Promise<void> {
  if (await isBrandInactive(db, brandId)) throw refusedByStatus('brand_inactive');
}

export function isBrandBusy(error: unknown): boolean {
  return error instanceof AppError && error.code === 'brand_busy';
}

function brandBusy(): AppError {
  return new AppError('brand_busy', 'An import or another change of this brand is being saved. Try again in a few seconds.');
}
