import { createHash, randomBytes } from 'node:crypto';
import type { Db } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import {
  deleteExpiredSessions,
  findLiveSession,
  insertSession,
  revokeSession,
  type SessionRow,
} from './sessions.queries.ts';

const REFRESH_LIFETIME_DAYS = 30;

/** The refresh token leaves the server once, here; only its hash is kept. */
export async function startSession(db: Db, userId: number): Promise<string> {
  const refresh = randomBytes(32).toString('base64url');
  await insertSession(db, { user_id: userId, refresh_hash: hash(refresh) }, REFRESH_LIFETIME_DAYS);
  return refresh;
}

export async function getLiveSession(db: Db, refresh: string): Promise<SessionRow> {
  const session = await findLiveSession(db, hash(refresh));
  if (!session) throw new AppError('refresh_token_invalid', 'The session has ended. Please sign in again.');
  return session;
}

export function endSession(db: Db, refresh: string): Promise<void> {
  return revokeSession(db, hash(refresh));
}

/** How many sessions were past their time. */
export function purgeSessions(db: Db): Promise<number> {
  return deleteExpiredSessions(db);
}

function hash(refresh: string): Buffer {
  // The token is 32 random bytes: one round of SHA-256 cannot be searched, so no slow password hash is needed.
  return createHash('sha256').update(refresh).digest();
}
