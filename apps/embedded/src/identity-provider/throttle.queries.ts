import type { Db } from '@brand-portal/server/db/database.ts';
import { sql } from 'kysely';
import { tables } from '../db/tables.ts';

export interface Limit {
  /** Attempts without a pause; more than one. */
  readonly free: number;
  /** The pause after the last free attempt. It doubles after each further one. */
  readonly firstPauseSeconds: number;
  readonly maxPauseSeconds: number;
  /** Attempts are forgotten this long after the first one. */
  readonly memorySeconds: number;
}

/**
 * Counts an attempt and starts the pause after it. False, without counting, during a pause. One statement, so that concurrent attempts are
 * all counted. Uses the database's clock.
 */
export async function countAttempt(db: Db, key: string, limit: Limit): Promise<boolean> {
  const { free, firstPauseSeconds, maxPauseSeconds, memorySeconds } = limit;
  const attempts = sql<number>`(case when known.forget_at <= now() then 1 else known.attempts + 1 end)`;
  const pause = sql`least(${maxPauseSeconds}::float8, ${firstPauseSeconds}::float8 * 2 ^ least(${attempts} - ${free}::int, 30))`;
  const { rows } = await sql`
    insert into embedded.idp_attempts as known (key, attempts, forget_at)
    values (${key}, 1, now() + make_interval(secs => ${memorySeconds}))
    on conflict (key) do update set
      attempts = ${attempts},
      blocked_until = case when ${attempts} >= ${free}::int then now() + make_interval(secs => ${pause}) end,
      forget_at = case when known.forget_at <= now() then excluded.forget_at else known.forget_at end
    where known.blocked_until is null or known.blocked_until <= now()
    returning 1
  `.execute(db);
  return rows.length > 0;
}

/** Undoes `countAttempt`, with the pause that it may have started. */
export async function uncountAttempt(db: Db, key: string): Promise<void> {
  await tables(db)
    .updateTable('idp_attempts')
    .set((eb) => ({ attempts: eb('attempts', '-', 1), blocked_until: null }))
    .where('key', '=', key)
    .where('attempts', '>', 0)
    .execute();
}

export async function deleteAttempts(db: Db, key: string): Promise<void> {
  await tables(db).deleteFrom('idp_attempts').where('key', '=', key).execute();
}

/** The remaining seconds of the longest of these pauses; 0 if there is none. */
export async function findPause(db: Db, keys: readonly string[]): Promise<number> {
  const { seconds } = await tables(db)
    .selectFrom('idp_attempts')
    .select(sql<number>`coalesce(greatest(0, ceil(extract(epoch from max(blocked_until) - now()))), 0)::int`.as('seconds'))
    .where('key', 'in', keys)
    .executeTakeFirstOrThrow();
  return seconds;
}

export async function deleteExpiredAttempts(db: Db): Promise<number> {
  const { numDeletedRows } = await tables(db)
    .deleteFrom('idp_attempts')
    .where('forget_at', '<', sql<Date>`now()`)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
