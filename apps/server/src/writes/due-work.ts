import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { Rows } from '../db/fragments.ts';
import { type JobName, queueJob } from '../queue/queue.ts';
import { isBrandBusy } from './brand-lock.ts';

/** Kinds of work that jobs do brand by brand. */
export type WorkKind =
  | 'deliver'
  | 'index_variants'
  | 'expire_certificates'
  | 'mail_certificates'
  | 'review_certificates'
  | 'purge_imports'
  | 'purge_deletions'
  | 'purge_brand'
  | 'purge_history'
  | 'end_connections'
  | 'count_brand';

/** Many certificates expire on the same day, such as December 31: one run must reach all of their brands. */
const MAX_BRANDS = 100_000;
/** The pause before a busy brand is tried again. */
export const BUSY_MS = 5_000;

/** Schedules work for the brand. Call it in the transaction that causes the work. */
export async function scheduleWork(db: Db, brandId: number, kind: WorkKind, { inSeconds = 0 } = {}): Promise<void> {
  await sql`
    insert into due_work as known (brand_id, kind, due_at)
    values (${brandId}, ${kind}, now() + make_interval(secs => ${inSeconds}))
    on conflict (brand_id, kind) do update set due_at = least(known.due_at, excluded.due_at)
  `.execute(db);
}

/** Brands with work that is due, the longest overdue first. */
export async function listBrandsWithWork(
  db: Db,
  kind: WorkKind,
  { limit = MAX_BRANDS, now }: { limit?: number; now?: Date | undefined } = {},
): Promise<number[]> {
  const { rows } = await sql<{ brand_id: number }>`
    select brand_id from due_work where kind = ${kind} and due_at <= coalesce(${now ?? null}::timestamptz, now()) order by due_at, brand_id limit ${limit}
  `.execute(db);
  return rows.map(({ brand_id }) => brand_id);
}

/** Also those whose work is due later. */
export async function listBrandsWithAnyWork(db: Db, kind: WorkKind): Promise<number[]> {
  const { rows } = await sql<{ brand_id: number }>`select brand_id from due_work where kind = ${kind}`.execute(db);
  return rows.map(({ brand_id }) => brand_id);
}

/**
 * Locks the brand's row of `due_work` before its work is read. Writers that come later wait for the lock and schedule the work again. False
 * if nothing is due, or another worker has the lock.
 */
export async function takeDueWork(db: Db, brandId: number, kind: WorkKind): Promise<boolean> {
  const { rows } = await sql`
    select 1 from due_work where brand_id = ${brandId} and kind = ${kind} and due_at <= now() for update skip locked
  `.execute(db);
  return rows.length > 0;
}

/**
 * The same for work that takes long, without keeping the row locked: writers that come later make it due again. `endLongWork` ends it. If it
 * never ends, because the process was killed, the work is due again at the returned time.
 */
export async function beginLongWork(db: Db, brandId: number, kind: WorkKind): Promise<Date | undefined> {
  const { rows } = await sql<{ due_at: Date }>`
    update due_work set due_at = date_trunc('milliseconds', now()) + interval '15 minutes'
    where brand_id = ${brandId} and kind = ${kind} and due_at <= now() returning due_at
  `.execute(db);
  return rows[0]?.due_at;
}

export async function endLongWork(db: Db, brandId: number, kind: WorkKind, begun: Date): Promise<void> {
  await sql`delete from due_work where brand_id = ${brandId} and kind = ${kind} and due_at = ${begun}`.execute(db);
}

/** Sets or clears the time of the next work. Call it after `takeDueWork` or under the brand's lock, in a later statement. */
export async function setDueWork(db: Db, brandId: number, kind: WorkKind, dueAt: Date | undefined): Promise<void> {
  if (dueAt) {
    await sql`
      insert into due_work (brand_id, kind, due_at) values (${brandId}, ${kind}, ${dueAt})
      on conflict (brand_id, kind) do update set due_at = excluded.due_at, failures = 0
    `.execute(db);
  } else {
    await sql`delete from due_work where brand_id = ${brandId} and kind = ${kind}`.execute(db);
  }
}

/**
 * Postpones work that could not be done. Does not wait: if a writer has the row, the work is due again with its commit anyway. Returns in how
 * many milliseconds to try again.
 */
export async function postponeWork(db: Db, brandId: number, kind: WorkKind, ms = BUSY_MS): Promise<number> {
  await sql`
    update due_work set due_at = now() + ${ms} * interval '1 millisecond' where (brand_id, kind) = (${unlocked(brandId, kind)})
  `.execute(db);
  return ms;
}

/** The same after an error, with a pause that doubles each time: from a minute to an hour. */
export async function postponeFailedWork(db: Db, brandId: number, kind: WorkKind): Promise<number> {
  const { rows } = await sql<{ failures: number }>`
    update due_work set failures = failures + 1,
      due_at = now() + least(power(2, least(failures, 10)) * interval '1 minute', interval '1 hour')
    where (brand_id, kind) = (${unlocked(brandId, kind)})
    returning failures
  `.execute(db);
  const failures = rows[0]?.failures ?? 1;
  return Math.min(2 ** (failures - 1), 60) * 60_000;
}

/** No row while another transaction has it. */
const unlocked = (brandId: number, kind: WorkKind): Rows<{ brand_id: number; kind: WorkKind }> =>
  sql`select brand_id, kind from due_work where brand_id = ${brandId} and kind = ${kind} for update skip locked`;

export interface BrandByBrand {
  /** Without it, errors are thrown. */
  readonly logger?: Pick<FastifyBaseLogger, 'error'> | undefined;
  /** Nothing new is started after this. */
  readonly stopping?: AbortSignal | undefined;
}

/** The job that does a kind of work again if it had to leave some. */
const JOBS: Partial<Record<WorkKind, JobName>> = {
  index_variants: 'index_variants',
  expire_certificates: 'expire_certificates',
  mail_certificates: 'mail_certificates',
  purge_imports: 'purge',
  purge_deletions: 'purge',
  purge_brand: 'purge',
  purge_history: 'purge',
  end_connections: 'purge',
  count_brand: 'count_large_brands',
};

/**
 * Does the due work of a kind in small steps, one of each brand in turn, and returns the sum of what the steps return. No brand delays
 * another: the work of one that is busy is left for a few seconds, that of one that fails for longer.
 */
export async function workBrandByBrand(
  db: Db,
  kind: WorkKind,
  step: (brandId: number) => Promise<number>,
  { logger, stopping, now, isMore = () => false }: BrandByBrand & { now?: Date; isMore?: (done: number) => boolean } = {},
): Promise<number> {
  let total = 0;
  let retryMs = Number.POSITIVE_INFINITY;
  let brandIds = await listBrandsWithWork(db, kind, { now });
  while (brandIds.length > 0) {
    const unfinished: number[] = [];
    for (const brandId of brandIds) {
      if (stopping?.aborted) return total;
      try {
        const done = await step(brandId);
        total += done;
        if (isMore(done)) unfinished.push(brandId);
      } catch (error) {
        if (isBrandBusy(error)) {
          retryMs = Math.min(retryMs, await postponeWork(db, brandId, kind));
          continue;
        }
        if (!logger) throw error;
        logger.error({ err: error, brand_id: brandId, kind }, 'The work of a brand failed and is tried again later');
        retryMs = Math.min(retryMs, await postponeFailedWork(db, brandId, kind));
      }
    }
    brandIds = unfinished;
  }
  const job = JOBS[kind];
  if (job && Number.isFinite(retryMs)) await queueJob(db, job, {}, { key: `${kind}:retry`, afterMs: retryMs });
  return total;
}
