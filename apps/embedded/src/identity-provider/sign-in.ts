import type { Db } from '@brand-portal/server/db/database.ts';
import { findAccountByEmail } from './accounts.queries.ts';
import type { Passwords } from './passwords.ts';
import { begin, forgive, guessAt } from './throttle.ts';

type Outcome =
  | { readonly kind: 'right'; readonly subject: string }
  /** Contains the account of the e-mail, if there is one. The response must not reveal it. */
  | { readonly kind: 'wrong'; readonly subject: string | undefined }
  | { readonly kind: 'wait'; readonly seconds: number };

/**
 * Checks an e-mail and a password, unless there were too many wrong ones recently. An attempt is counted before its password is checked, so
 * that concurrent attempts cannot exceed the limit.
 */
export async function checkPassword(
  { db, passwords }: { db: Db; passwords: Passwords },
  { email, password, address }: { email: string; password: string; address: string },
): Promise<Outcome> {
  const attempt = guessAt(email, address);
  const seconds = await begin(db, attempt);
  if (seconds > 0) return { kind: 'wait', seconds };
  // PostgreSQL's text cannot contain NUL, so no account has one.
  const account = email.includes('\0') ? undefined : await findAccountByEmail(db, email);
  const matches = await passwords.matches(account?.password_hash, password);
  if (!account || !matches) return { kind: 'wrong', subject: account?.subject };
  await forgive(db, attempt);
  return { kind: 'right', subject: account.subject };
}
