import { emailKey } from '@brand-portal/contract/people';
import type { Db } from '@brand-portal/server/db/database.ts';
import { tables } from '../db/tables.ts';

export interface Account {
  readonly subject: string;
  readonly email: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly email_verified: boolean;
}

const ACCOUNT = ['subject', 'email', 'first_name', 'last_name', 'email_verified'] as const;

/** Returns undefined if the e-mail is taken. */
export function insertAccount(
  db: Db,
  account: Omit<Account, 'subject'> & { password_hash: string },
): Promise<{ subject: string } | undefined> {
  return tables(db)
    .insertInto('idp_accounts')
    .values(account)
    .onConflict((conflict) => conflict.column('email_key').doNothing())
    .returning('subject')
    .executeTakeFirst();
}

export function findAccountBySubject(db: Db, subject: string): Promise<Account | undefined> {
  return tables(db).selectFrom('idp_accounts').select(ACCOUNT).where('subject', '=', subject).executeTakeFirst();
}

export function findAccountByEmail(db: Db, email: string): Promise<(Account & { password_hash: string }) | undefined> {
  return tables(db)
    .selectFrom('idp_accounts')
    .select([...ACCOUNT, 'password_hash'])
    .where('email_key', '=', emailKey(email))
    .executeTakeFirst();
}

export async function findPasswordHash(db: Db, subject: string): Promise<string | undefined> {
  const row = await tables(db).selectFrom('idp_accounts').select('password_hash').where('subject', '=', subject).executeTakeFirst();
  return row?.password_hash;
}

export async function updateAccount(
  db: Db,
  subject: string,
  change: { password_hash?: string; email_verified?: boolean },
): Promise<boolean> {
  const { numUpdatedRows } = await tables(db)
    .updateTable('idp_accounts')
    .set(change)
    .where('subject', '=', subject)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

export async function deleteResetOf(db: Db, subject: string): Promise<void> {
  await tables(db).deleteFrom('idp_password_resets').where('subject', '=', subject).execute();
}

export async function deleteAccountRow(db: Db, subject: string): Promise<void> {
  await tables(db).deleteFrom('idp_accounts').where('subject', '=', subject).execute();
}
