import type { Db } from '../../db/database.ts';
import { AppError } from '../../lib/errors.ts';
import { createSecretToken, hashSecretToken } from './secret-tokens.ts';
import {
  deleteExpiredSessions,
  findLiveSession,
  hasRevokedSession,
  insertSession,
  listLiveSessions,
  revokeSession,
  revokeSessions,
  revokeSessionsOfUser,
  type SessionRow,
  updateLastUse,
} from './sessions.queries.ts';
import { findUserBySubject } from './users.queries.ts';

const REFRESH_LIFETIME_DAYS = 30;

interface Origin {
  /** The provider's token that starts the session. */
  readonly token: string;
  /** The session at the provider, if known. */
  readonly providerSession?: string | undefined;
  readonly userAgent?: string | undefined;
  readonly address?: string | undefined;
}

interface StartedSession {
  readonly id: number;
  readonly refresh: string;
}

const MAX_USER_AGENT_LENGTH = 500;

/** The provider's token of a session that was ended cannot start another one. Otherwise signing out would have no effect. */
export async function startSession(
  db: Db,
  userId: number,
  { token, providerSession, userAgent = '', address = '' }: Origin,
): Promise<StartedSession> {
  const provider_token_hash = hashSecretToken(token);
  if (await hasRevokedSession(db, provider_token_hash)) {
    throw new AppError('provider_token_rejected', 'This token belongs to a session that has ended.');
  }
  const refresh = createSecretToken();
  const session = {
    user_id: userId,
    refresh_hash: hashSecretToken(refresh),
    provider_token_hash,
    address,
    provider_session: providerSession ?? null,
    user_agent: userAgent.slice(0, MAX_USER_AGENT_LENGTH),
  };
  return { id: await insertSession(db, session, REFRESH_LIFETIME_DAYS), refresh };
}

/** Refuses the session of an access token if it has ended, and records where and when it is used. */
export async function checkSession(
  db: Db,
  { sessionId, session }: { sessionId: number; session: { readonly is_due: boolean } | undefined },
  address: string,
): Promise<void> {
  if (!session) throw new AppError('unauthenticated', 'The session has ended. Please sign in again.');
  // A read-only database must still answer reads.
  if (session.is_due) await updateLastUse(db, sessionId, address).catch(() => undefined);
}

export function listSessionsOfUser(db: Db, userId: number): Promise<SessionRow[]> {
  return listLiveSessions(db, userId);
}

/** Returns the sessions that this call ended. */
export function endSessionsOf(db: Db, userId: number, which: { only: number } | { allBut: number | undefined }): Promise<SessionRow[]> {
  return revokeSessions(db, userId, which);
}

export async function getLiveSession(db: Db, refresh: string): Promise<SessionRow> {
  const session = await findLiveSession(db, hashSecretToken(refresh));
  if (!session) throw new AppError('refresh_token_invalid', 'The session has ended. Please sign in again.');
  return session;
}

/** Returns the session if this call ended it. */
export function endSession(db: Db, refresh: string): Promise<SessionRow | undefined> {
  return revokeSession(db, hashSecretToken(refresh));
}

export function endSessionsOfUser(db: Db, userId: number): Promise<void> {
  return revokeSessionsOfUser(db, userId);
}

/** For the embedded provider: ends the sessions of an account here too. */
export async function endSessionsOfAccount(db: Db, subject: string, keptProviderSession?: string): Promise<void> {
  const user = await findUserBySubject(db, subject);
  if (user) await revokeSessionsOfUser(db, user.id, keptProviderSession);
}

/** Returns how many expired sessions were deleted. */
export function purgeSessions(db: Db): Promise<number> {
  return deleteExpiredSessions(db);
}
