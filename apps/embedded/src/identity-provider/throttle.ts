import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { emailKey } from '@brand-portal/contract/people';
import { type Db, inTransaction } from '@brand-portal/server/db/database.ts';
import {
  countAttempt,
  deleteAttempts,
  findPause,
  lockAttempts,
  type Pauses,
  type Queue,
  releaseTurns,
  reserveTurn,
  takeTurn,
  useTurn,
} from './throttle.queries.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * What is counted, each for itself. Pauses grow, but no longer than a member can wait: a stranger's guesses slow the guessing down
 * and lock nobody out.
 */
const LANES = {
  /** Passwords for one account from one network, in browsers that the account never signed in with. */
  guess: { free: 5, firstPauseSeconds: 1, maxPauseSeconds: MINUTE, memorySeconds: DAY },
  /** Passwords from one browser that the account signed in with before: strangers cannot slow it down. */
  browser: { free: 5, firstPauseSeconds: 1, maxPauseSeconds: MINUTE, memorySeconds: HOUR },
  /** Wrong passwords from one address, for whatever accounts; an office of many people may share one. */
  address: { free: 100, firstPauseSeconds: 1, maxPauseSeconds: 15, memorySeconds: 15 * MINUTE },
  /** Current passwords, by someone who is signed in and wants another one. */
  change: { free: 5, firstPauseSeconds: 1, maxPauseSeconds: MINUTE, memorySeconds: HOUR },
  /** Mails with a link to one address; those beyond it are not sent, and nobody is told. */
  reset_account: { free: 3, firstPauseSeconds: 15 * MINUTE, maxPauseSeconds: HOUR, memorySeconds: HOUR },
  /** Such mails asked for from one address on the network. */
  reset_address: { free: 20, firstPauseSeconds: MINUTE, maxPauseSeconds: 15 * MINUTE, memorySeconds: HOUR },
} as const satisfies Record<string, Pauses>;

/** Guesses have a function of their own. */
type Lane = Exclude<keyof typeof LANES, 'guess'>;

/**
 * What all networks together may try at one account. A network's free tries have a queue of their own: networks that have used
 * theirs up, however many they are, do not make a new one wait. At most 8,640 and 1,440 guesses a day.
 */
const QUEUES = {
  first_tries: { atOnce: 10, everySeconds: 10, maxWaitSeconds: HOUR },
  further_tries: { atOnce: 10, everySeconds: MINUTE, maxWaitSeconds: HOUR },
} as const satisfies Record<string, Queue>;

/**
 * Counts a password for an account in a browser that it does not know. Answers how many seconds to wait, or 0 when the password
 * may be looked at. When the account had too many, the network gets a turn that nobody else can take: whoever comes back after
 * these seconds is let in.
 */
export async function beginGuess(db: Db, email: string, address: string): Promise<number> {
  const guess = guessKeys(email, address);
  const pause = await findPause(db, guess.pauses);
  if (pause > 0) return pause;

  return inTransaction(db, async (db) => {
    // The lock lets the guesses of one network through one by one, so those that must wait take no turn.
    const attempts = await lockAttempts(db, guess.key, LANES.guess);
    const newPause = await findPause(db, guess.pauses);
    if (newPause > 0) return newPause;
    if (!(await useTurn(db, guess.turn))) {
      const queue = attempts < LANES.guess.free ? 'first_tries' : 'further_tries';
      const seconds = await takeTurn(db, guess.queues[queue], QUEUES[queue]);
      if (seconds === undefined) return QUEUES[queue].everySeconds;
      if (seconds > 0) {
        await reserveTurn(db, guess.turn, seconds, LANES.guess);
        return seconds;
      }
    }
    await countAttempt(db, guess.key, LANES.guess);
    return 0;
  });
}

/** The password was right: neither it nor what was typed before it on this network was a stranger's guess. */
export async function forgetGuess(db: Db, email: string, address: string): Promise<void> {
  const guess = guessKeys(email, address);
  const attempts = await deleteAttempts(db, guess.key);
  const first = Math.min(attempts, LANES.guess.free);
  await releaseTurns(db, guess.queues.first_tries, QUEUES.first_tries, first);
  await releaseTurns(db, guess.queues.further_tries, QUEUES.further_tries, attempts - first);
}

/** A provider of IPv6 gives a site up to a /48 with 65,536 networks of /64, so all of those are one. */
function guessKeys(email: string, address: string) {
  const account = emailKey(email);
  const network = `${networkOf(address, 48)} ${account}`;
  const key = hashOf(`guess ${network}`);
  const turn = hashOf(`turn ${network}`);
  const queues = { first_tries: hashOf(`first_tries ${account}`), further_tries: hashOf(`further_tries ${account}`) };
  return { key, turn, pauses: [key, turn], queues };
}

/** Counts an attempt. Answers how many seconds to wait, or 0 when it may go on. */
export async function begin(db: Db, lane: Lane, who: string): Promise<number> {
  if (await countAttempt(db, keyOf(lane, who), LANES[lane])) return 0;
  // A pause that ends this very moment is one second at least: the attempt was not counted.
  return Math.max(1, await pauseOf(db, lane, who));
}

/** Without counting. */
export function pauseOf(db: Db, lane: Lane, who: string): Promise<number> {
  return findPause(db, [keyOf(lane, who)]);
}

export async function forget(db: Db, lane: Lane, who: string): Promise<void> {
  await deleteAttempts(db, keyOf(lane, who));
}

function keyOf(lane: Lane, who: string): string {
  const name = lane.endsWith('address') ? networkOf(who) : lane.endsWith('account') ? emailKey(who) : who;
  return hashOf(`${lane} ${name}`);
}

/** A hash: people type passwords into the field for the e-mail, and those must not be kept. */
function hashOf(name: string): string {
  return createHash('sha256').update(name).digest('base64url');
}

/** One household or server gets a whole /64 of IPv6, so that is what counts as one address. */
export function networkOf(address: string, prefix: 48 | 64 = 64): string {
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
    .slice(0, prefix / 16)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/${prefix}`;
}
