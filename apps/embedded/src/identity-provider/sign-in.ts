import type { Db } from '@brand-portal/server/db/database.ts';
import { findAccountByEmail } from './accounts.queries.ts';
import { makeKnownBrowser, readKnownBrowser } from './cookies.ts';
import type { Passwords } from './passwords.ts';
import { begin, beginGuess, forget, forgetGuess, pauseOf } from './throttle.ts';

type SignInOutcome =
  | { readonly kind: 'signed_in'; readonly subject: string; readonly knownBrowser: string }
  /** With the account that the password is not of, if there is one. The answer must not tell. */
  | { readonly kind: 'wrong'; readonly subject?: string }
  | { readonly kind: 'wait'; readonly seconds: number };

interface Credentials {
  readonly email: string;
  readonly password: string;
  /** Where the attempt comes from. */
  readonly address: string;
  /** What the browser was given when it signed in before. */
  readonly knownBrowser?: string | undefined;
}

/**
 * Checks an e-mail and a password, unless there were too many wrong ones lately. An attempt is counted before its password is
 * looked at, so that many sent at once cannot slip past the limit together. A browser that the account signed in with before is
 * counted apart from everybody else's, and so is each network: whoever guesses at an account cannot keep its owner out.
 */
export async function signIn(db: Db, passwords: Passwords, credentials: Credentials): Promise<SignInOutcome> {
  const { email, password, address } = credentials;
  // PostgreSQL's text has no NUL, so no account has one either.
  const account = email.includes('\0') ? undefined : await findAccountByEmail(db, email);
  const browserId = account && readKnownBrowser(credentials.knownBrowser, account.password_hash);
  const seconds = browserId
    ? await begin(db, 'browser', browserId)
    : (await pauseOf(db, 'address', address)) || (await beginGuess(db, email, address));
  if (seconds > 0) return { kind: 'wait', seconds };

  const matches = await passwords.matches(account?.password_hash, password);
  if (!account || !matches) {
    if (!browserId) await begin(db, 'address', address);
    return { kind: 'wrong', ...(account && { subject: account.subject }) };
  }
  await (browserId ? forget(db, 'browser', browserId) : forgetGuess(db, email, address));
  return {
    kind: 'signed_in',
    subject: account.subject,
    knownBrowser: makeKnownBrowser(account.password_hash, browserId),
  };
}
