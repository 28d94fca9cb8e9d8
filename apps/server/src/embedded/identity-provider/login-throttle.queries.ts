import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';

interface Attempts {
  readonly attempts: number;
  /** Until the counting starts anew. */
  readonly seconds_left: number;
}

/** Counts one attempt in a single statement, so that attempts made at the same time are all counted. */
export function countAttempt(db: Db, key: string, windowSeconds: number): Promise<Attempts> {
  const windowEnd = sql<Date>`now() + make_interval(secs => ${windowSeconds})`;
  return db
    .insertInto('idp_login_attempts')
    .values({ key, attempts: 1, window_ends_at: windowEnd })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        attempts: sql`case when idp_login_attempts.window_ends_at <= now() then 1 else idp_login_attempts.attempts + 1 end`,
        window_ends_at: sql`case when idp_login_attempts.window_ends_at <= now() then ${windowEnd} else idp_login_attempts.window_ends_at end`,
      }),
    )
    .returning([
      'attempts',
      sql<number>`ceil(extract(epoch from idp_login_attempts.window_ends_at - now()))::int`.as('seconds_left'),
    ])
    .executeTakeFirstOrThrow();
}

export async function deleteAttempts(db: Db, key: string): Promise<void> {
  await db.deleteFrom('idp_login_attempts').where('key', '=', key).execute();
}

export async function takeBackAttempt(db: Db, key: string): Promise<void> {
  await db
    .updateTable('idp_login_attempts')
    .set((eb) => ({ attempts: eb('attempts', '-', 1) }))
    .where('key', '=', key)
    .where('attempts', '>', 0)
    .execute();
}

export async function deletePastAttempts(db: Db): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('idp_login_attempts')
    .where('window_ends_at', '<', sql<Date>`now()`)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
