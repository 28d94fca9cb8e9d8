import type { Language } from '@brand-portal/contract/constants';
import { emailKey, fullName } from '@brand-portal/contract/people';
import { type Db, inTransaction } from '@brand-portal/server/db/database.ts';
import { sendUnlessRefused } from '@brand-portal/server/mail/mailer.ts';
import { type MemberMail, memberMail } from '@brand-portal/server/mail/member-mails.ts';
import { createSecretToken, hashSecretToken } from '@brand-portal/server/people/identity/secret-tokens.ts';
import { auditAccount } from '@brand-portal/server/people/identity/users.ts';
import type { TaskList } from 'graphile-worker';
import * as queries from './accounts.queries.ts';
import { replacePassword } from './accounts.ts';
import { MOUNT_PATH } from './paths.ts';
import { begin } from './throttle.ts';

const RESET_MINUTES = 60;
const MAX_EMAIL_LENGTH = 254;

/**
 * Mails a link if the address has an account and got no mail recently. The response is the same in any case: the job has the address as
 * typed, and the account is looked up when the mail is sent.
 */
export async function requestReset(db: Db, request: { email: string; language: Language }): Promise<void> {
  const { email } = request;
  if (!email.includes('@') || email.includes('\0') || email.length > MAX_EMAIL_LENGTH) return;
  if ((await begin(db, { reset_account: emailKey(email) })) === 0) await queries.queueMail(db, 'send_password_reset', request);
}

/** The account whose password the link replaces. */
export function findReset(db: Db, token: string): Promise<Pick<queries.Account, 'email'> | undefined> {
  return queries.findResetAccount(db, hashSecretToken(token));
}

/** False if the link was used in the meantime. Ends all sessions of the account. */
export function redeemReset(
  db: Db,
  { token, passwordHash, language }: { token: string; passwordHash: string; language: Language },
): Promise<boolean> {
  return inTransaction(db, async (db) => {
    const subject = await queries.deleteReset(db, hashSecretToken(token));
    if (!subject) return false;
    await replacePassword(db, subject, { password_hash: passwordHash, email_verified: true });
    await auditAccount(db, subject, 'user.password_reset');
    await queries.queueMail(db, 'send_password_notice', { subject, language });
    return true;
  });
}

/** For the operator, if no mail is sent. Undefined if the address has no account. */
export async function createResetLink(db: Db, publicUrl: string, email: string): Promise<string | undefined> {
  const account = await queries.findAccountByEmail(db, email.trim());
  if (!account) return undefined;
  await auditAccount(db, account.subject, 'user.password_link_made');
  return issueLink(db, publicUrl, account.subject);
}

/** The token is created only here, so that it is never in the job queue. */
async function issueLink(db: Db, publicUrl: string, subject: string): Promise<string> {
  const token = createSecretToken();
  await queries.upsertReset(db, subject, hashSecretToken(token), RESET_MINUTES);
  return `${publicUrl}${MOUNT_PATH}/reset-password?token=${token}`;
}

type Sending = Parameters<typeof sendUnlessRefused>[0];

/** The jobs that send the provider's mails. */
export function createProviderMailTasks(db: Db, publicUrl: string, { mailer, logger }: Sending): TaskList {
  async function send(account: queries.Account, mail: Pick<MemberMail, 'kind' | 'language' | 'link' | 'linkLasts'>) {
    const composed = memberMail({ ...mail, email: account.email, name: fullName(account) });
    await sendUnlessRefused({ mailer, logger }, composed, { kind: mail.kind });
  }

  return {
    send_password_reset: async (job) => {
      const { email, language } = job as { email: string; language: Language };
      const account = await queries.findAccountByEmail(db, email);
      if (!account) return;
      const link = `${await issueLink(db, publicUrl, account.subject)}&language=${language}`;
      await send(account, { kind: 'password_reset', language, link, linkLasts: RESET_MINUTES });
    },
    send_password_notice: async (job) => {
      const { subject, language } = job as { subject: string; language: Language };
      const account = await queries.findAccountBySubject(db, subject);
      const link = `${publicUrl}${MOUNT_PATH}/forgot-password?language=${language}`;
      if (account) await send(account, { kind: 'password_changed', language, link });
    },
  };
}
