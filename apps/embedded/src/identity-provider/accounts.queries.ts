import { emailKey } from '@brand-portal/contract/people';
import type { Db } from '@brand-portal/server/db/database.ts';
import { sql } from 'kysely';
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

export async function updatePassword(db: Db, subject: string, change: { password_hash: string; email_verified?: boolean }): Promise<void> {
  await tables(db).updateTable('idp_accounts').set(change).where('subject', '=', subject).execute();
}

/** Also deletes its reset link. */
export async function deleteAccountRow(db: Db, subject: string): Promise<void> {
  await tables(db).deleteFrom('idp_accounts').where('subject', '=', subject).execute();
}

/** At most one link per account: a new one replaces it. */
export async function upsertReset(db: Db, subject: string, tokenHash: Buffer, minutes: number): Promise<void> {
  const link = { token_hash: tokenHash, expires_at: sql<Date>`now() + make_interval(mins => ${minutes})` };
  await tables(db)
    .insertInto('idp_password_resets')
    .values({ subject, ...link })
    .onConflict((conflict) => conflict.column('subject').doUpdateSet(link))
    .execute();
}

export function findResetAccount(db: Db, tokenHash: Buffer): Promise<Pick<Account, 'subject' | 'email'> | undefined> {
  return tables(db)
    .selectFrom('idp_password_resets')
    .innerJoin('idp_accounts', 'idp_accounts.subject', 'idp_password_resets.subject')
    .select(['idp_accounts.subject', 'email'])
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
}

/** Consumes the link. The row lock lets exactly one of several concurrent callers succeed. */
export async function deleteReset(db: Db, tokenHash: Buffer): Promise<string | undefined> {
  const row = await tables(db)
    .deleteFrom('idp_password_resets')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('subject')
    .executeTakeFirst();
  return row?.subject;
}

export async function deleteResetOf(db: Db, subject: string): Promise<void> {
  await tables(db).deleteFrom('idp_password_resets').where('subject', '=', subject).execute();
}

/** Queues one of the provider's mails. */
export async function queueMail(db: Db, task: 'send_password_reset' | 'send_password_notice', job: object): Promise<void> {
  await sql`select graphile_worker.add_job(${task}, ${JSON.stringify(job)}::json)`.execute(db);
}
