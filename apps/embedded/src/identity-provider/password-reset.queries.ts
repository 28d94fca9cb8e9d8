import type { Language } from '@brand-portal/contract/constants';
import type { Db } from '@brand-portal/server/db/database.ts';
import { sql } from 'kysely';
import { tables } from '../db/tables.ts';
import type { Account } from './accounts.queries.ts';

export interface ResetJob {
  readonly email: string;
  readonly language: Language;
  /** From the database's clock. */
  readonly asked_at: string;
}

export interface ChangedNoticeJob {
  readonly subject: string;
  readonly language: Language;
}

/** The address as typed. The account is looked up only when the mail is sent, so that the response does not reveal whether it exists. */
export async function queueReset(db: Db, { email, language }: Omit<ResetJob, 'asked_at'>): Promise<void> {
  await sql`
    select graphile_worker.add_job(
      'send_password_reset',
      json_build_object('email', ${email}::text, 'language', ${language}::text, 'asked_at', now())
    )
  `.execute(db);
}

export async function queueChangedNotice(db: Db, job: ChangedNoticeJob): Promise<void> {
  await sql`select graphile_worker.add_job('send_password_notice', ${JSON.stringify(job)}::json)`.execute(db);
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
    .selectFrom('idp_password_resets as r')
    .innerJoin('idp_accounts as a', 'a.subject', 'r.subject')
    .select(['a.subject', 'a.email'])
    .where('r.token_hash', '=', tokenHash)
    .where('r.expires_at', '>', sql<Date>`now()`)
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

export async function isOlderThan(db: Db, time: string, minutes: number): Promise<boolean> {
  const { rows } = await sql<{ older: boolean }>`
    select ${time}::timestamptz < now() - make_interval(mins => ${minutes}) as older
  `.execute(db);
  return rows[0]?.older ?? false;
}

export async function deleteExpiredResets(db: Db): Promise<number> {
  const { numDeletedRows } = await tables(db)
    .deleteFrom('idp_password_resets')
    .where('expires_at', '<', sql<Date>`now()`)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
