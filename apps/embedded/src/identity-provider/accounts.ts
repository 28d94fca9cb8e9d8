import { fullName, isUnambiguousEmail } from '@brand-portal/contract/people';
import { type Db, inTransaction } from '@brand-portal/server/db/database.ts';
import { emailNotSupported } from '@brand-portal/server/lib/errors.ts';
import { endSessionsOfAccount } from '@brand-portal/server/people/identity/sessions.ts';
import type { IdentityDirectory } from '@brand-portal/server/people/members/identity-directory.ts';
import type { Account as ProtocolAccount } from 'oidc-provider';
import * as queries from './accounts.queries.ts';
import { deleteRecordsOfAccount } from './adapter.queries.ts';
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
  async function insertOrFind({ password, ...account }: NewAccount) {
    const email = account.email.trim();
    if (!isUnambiguousEmail(email)) throw emailNotSupported();
    const password_hash = await passwords.hash(password);
    const inserted = await queries.insertAccount(db, { ...account, email, password_hash });
    const found = inserted ?? (await queries.findAccountByEmail(db, email));
    if (!found) throw new Error('The account was deleted while it was being created');
    return { subject: found.subject, created: inserted !== undefined, password_hash };
  }

  return {
    createAccount: async (account) => {
      const { subject, created } = await insertOrFind(account);
      return { subject, created };
    },
    createOrUpdateUser: async ({ email, password, firstName, lastName }) => {
      const person = { email, password, first_name: firstName, last_name: lastName, email_verified: true };
      const { subject, created, password_hash } = await insertOrFind(person);
      if (!created) await inTransaction(db, (db) => replacePassword(db, subject, { password_hash, email_verified: true }));
      return { subject };
    },
    passwordChange: () => 'page',
    deleteUser: (subject) =>
      inTransaction(db, async (db) => {
        await deleteRecordsOfAccount(db, subject);
        await queries.deleteAccountRow(db, subject);
      }),
  };
}

/** Also signs the account out, here and in the portal: everywhere, or everywhere except one session. Call it in a transaction. */
export async function replacePassword(
  db: Db,
  subject: string,
  change: { password_hash: string; email_verified?: boolean },
  keptSession?: string,
): Promise<void> {
  await queries.updatePassword(db, subject, change);
  // A reset link must not stay valid after the password has changed.
  await queries.deleteResetOf(db, subject);
  await deleteRecordsOfAccount(db, subject, keptSession);
  await endSessionsOfAccount(db, subject, keptSession);
}

/** The account's claims for the protocol. */
export async function findProtocolAccount(db: Db, subject: string, session?: string): Promise<ProtocolAccount | undefined> {
  const account = await queries.findAccountBySubject(db, subject);
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
