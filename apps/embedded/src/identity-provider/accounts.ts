import { fullName, isUnambiguousEmail } from '@brand-portal/contract/people';
import { type Db, inTransaction } from '@brand-portal/server/db/database.ts';
import { emailNotSupported } from '@brand-portal/server/lib/errors.ts';
import { endSessionsOfAccount } from '@brand-portal/server/people/identity/sessions.ts';
import type { IdentityDirectory } from '@brand-portal/server/people/members/identity-directory.ts';
import type { Account as ProtocolAccount } from 'oidc-provider';
import {
  deleteAccountRow,
  deleteResetOf,
  findAccountByEmail,
  findAccountBySubject,
  insertAccount,
  updateAccount,
} from './accounts.queries.ts';
import { deleteRecordsOfAccount } from './adapter.queries.ts';
import { recordKey } from './adapter.ts';
import type { Passwords } from './passwords.ts';

export interface NewAccount {
  readonly email: string;
  readonly password: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly email_verified: boolean;
}

export interface Accounts extends IdentityDirectory {
  /** Idempotent: an existing account of this e-mail is not changed. */
  createAccount(account: NewAccount): Promise<{ subject: string; created: boolean }>;
}

export function createAccounts(db: Db, passwords: Passwords): Accounts {
  async function createAccount({ password, ...account }: NewAccount) {
    const email = account.email.trim();
    if (!isUnambiguousEmail(email)) throw emailNotSupported();
    const existing = await findAccountByEmail(db, email);
    if (existing) return { subject: existing.subject, created: false };
    const password_hash = await passwords.hash(password);
    const inserted = await insertAccount(db, { ...account, email, password_hash });
    if (inserted) return { subject: inserted.subject, created: true };
    // A concurrent call created the account first.
    const winner = await findAccountByEmail(db, email);
    if (!winner) throw new Error('The account was deleted while it was being created');
    return { subject: winner.subject, created: false };
  }

  return {
    createAccount,
    createOrUpdateUser: async ({ email, password, firstName, lastName }) => {
      const names = { first_name: firstName, last_name: lastName };
      const { subject, created } = await createAccount({ email, password, ...names, email_verified: true });
      if (!created) {
        const change = { password_hash: await passwords.hash(password), email_verified: true };
        await inTransaction(db, (db) => replacePassword(db, subject, change));
      }
      return { subject };
    },
    passwordChange: () => 'page',
    deleteUser: (subject) =>
      inTransaction(db, async (db) => {
        await deleteRecordsOfAccount(db, subject);
        await deleteResetOf(db, subject);
        await deleteAccountRow(db, subject);
      }),
  };
}

/**
 * Also signs the account out, here and in the portal: everywhere, or everywhere except one session. Call it in a transaction. False if
 * there is no such account.
 */
export async function replacePassword(
  db: Db,
  subject: string,
  change: { password_hash: string; email_verified?: boolean },
  keep?: { session: string; grantIds: readonly string[] },
): Promise<boolean> {
  const known = await updateAccount(db, subject, change);
  // A reset link must not stay valid after the password has changed.
  await deleteResetOf(db, subject);
  await deleteRecordsOfAccount(db, subject, keep && { ...keep, grantIds: keep.grantIds.map(recordKey) });
  await endSessionsOfAccount(db, subject, keep?.session);
  return known;
}

/** The account's claims for the protocol. */
export async function findProtocolAccount(db: Db, subject: string, session?: string): Promise<ProtocolAccount | undefined> {
  const account = await findAccountBySubject(db, subject);
  if (!account) return undefined;
  return {
    accountId: account.subject,
    claims: async () => ({
      sub: account.subject,
      email: account.email,
      email_verified: account.email_verified,
      name: fullName(account) || account.email,
      given_name: account.first_name,
      family_name: account.last_name,
      ...(session && { session }),
    }),
  };
}
