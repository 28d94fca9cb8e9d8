import type { Account, Session, UpdateAccount } from '@brand-portal/contract/account';
import { emailKey } from '@brand-portal/contract/people';
import type { FastifyBaseLogger } from 'fastify';
import { audit, erasePersonalData } from '../../audit/audit.ts';
import { type Db, inTransaction } from '../../db/database.ts';
import { AppError, invalidFields } from '../../lib/errors.ts';
import { endSessionsOf, listSessionsOfUser } from '../identity/sessions.ts';
import { anonymiseUser, getUser, toWireUser, updateOwnUser } from '../identity/users.ts';
import type { IdentityDirectory } from '../members/identity-directory.ts';
import { leaveAllBrands } from '../members/own-memberships.ts';
import { toPersonName } from '../members/people.ts';
import { toDevice } from './device.ts';

export interface AccountDependencies {
  readonly db: Db;
  readonly directory: IdentityDirectory;
  /** Set if the identity provider runs in this process. Ends one of the account's sessions there, or all of them. */
  readonly endProviderSessions?: ((subject: string, session?: string) => Promise<void>) | undefined;
}

export async function getAccount({ db, directory }: AccountDependencies, userId: number): Promise<Account> {
  const user = await getUser(db, userId);
  const { provider_subject: subject, language } = user;
  const password_change = (subject && directory.passwordChange?.(subject)) || 'none';
  return { ...toWireUser(user), language, password_change };
}

export async function updateAccount(
  deps: AccountDependencies,
  userId: number,
  { first_name, last_name, language }: UpdateAccount,
): Promise<Account> {
  const changes = {
    ...(first_name !== undefined && { first_name: toPersonName(first_name) }),
    ...(last_name !== undefined && { last_name: toPersonName(last_name) }),
    ...(language && { language }),
  };
  await inTransaction(deps.db, async (db) => {
    await updateOwnUser(db, userId, changes);
    await audit(db, { brandId: null, userId, action: 'user.changed', details: { fields: Object.keys(changes) } });
  });
  return getAccount(deps, userId);
}

export async function listSessions(db: Db, userId: number, currentId: number | undefined): Promise<{ results: Session[] }> {
  const sessions = await listSessionsOfUser(db, userId);
  const results = sessions.map(({ id, user_agent, address, created_at, last_used_at }) => ({
    id,
    device: toDevice(user_agent),
    address,
    is_current: id === currentId,
    created_at: created_at.toISOString(),
    last_used_at: last_used_at.toISOString(),
  }));
  return { results };
}

/** Also ends the session at a provider in this process, which would otherwise sign the user in again without a password. */
export async function endSessions(
  { db, endProviderSessions }: AccountDependencies,
  userId: number,
  which: { only: number } | { allBut: number | undefined },
): Promise<void> {
  const ended = await inTransaction(db, async (db) => {
    const sessions = await endSessionsOf(db, userId, which);
    if (sessions.length === 0) return sessions;
    await audit(db, { brandId: null, userId, action: 'user.sessions_ended', details: { count: sessions.length } });
    return sessions;
  });
  if (ended.length === 0 && 'only' in which) throw new AppError('session_not_found', 'There is no such session.');
  const { provider_subject: subject } = await getUser(db, userId);
  // Two sessions here may share one provider session. It must stay open while a remaining session uses it.
  const kept = new Set((await listSessionsOfUser(db, userId)).map(({ provider_session }) => provider_session));
  for (const session of new Set(ended.map(({ provider_session }) => provider_session))) {
    if (subject && session && !kept.has(session)) await endProviderSessions?.(subject, session);
  }
}

export async function mailPasswordLink({ db, directory }: AccountDependencies, userId: number): Promise<void> {
  const { email, provider_subject: subject } = await getUser(db, userId);
  if (!subject || directory.passwordChange?.(subject) !== 'mail' || !directory.mailPasswordLink) {
    throw new AppError('not_found', 'The password of this account is not changed by email.');
  }
  await directory.mailPasswordLink(email);
  await audit(db, { brandId: null, userId, action: 'user.password_link_mailed' });
}

/** Deletes memberships, sessions, name and address. The audit log keeps what the person did, without their name. */
export async function deleteAccount(
  { db, directory, endProviderSessions }: AccountDependencies,
  userId: number,
  typed: string,
  log: FastifyBaseLogger,
): Promise<void> {
  const { email, provider_subject: subject } = await getUser(db, userId);
  if (emailKey(typed.trim()) !== emailKey(email)) throw invalidFields({ email: 'is not the address of this account' });
  await inTransaction(db, async (db) => {
    // First, because it locks the user: whoever adds them to a brand at the same time comes before, or no longer finds their address.
    await anonymiseUser(db, userId);
    const brandIds = await leaveAllBrands(db, userId);
    await endSessionsOf(db, userId, { allBut: undefined });
    await audit(db, { brandId: null, userId, action: 'user.deleted' });
    await erasePersonalData(db, userId, brandIds);
  });
  if (!subject) return;
  // The account is already deleted here. If the provider call fails, the account left there gives no access.
  try {
    await endProviderSessions?.(subject);
    await directory.deleteUser?.(subject);
  } catch (error) {
    log.error({ err: error }, 'The account at the identity provider could not be deleted');
  }
}
