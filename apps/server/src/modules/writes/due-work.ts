import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';

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
  | 'end_connections';

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
  { limit = 1_000, now }: { limit?: number; now?: Date } = {},
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

/** Sets or clears the time of the next work. Call it after `takeDueWork` or under the brand's lock, in a later statement. */
export async function setDueWork(db: Db, brandId: number, kind: WorkKind, dueAt: Date | undefined): Promise<void> {
  if (dueAt) {
    await sql`
      insert into due_work (brand_id, kind, due_at) values (${brandId}, ${kind}, ${dueAt})
      on conflict (brand_id, kind) do update set due_at = excluded.due_at
    `.execute(db);
  } else {
    await sql`delete from due_work where brand_id = ${brandId} and kind = ${kind}`.execute(db);
  }
}

/** In how many milliseconds the next work of a kind is due, if that is within the next minute. */
export async function findNextDueMs(db: Db, kind: WorkKind): Promise<number | undefined> {
  const { rows } = await sql<{ ms: number | null }>`
    select (extract(epoch from min(due_at) - now()) * 1000)::float8 as ms
    from due_work where kind = ${kind} and due_at <= now() + interval '1 minute'
  `.execute(db);
  const ms = rows[0]?.ms;
  return ms == null ? undefined : Math.max(ms, 0);
}

/** Postpones work that could not be done, so that it does not block other brands. */
export async function postponeWork(db: Db, brandId: number, kind: WorkKind, ms: number): Promise<void> {
  await sql`
    update due_work set due_at = now() + ${ms} * interval '1 millisecond'
    where brand_id = ${brandId} and kind = ${kind} and due_at <= now()
  `.execute(db);
}
