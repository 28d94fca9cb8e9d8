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

const REFRESH_LIFETIME_MS = 30 * 24 * 60 * 60 * 1000;

/** The refresh token leaves the server once, here; only its hash is kept. */
export async function startSession(db: Db, userId: number): Promise<{ session: SessionRow; refresh: string }> {
  const refresh = randomBytes(32).toString('base64url');
  const expiresAt = new Date(Date.now() + REFRESH_LIFETIME_MS);
  const session = await insertSession(db, { user_id: userId, refresh_hash: hash(refresh), expires_at: expiresAt });
  return { session, refresh };
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
