import type { Db } from '@brand-portal/server/db/database.ts';
import { findAccountByEmail } from './accounts.queries.ts';
import { makeKnownBrowser, readKnownBrowser } from './cookies.ts';
import type { Passwords } from './passwords.ts';
import { begin, beginGuess, finishAtAddress, forget, pauseOf, resetGuesses } from './throttle.ts';

type SignInOutcome =
  | { readonly kind: 'signed_in'; readonly subject: string; readonly knownBrowser: string }
  /** Contains the account of the e-mail, if there is one. The response must not reveal it. */
  | { readonly kind: 'wrong'; readonly subject?: string }
  | { readonly kind: 'wait'; readonly seconds: number };

interface Credentials {
  readonly email: string;
  readonly password: string;
  /** The network address of the caller. */
  readonly address: string;
  /** The cookie from an earlier sign-in. */
  readonly knownBrowser?: string | undefined;
}

/**
 * Checks an e-mail and a password, unless there were too many wrong ones recently. An attempt is counted before its password is checked, so
 * that concurrent attempts cannot exceed the limit. A browser that has signed in to the account before is counted separately, and so is
 * each network: an attacker who guesses at an account cannot lock its owner out.
 */
export async function signIn(db: Db, passwords: Passwords, credentials: Credentials): Promise<SignInOutcome> {
  const { email, password, address } = credentials;
  // PostgreSQL's text cannot contain NUL, so no account has one.
  const account = email.includes('\0') ? undefined : await findAccountByEmail(db, email);
  const browserId = account && readKnownBrowser(credentials.knownBrowser, account.password_hash);
  const seconds = browserId
    ? await begin(db, 'browser', browserId)
    : (await pauseOf(db, 'address', address)) || (await beginGuess(db, email, address)) || (await begin(db, 'address', address));
  if (seconds > 0) return { kind: 'wait', seconds };

  const matches = await passwords.matches(account?.password_hash, password);
  if (!browserId) await finishAtAddress(db, address, matches);
  if (!account || !matches) return { kind: 'wrong', ...(account && { subject: account.subject }) };
  await (browserId ? forget(db, 'browser', browserId) : resetGuesses(db, email, address));
  return {
    kind: 'signed_in',
    subject: account.subject,
    knownBrowser: makeKnownBrowser(account.password_hash, browserId),
  };
}
