import { type Selectable, sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import type { Schema } from '../../db/schema.ts';

export type SessionRow = Selectable<Schema['sessions']>;

/** The database's: a server whose clock is wrong must neither shorten sessions nor, by the hourly purge, end everybody's. */
const now = sql<Date>`now()`;

export async function insertSession(
  db: Db,
  session: { user_id: number; refresh_hash: Buffer },
  days: number,
): Promise<void> {
  const expires_at = sql<Date>`now() + make_interval(days => ${days})`;
  await db
    .insertInto('sessions')
    .values({ ...session, expires_at })
    .execute();
}

export function findLiveSession(db: Db, refreshHash: Buffer): Promise<SessionRow | undefined> {
  return db
    .selectFrom('sessions')
    .selectAll()
    .where('refresh_hash', '=', refreshHash)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

export async function revokeSession(db: Db, refreshHash: Buffer): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ revoked_at: now })
    .where('refresh_hash', '=', refreshHash)
    .where('revoked_at', 'is', null)
    .execute();
}

export async function deleteExpiredSessions(db: Db): Promise<number> {
  const result = await db.deleteFrom('sessions').where('expires_at', '<', now).executeTakeFirst();
  return Number(result.numDeletedRows);
}
