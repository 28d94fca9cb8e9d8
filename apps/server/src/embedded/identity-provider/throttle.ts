import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { emailKey } from '@brand-portal/contract/people';
import type { Db } from '../../db/database.ts';
import { countAttempt, deleteAttempts, findPause, type Pauses } from './throttle.queries.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/**
 * What is counted, each for itself. Pauses grow, but no longer than a member can wait: a stranger's guesses slow the guessing down
 * and lock nobody out.
 */
const LANES = {
  /** Passwords for one account, from browsers that it never signed in with. About 1,400 guesses a day, from however many addresses. */
  account: { free: 5, firstPauseSeconds: 1, longestPauseSeconds: MINUTE, memorySeconds: HOUR },
  /** Passwords from one browser that the account signed in with before: strangers cannot slow it down. */
  browser: { free: 5, firstPauseSeconds: 1, longestPauseSeconds: MINUTE, memorySeconds: HOUR },
  /** Wrong passwords from one address, for whatever accounts; an office of many people may share one. */
  address: { free: 100, firstPauseSeconds: 1, longestPauseSeconds: 15, memorySeconds: 15 * MINUTE },
  /** Current passwords, by someone who is signed in and wants another one. */
  change: { free: 5, firstPauseSeconds: 1, longestPauseSeconds: MINUTE, memorySeconds: HOUR },
  /** Mails with a link to one address; those beyond it are not sent, and nobody is told. */
  reset_account: { free: 3, firstPauseSeconds: 15 * MINUTE, longestPauseSeconds: HOUR, memorySeconds: HOUR },
  /** Such mails asked for from one address on the network. */
  reset_address: { free: 20, firstPauseSeconds: MINUTE, longestPauseSeconds: 15 * MINUTE, memorySeconds: HOUR },
} as const satisfies Record<string, Pauses>;

export type Lane = keyof typeof LANES;

/** Counts an attempt. Answers how many seconds to wait, or 0 when it may go on. */
export async function begin(db: Db, lane: Lane, who: string): Promise<number> {
  if (await countAttempt(db, keyOf(lane, who), LANES[lane])) return 0;
  // A pause that ends this very moment is one second at the least: the attempt was not counted.
  return Math.max(1, await pauseOf(db, lane, who));
}

/** Without counting. */
export function pauseOf(db: Db, lane: Lane, who: string): Promise<number> {
  return findPause(db, keyOf(lane, who));
}

export function forget(db: Db, lane: Lane, who: string): Promise<void> {
  return deleteAttempts(db, keyOf(lane, who));
}

/** A hash: people type passwords into the field for the e-mail, and those must not be kept. */
function keyOf(lane: Lane, who: string): string {
  const name = lane.endsWith('address') ? networkOf(who) : lane.endsWith('account') ? emailKey(who) : who;
  return createHash('sha256').update(`${lane} ${name}`).digest('base64url');
}

/** One household or server gets a whole /64 of IPv6, so that is what counts as one address. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped?.[1]) return mapped[1];
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.toLowerCase().split('::');
  const groups = head ? head.split(':') : [];
  if (tail !== undefined) {
    const end = tail ? tail.split(':') : [];
    while (groups.length + end.length < 8) groups.push('0');
    groups.push(...end);
  }
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`;
}
