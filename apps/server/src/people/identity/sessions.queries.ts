import { type Selectable, sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import type { Schema } from '../../db/schema.ts';

export type SessionRow = Selectable<Schema['sessions']>;

/** The database's time: with a server's wrong clock, sessions would end early, and the hourly purge would delete all of them. */
const now = sql<Date>`now()`;

export async function insertSession(
  db: Db,
  session: Pick<SessionRow, 'user_id' | 'refresh_hash' | 'provider_token_hash' | 'provider_session' | 'user_agent' | 'address'>,
  days: number,
): Promise<number> {
  const expires_at = sql<Date>`now() + make_interval(days => ${days})`;
  const { id } = await db
    .insertInto('sessions')
    .values({ ...session, expires_at })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function updateLastUse(db: Db, sessionId: number, address: string): Promise<void> {
  await db.updateTable('sessions').set({ last_used_at: now, address }).where('id', '=', sessionId).execute();
}

export function listLiveSessions(db: Db, userId: number): Promise<SessionRow[]> {
  return db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('last_used_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** Revokes one live session of the user, or all but one. Returns the revoked ones. */
export function revokeSessions(db: Db, userId: number, which: { only: number } | { allBut: number | undefined }): Promise<SessionRow[]> {
  return db
    .updateTable('sessions')
    .set({ revoked_at: now })
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('id', 'only' in which ? '=' : '<>', 'only' in which ? which.only : (which.allBut ?? 0))
    .returningAll()
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

/** Undefined if the token is unknown, or its session was revoked before. */
export function revokeSession(db: Db, refreshHash: Buffer): Promise<SessionRow | undefined> {
  return db
    .updateTable('sessions')
    .set({ revoked_at: now })
    .where('refresh_hash', '=', refreshHash)
    .where('revoked_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
}

/** Keeps the sessions of one session at the provider, if given. */
export async function revokeSessionsOfUser(db: Db, userId: number, keptProviderSession?: string): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ revoked_at: now })
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .$if(keptProviderSession !== undefined, (query) => query.where('provider_session', 'is distinct from', keptProviderSession ?? null))
    .execute();
}

export async function hasRevokedSession(db: Db, providerTokenHash: Buffer): Promise<boolean> {
  const session = await db
    .selectFrom('sessions')
    .select('id')
    .where('provider_token_hash', '=', providerTokenHash)
    .where('revoked_at', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return session !== undefined;
}

export async function deleteExpiredSessions(db: Db): Promise<number> {
  const result = await db.deleteFrom('sessions').where('expires_at', '<', now).executeTakeFirst();
  return Number(result.numDeletedRows);
}
