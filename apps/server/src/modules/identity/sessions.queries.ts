import { type Selectable, sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import type { Schema } from '../../db/schema.ts';

export type SessionRow = Selectable<Schema['sessions']>;

/** The database's: a server whose clock is wrong must neither shorten sessions nor, by the hourly purge, end everybody's. */
const now = sql<Date>`now()`;

export async function insertSession(
  db: Db,
  session: Pick<SessionRow, 'user_id' | 'refresh_hash' | 'provider_token_hash' | 'provider_session'>,
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

/** Nothing is returned for one that is unknown or was revoked before. */
export function revokeSession(db: Db, refreshHash: Buffer): Promise<SessionRow | undefined> {
  return db
    .updateTable('sessions')
    .set({ revoked_at: now })
    .where('refresh_hash', '=', refreshHash)
    .where('revoked_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
}

/** All but those that came of one session at the provider, if one is to be kept. */
export async function revokeSessionsOfUser(db: Db, userId: number, keptProviderSession?: string): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ revoked_at: now })
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .$if(keptProviderSession !== undefined, (query) =>
      query.where('provider_session', 'is distinct from', keptProviderSession ?? null),
    )
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
