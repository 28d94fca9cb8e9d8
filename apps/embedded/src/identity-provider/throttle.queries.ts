import type { Db } from '@brand-portal/server/db/database.ts';
import { sql } from 'kysely';
import { tables } from '../db/tables.ts';

export interface Pauses {
  /** Attempts without a pause. */
  readonly free: number;
  /** The pause after the next attempt. It doubles after each further one. */
  readonly firstPauseSeconds: number;
  readonly maxPauseSeconds: number;
  /** Attempts are forgotten after this long without a new one. */
  readonly memorySeconds: number;
  /** Attempts are counted before their result is known. With this, only failed ones extend the memory (`extendMemory`). */
  readonly onlyFailuresExtend?: true;
}

/**
 * Counts an attempt and starts the pause after it. False, without counting, during a pause. One statement, so that concurrent attempts are
 * all counted. Uses the database's clock.
 */
export async function countAttempt(db: Db, key: string, pauses: Pauses): Promise<boolean> {
  const { free, firstPauseSeconds, maxPauseSeconds, memorySeconds, onlyFailuresExtend = false } = pauses;
  const { rows } = await sql`
    insert into embedded.idp_attempts as known (key, attempts, blocked_until, forget_at)
    values (${key}, 1, ${pauseAfter(sql`1`)}, now() + make_interval(secs => ${memorySeconds}))
    on conflict (key) do update set
      attempts = ${attempts()},
      blocked_until = ${pauseAfter(attempts())},
      forget_at = case when ${onlyFailuresExtend} and known.forget_at > now() then known.forget_at else excluded.forget_at end
    where known.blocked_until is null or known.blocked_until <= now()
    returning 1
  `.execute(db);
  return rows.length > 0;

  function attempts() {
    return sql<number>`(case when known.forget_at <= now() then 1 else known.attempts + 1 end)`;
  }
  function pauseAfter(count: ReturnType<typeof attempts>) {
    return sql`case when ${count} >= ${free}::int then
      now() + make_interval(secs => least(${maxPauseSeconds}::float8, ${firstPauseSeconds}::float8 * 2 ^ least(${count} - ${free}::int, 30))) end`;
  }
}

/** Undoes `countAttempt`, with the pause that it may have started. */
export async function uncountAttempt(db: Db, key: string): Promise<void> {
  await sql`
    update embedded.idp_attempts set attempts = attempts - 1, blocked_until = null where key = ${key} and attempts > 0
  `.execute(db);
}

export async function extendMemory(db: Db, key: string, { memorySeconds }: Pauses): Promise<void> {
  await sql`
    update embedded.idp_attempts set forget_at = now() + make_interval(secs => ${memorySeconds}) where key = ${key}
  `.execute(db);
}

/** Returns the number of attempts. Locks them until the end of the transaction. */
export async function lockAttempts(db: Db, key: string, { memorySeconds }: Pauses): Promise<number> {
  const { rows } = await sql<{ attempts: number }>`
    insert into embedded.idp_attempts as known (key, attempts, forget_at)
    values (${key}, 0, now() + make_interval(secs => ${memorySeconds}))
    on conflict (key) do update set attempts = case when known.forget_at <= now() then 0 else known.attempts end
    returning attempts
  `.execute(db);
  return rows[0]?.attempts ?? 0;
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

/** Returns how many there were. */
export async function deleteAttempts(db: Db, key: string): Promise<number> {
  const row = await tables(db).deleteFrom('idp_attempts').where('key', '=', key).returning('attempts').executeTakeFirst();
  return row?.attempts ?? 0;
}

export interface Queue {
  /** Burst size: slots available at once after an idle time. */
  readonly atOnce: number;
  /** Then one slot per this many seconds. */
  readonly everySeconds: number;
  /** Callers who would wait longer get no slot. */
  readonly maxWaitSeconds: number;
}

/**
 * Takes the next slot of a queue. Returns in how many seconds it is, 0 for now, undefined if the queue is too long. The row's
 * `blocked_until` is the theoretical arrival time of the generic cell rate algorithm (GCRA).
 */
export async function takeSlot(db: Db, key: string, queue: Queue): Promise<number | undefined> {
  const { atOnce, everySeconds, maxWaitSeconds } = queue;
  const every = sql`make_interval(secs => ${everySeconds})`;
  const end = sql`greatest(known.blocked_until, now()) + ${every}`;
  const { rows } = await sql<{ seconds: number }>`
    insert into embedded.idp_attempts as known (key, attempts, blocked_until, forget_at)
    values (${key}, 1, now() + ${every}, now() + ${every})
    on conflict (key) do update set attempts = known.attempts + 1, blocked_until = ${end}, forget_at = ${end}
    where known.blocked_until <= now() + make_interval(secs => ${(atOnce - 1) * everySeconds + maxWaitSeconds})
    returning greatest(0, ceil(extract(epoch from known.blocked_until - now()) - ${atOnce * everySeconds}))::int as seconds
  `.execute(db);
  return rows[0]?.seconds;
}

/** Reserves a slot for the network that it was given to. */
export async function reserveSlot(db: Db, key: string, seconds: number, { memorySeconds }: Pauses): Promise<void> {
  await sql`
    insert into embedded.idp_attempts (key, attempts, blocked_until, forget_at)
    values (${key}, 0, now() + make_interval(secs => ${seconds}), now() + make_interval(secs => ${seconds + memorySeconds}))
  `.execute(db);
}

/** Returns whether there was a slot and its time has come. */
export async function useSlot(db: Db, key: string): Promise<boolean> {
  const { numDeletedRows } = await tables(db)
    .deleteFrom('idp_attempts')
    .where('key', '=', key)
    .where('blocked_until', '<=', sql<Date>`now()`)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

export async function releaseSlots(db: Db, key: string, { everySeconds }: Queue, turns: number): Promise<void> {
  const time = sql`make_interval(secs => ${turns * everySeconds})`;
  await sql`
    update embedded.idp_attempts set blocked_until = blocked_until - ${time}, forget_at = forget_at - ${time} where key = ${key}
  `.execute(db);
}

/** Skips locked rows instead of waiting for them, which could deadlock. */
export async function deleteExpiredAttempts(db: Db): Promise<number> {
  const { numDeletedRows } = await tables(db)
    .deleteFrom('idp_attempts')
    .where('key', 'in', (past) =>
      past.selectFrom('idp_attempts').select('key').where('forget_at', '<', sql<Date>`now()`).forUpdate().skipLocked(),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
