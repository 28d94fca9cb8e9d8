import { DEFAULT_LANGUAGE, type Language } from '@brand-portal/contract/constants';
import type { User } from '@brand-portal/contract/identity';
import { fullName, isUnambiguousEmail } from '@brand-portal/contract/people';
import { audit } from '../../audit/audit.ts';
import { type Db, inTransaction } from '../../db/database.ts';
import { AppError, emailNotSupported, userNotFound } from '../../lib/errors.ts';
import type { ProviderProfile } from './provider.ts';
import { findUser, findUserByEmail, findUserBySubject, insertUser, type UserRow, updateUser } from './users.queries.ts';

export async function getUser(db: Db, id: number): Promise<UserRow> {
  const user = await findUser(db, id);
  // The account was removed while a token of it was still valid.
  if (!user) throw new AppError('unauthenticated', 'This account no longer exists.');
  return user;
}

/** The user of a person at the provider. For an unknown e-mail a user without brands is created. */
export async function linkUser(db: Db, profile: ProviderProfile): Promise<UserRow> {
  const known = await findKnownUser(db, profile);
  if (known) return takeOver(db, known, profile);
  const created = await insertUser(db, {
    email: profile.email,
    first_name: profile.firstName,
    last_name: profile.lastName,
    provider_subject: profile.subject,
  });
  if (created) return created;
  // Lost a race against another first sign-in or an invitation of the same person.
  const other = await findKnownUser(db, profile);
  if (!other) throw new Error('The user could not be inserted and does not exist');
  return takeOver(db, other, profile);
}

/** Like `linkUser`, for a signed-in user: the token must be their own. */
export async function syncUser(db: Db, userId: number, profile: ProviderProfile): Promise<UserRow> {
  const known = await findKnownUser(db, profile);
  if (known?.id !== userId) throw new AppError('provider_token_rejected', 'This token belongs to somebody else.');
  return takeOver(db, known, profile);
}

export async function getUserByEmail(db: Db, email: string): Promise<UserRow> {
  const user = await findUserByEmail(db, email.trim());
  if (!user) throw userNotFound();
  return user;
}

export async function hasAccount(db: Db, id: number): Promise<boolean> {
  return ((await findUser(db, id))?.provider_subject ?? null) !== null;
}

/** The recipient of a mail, with the language of their last sign-in. Undefined for a deleted account. */
export async function findPerson(db: Db, id: number): Promise<{ email: string; name: string; language: Language } | undefined> {
  const user = await findUser(db, id);
  if (!user || isDeletedAccount(user)) return undefined;
  return { email: user.email, name: fullName(user), language: user.language ?? DEFAULT_LANGUAGE };
}

export async function rememberLanguage(db: Db, id: number, language: Language): Promise<void> {
  await updateUser(db, id, { language });
}

/** Adds the sign-in to the audit log, and stores the language for mails. */
export async function rememberSignIn(db: Db, user: UserRow, { address, language }: { address: string; language: Language }): Promise<void> {
  await audit(db, { brandId: null, userId: user.id, action: 'user.signed_in', details: { address } });
  if (user.language !== language) await rememberLanguage(db, user.id, language);
}

/** For the embedded provider, whose accounts may not have signed in here yet. */
export async function auditAccount(
  db: Db,
  subject: string,
  action: string,
  details: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const user = await findUserBySubject(db, subject);
  const whose = user ? details : { ...details, subject };
  await audit(db, { brandId: null, userId: user?.id ?? null, action, details: whose });
}

/**
 * The user with this e-mail. Creates a user without an account if there is none. Call it in a transaction: a first sign-in of the same
 * person waits until it ends, and then sees what was written for them.
 */
export async function getOrCreateUser(
  db: Db,
  person: { email: string; first_name: string; last_name: string; language?: Language },
): Promise<UserRow> {
  const user =
    (await findUserByEmail(db, person.email, { forShare: true })) ??
    (await insertUser(db, { ...person, provider_subject: null })) ??
    (await findUserByEmail(db, person.email, { forShare: true }));
  if (!user) throw new Error('The user could not be inserted and does not exist');
  return user;
}

