import type { Db } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import { createSecretToken, hashSecretToken } from './secret-tokens.ts';
import {
  deleteExpiredSessions,
  findLiveSession,
  insertSession,
  revokeSession,
  type SessionRow,
} from './sessions.queries.ts';

const REFRESH_LIFETIME_DAYS = 30;

/** Answers the refresh token. */
export async function startSession(db: Db, userId: number): Promise<string> {
  const refresh = createSecretToken();
  await insertSession(db, { user_id: userId, refresh_hash: hashSecretToken(refresh) }, REFRESH_LIFETIME_DAYS);
  return refresh;
}

export async function getLiveSession(db: Db, refresh: string): Promise<SessionRow> {
  const session = await findLiveSession(db, hashSecretToken(refresh));
  if (!session) throw new AppError('refresh_token_invalid', 'The session has ended. Please sign in again.');
  return session;
}

export function endSession(db: Db, refresh: string): Promise<void> {
  return revokeSession(db, hashSecretToken(refresh));
}

/** How many sessions were past their time. */
export function purgeSessions(db: Db): Promise<number> {
  return deleteExpiredSessions(db);
}
