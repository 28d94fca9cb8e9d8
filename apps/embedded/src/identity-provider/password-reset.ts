import type { Language } from '@brand-portal/contract/constants';
import { fullName } from '@brand-portal/contract/people';
import { type Db, inTransaction } from '@brand-portal/server/db/database.ts';
import { type Mailer, sendUnlessRefused } from '@brand-portal/server/mail/mailer.ts';
import { type MemberMail, memberMail } from '@brand-portal/server/mail/member-mails.ts';
import { createSecretToken, hashSecretToken } from '@brand-portal/server/people/identity/secret-tokens.ts';
import { auditAccount } from '@brand-portal/server/people/identity/users.ts';
import type { FastifyBaseLogger } from 'fastify';
import type { TaskList } from 'graphile-worker';
import { type Account, findAccountByEmail, findAccountBySubject } from './accounts.queries.ts';
import { replacePassword } from './accounts.ts';
import { MOUNT_PATH } from './cookies.ts';
import {
  type ChangedNoticeJob,
  deleteReset,
  findResetAccount,
  isOlderThan,
  queueChangedNotice,
  queueReset,
  type ResetJob,
  upsertReset,
} from './password-reset.queries.ts';
import { begin } from './throttle.ts';

/** How long a link is valid, and how long a mail may wait for its mail server. */
const RESET_MINUTES = 60;
const MAX_EMAIL_LENGTH = 254;

/** Mails a link if the address has an account and got no mail recently. The response is the same in any case. */
export async function requestReset(db: Db, request: { email: string; language: Language }): Promise<void> {
  const { email } = request;
  if (!email.includes('@') || email.includes('\0') || email.length > MAX_EMAIL_LENGTH) return;
  if ((await begin(db, 'reset_account', email)) === 0) await queueReset(db, request);
}

export function findReset(db: Db, token: string): Promise<Pick<Account, 'subject' | 'email'> | undefined> {
  return findResetAccount(db, hashSecretToken(token));
}

/** False if the link was used in the meantime. Ends all sessions of the account. */
export function redeemReset(
  db: Db,
  { token, passwordHash, language }: { token: string; passwordHash: string; language: Language },
): Promise<boolean> {
  return inTransaction(db, async (db) => {
    const subject = await deleteReset(db, hashSecretToken(token));
    if (!subject) return false;
    await replacePassword(db, subject, { password_hash: passwordHash, email_verified: true });
    await auditAccount(db, subject, 'user.password_reset');
    await queueChangedNotice(db, { subject, language });
    return true;
  });
}

/** For the operator, if no mail is sent. Undefined if the address has no account. */
export async function createResetLink(db: Db, publicUrl: string, email: string): Promise<string | undefined> {
  const account = await findAccountByEmail(db, email.trim());
  if (!account) return undefined;
  await auditAccount(db, account.subject, 'user.password_link_made');
  return issueLink(db, publicUrl, account.subject);
}

/** The token is created only here, so that it is never in the job queue. */
async function issueLink(db: Db, publicUrl: string, subject: string): Promise<string> {
  const token = createSecretToken();
  await upsertReset(db, subject, hashSecretToken(token), RESET_MINUTES);
  return `${publicUrl}${MOUNT_PATH}/reset-password?token=${token}`;
}

interface Dependencies {
  readonly db: Db;
  readonly publicUrl: string;
  readonly logger: FastifyBaseLogger;
}

/** The jobs that send the provider's mails. */
export function createProviderMailTasks({ db, publicUrl, logger }: Dependencies, mailer: Mailer): TaskList {
  async function send(account: Account, mail: Pick<MemberMail, 'kind' | 'language' | 'link' | 'linkLasts'>) {
    const composed = memberMail({ ...mail, email: account.email, name: fullName(account) });
    await sendUnlessRefused({ mailer, logger }, composed, { kind: mail.kind });
  }

  return {
    send_password_reset: async (job) => {
      const { email, language, asked_at } = job as ResetJob;
      const account = await findAccountByEmail(db, email);
      if (!account || (await isOlderThan(db, asked_at, RESET_MINUTES))) return;
      const link = await issueLink(db, publicUrl, account.subject);
      await send(account, { kind: 'password_reset', language, link, linkLasts: RESET_MINUTES });
    },
    send_password_notice: async (job) => {
      const { subject, language } = job as ChangedNoticeJob;
      const account = await findAccountBySubject(db, subject);
      const link = `${publicUrl}${MOUNT_PATH}/forgot-password`;
      if (account) await send(account, { kind: 'password_changed', language, link });
    },
  };
}
