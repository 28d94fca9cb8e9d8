import type { Db } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import { createSecretToken, hashSecretToken } from './secret-tokens.ts';
import {
  deleteExpiredSessions,
  findLiveSession,
  hasRevokedSession,
  insertSession,
  revokeSession,
  revokeSessionsOfUser,
  type SessionRow,
} from './sessions.queries.ts';
import { findUserBySubject } from './users.queries.ts';

const REFRESH_LIFETIME_DAYS = 30;

interface Origin {
  /** The provider's token that it is opened with. */
  readonly token: string;
  /** The session there, where the provider tells it. */
  readonly providerSession?: string | undefined;
}

/** Answers the refresh token. A provider's token whose session was ended opens no other one: signing out would be worth nothing. */
export async function startSession(db: Db, userId: number, { token, providerSession }: Origin): Promise<string> {
  const provider_token_hash = hashSecretToken(token);
  if (await hasRevokedSession(db, provider_token_hash)) {
    throw new AppError('provider_token_rejected', 'This token belongs to a session that has ended.');
  }
  const refresh = createSecretToken();
  const session = { user_id: userId, provider_token_hash, provider_session: providerSession ?? null };
  await insertSession(db, { ...session, refresh_hash: hashSecretToken(refresh) }, REFRESH_LIFETIME_DAYS);
  return refresh;
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

/** How many sessions were past their time. */
export function purgeSessions(db: Db): Promise<number> {
  return deleteExpiredSessions(db);
}