/**
 * The user that an API key acts as. Its e-mail is the key's prefix, which is no address and cannot be invited. Its name contains the
 * prefix, so that a key cannot pass for a person.
 */
export async function createKeyUser(db: Db, name: string, prefix: string): Promise<UserRow> {
  const user = await insertUser(db, {
    email: prefix,
    first_name: name,
    last_name: `(${prefix})`,
    provider_subject: null,
  });
  if (!user) throw new Error('Two API keys have the same prefix');
  return user;
}

/** The user of an account that was created for an invited person. It is another user if the account has another e-mail. */
export async function linkAccount(
  db: Db,
  userId: number,
  account: { subject: string; firstName: string; lastName: string },
): Promise<UserRow> {
  const holder = await findUserBySubject(db, account.subject);
  if (holder && holder.id !== userId) return holder;
  return updateUser(db, userId, {
    provider_subject: account.subject,
    ...(account.firstName && { first_name: account.firstName }),
    ...(account.lastName && { last_name: account.lastName }),
  });
}

export function updateOwnUser(
  db: Db,
  id: number,
  changes: { first_name?: string; last_name?: string; language?: Language },
): Promise<UserRow> {
  const hasName = changes.first_name !== undefined || changes.last_name !== undefined;
  return updateUser(db, id, { ...changes, ...(hasName && { has_own_name: true }) });
}

/**
 * The row stays without name and e-mail, because the history of brands refers to it. Its placeholder is no address, so it can neither be
 * invited nor sign in. The real address is free for a new account.
 */
export function anonymiseUser(db: Db, id: number): Promise<UserRow> {
  const nobody = { first_name: '', last_name: '', is_staff: false, provider_subject: null, language: null };
  return updateUser(db, id, { ...nobody, email: `${DELETED}${id}` });
}

const DELETED = 'deleted-';

export function isDeletedAccount({ email }: Pick<UserRow, 'email'>): boolean {
  return email.startsWith(DELETED) && !email.includes('@');
}

/** Staff can create brands. Only the operator makes someone staff. */
export async function setStaff(db: Db, id: number, isStaff: boolean): Promise<UserRow> {
  return inTransaction(db, async (db) => {
    const action = isStaff ? 'user.staff_granted' : 'user.staff_revoked';
    await audit(db, { brandId: null, userId: null, action, details: { user_id: id } });
    return updateUser(db, id, { is_staff: isStaff });
  });
}

export function toWireUser({ id, first_name, last_name, email, is_staff }: UserRow): User {
  return { id, first_name, last_name, email, ...(is_staff && { is_staff }) };
}

/** Found by subject, which stays if the e-mail changes, or by e-mail, which stays if the account is created again. */
async function findKnownUser(db: Db, profile: ProviderProfile): Promise<UserRow | undefined> {
  const linked = await findUserBySubject(db, profile.subject);
  if (linked) return linked;
  // The subject is unknown: now the e-mail decides.
  if (!isSupported(profile.email)) throw emailNotSupported();
  return findUserByEmail(db, profile.email);
}

async function takeOver(db: Db, user: UserRow, profile: ProviderProfile): Promise<UserRow> {
  const changes = {
    provider_subject: profile.subject,
    first_name: (!user.has_own_name && profile.firstName) || user.first_name,
    last_name: (!user.has_own_name && profile.lastName) || user.last_name,
    email: (await isFree(db, profile.email, user.id)) ? profile.email : user.email,
  };
  const unchanged = (Object.keys(changes) as (keyof typeof changes)[]).every((name) => changes[name] === user[name]);
  return unchanged ? user : updateUser(db, user.id, changes);
}

async function isFree(db: Db, email: string, userId: number): Promise<boolean> {
  if (!isSupported(email)) return false;
  const holder = await findUserByEmail(db, email);
  return holder === undefined || holder.id === userId;
}

/** API keys and deleted accounts have a user whose e-mail is no address. Nobody can sign in as such a user. */
function isSupported(email: string): boolean {
  return email.length <= 254 && /^[^\s\p{Cc}@]+@[^\s\p{Cc}@]+$/u.test(email) && isUnambiguousEmail(email);
}
