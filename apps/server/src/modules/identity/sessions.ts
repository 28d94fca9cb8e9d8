import type { Db } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
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
  /** The provider's token that it is opened with. */
  readonly token: string;
  /** The session there, where the provider tells it. */
  readonly providerSession?: string | undefined;
  readonly userAgent?: string | undefined;
  readonly address?: string | undefined;
}

interface StartedSession {
  readonly id: number;
  readonly refresh: string;
}

const MAX_USER_AGENT_LENGTH = 500;

/** A provider's token whose session was ended opens no other one: signing out would be worth nothing. */
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
    ...{ user_id: userId, refresh_hash: hashSecretToken(refresh), provider_token_hash, address },
    ...{ provider_session: providerSession ?? null, user_agent: userAgent.slice(0, MAX_USER_AGENT_LENGTH) },
  };
  return { id: await insertSession(db, session, REFRESH_LIFETIME_DAYS), refresh };
}

/** `session`: what was found of the session of an access token. Refuses one that has ended, and records where and when it is used. */
export async function checkSession(
  db: Db,
  { sessionId, session }: { sessionId: number; session: { readonly is_due: boolean } | undefined },
  address: string,
): Promise<void> {
  if (!session) throw new AppError('unauthenticated', 'The session has ended. Please sign in again.');
  // A database that takes no writes still answers reads.
  if (session.is_due) await updateLastUse(db, sessionId, address).catch(() => undefined);
}

export function listSessionsOfUser(db: Db, userId: number): Promise<SessionRow[]> {
  return listLiveSessions(db, userId);
}

/** The sessions that this call ended. */
export function endSessionsOf(
  db: Db,
  userId: number,
  which: { only: number } | { allBut: number | undefined },
): Promise<SessionRow[]> {
  return revokeSessions(db, userId, which);
}

export async function getLiveSession(db: Db, refresh: string): Promise<SessionRow> {
  const session = await findLiveSession(db, hashSecretToken(refresh));
  if (!session) throw new AppError('refresh_token_invalid', 'The session has ended. Please sign in again.');
  return session;
}

/** The session, if this call is the one that ended it. */
export function endSession(db: Db, refresh: string): Promise<SessionRow | undefined> {
  return revokeSession(db, hashSecretToken(refresh));
}

export function endSessionsOfUser(db: Db, userId: number): Promise<void> {
  return revokeSessionsOfUser(db, userId);
}

/** For a provider in this process, whose accounts have sessions here too. */
export async function endSessionsOfAccount(db: Db, subject: string, keptProviderSession?: string): Promise<void> {
  const user = await findUserBySubject(db, subject);
  if (user) await revokeSessionsOfUser(db, user.id, keptProviderSession);
}

/** Returns how many expired sessions were deleted. */
export function purgeSessions(db: Db): Promise<number> {
  return deleteExpiredSessions(db);
}
