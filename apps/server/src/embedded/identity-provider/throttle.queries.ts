import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';

export interface Pauses {
  /** So many attempts go through without a pause. */
  readonly free: number;
  /** After the next one; doubled after each further one. */
  readonly firstPauseSeconds: number;
  readonly longestPauseSeconds: number;
  /** Without an attempt for so long, everything is forgotten. */
  readonly memorySeconds: number;
}

/**
 * Counts an attempt and begins the pause after it; false, and nothing counted, during a pause. One statement, so that of attempts
 * made at the same time each is counted. Times are the database's.
 */
export async function countAttempt(db: Db, key: string, pauses: Pauses): Promise<boolean> {
  const { free, firstPauseSeconds, longestPauseSeconds, memorySeconds } = pauses;
  const { rows } = await sql`
    insert into idp_attempts as known (key, attempts, blocked_until, forget_at)
    values (${key}, 1, ${pauseAfter(sql`1`)}, now() + make_interval(secs => ${memorySeconds}))
    on conflict (key) do update set
      attempts = ${attempts()},
      blocked_until = ${pauseAfter(attempts())},
      forget_at = excluded.forget_at
    where known.blocked_until is null or known.blocked_until <= now()
    returning 1
  `.execute(db);
  return rows.length > 0;

  function attempts() {
    return sql<number>`(case when known.forget_at <= now() then 1 else known.attempts + 1 end)`;
  }
  function pauseAfter(count: ReturnType<typeof attempts>) {
    return sql`case when ${count} >= ${free}::int then
      now() + make_interval(secs => least(${longestPauseSeconds}::float8, ${firstPauseSeconds}::float8 * 2 ^ least(${count} - ${free}::int, 30))) end`;
  }
}

/** How long the pause still lasts; 0 when there is none. */
export async function findPause(db: Db, key: string): Promise<number> {
  const row = await db
    .selectFrom('idp_attempts')
    .select(sql<number>`greatest(0, ceil(extract(epoch from blocked_until - now())))::int`.as('seconds'))
    .where('key', '=', key)
    .where('blocked_until', 'is not', null)
    .executeTakeFirst();
  return row?.seconds ?? 0;
}

export async function deleteAttempts(db: Db, key: string): Promise<void> {
  await db.deleteFrom('idp_attempts').where('key', '=', key).execute();
}

export async function deletePastAttempts(db: Db): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('idp_attempts')
    .where('forget_at', '<', sql<Date>`now()`)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
