import type { Db } from '../../db/database.ts';
import { findAccountByEmail } from './accounts.queries.ts';
import { beginAttempt, forgetAttempts } from './login-throttle.ts';
import type { Passwords } from './passwords.ts';

type SignInOutcome =
  | { readonly kind: 'signed_in'; readonly subject: string }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'wait'; readonly seconds: number };

interface Credentials {
  readonly email: string;
  readonly password: string;
  /** Where the attempt comes from. */
  readonly address: string;
}

/** Checks an e-mail and a password, unless there were too many wrong ones lately. */
export async function signIn(db: Db, passwords: Passwords, credentials: Credentials): Promise<SignInOutcome> {
  const seconds = await beginAttempt(db, credentials);
  if (seconds > 0) return { kind: 'wait', seconds };
  // PostgreSQL's text has no NUL, so no account has one either.
  const account = credentials.email.includes('\0') ? undefined : await findAccountByEmail(db, credentials.email);
  const matches = await passwords.matches(account?.password_hash, credentials.password);
  if (!account || !matches) return { kind: 'wrong' };
  await forgetAttempts(db, credentials);
  return { kind: 'signed_in', subject: account.subject };
}
