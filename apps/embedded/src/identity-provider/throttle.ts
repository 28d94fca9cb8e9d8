import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { emailKey } from '@brand-portal/contract/people';
import { type Db, inTransaction } from '@brand-portal/server/db/database.ts';
import {
  countAttempt,
  deleteAttempts,
  extendMemory,
  findPause,
  lockAttempts,
  type Pauses,
  type Queue,
  releaseSlots,
  reserveSlot,
  takeSlot,
  uncountAttempt,
  useSlot,
} from './throttle.queries.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * The separate counters. Pauses grow only up to what a member can wait: an attacker's guesses slow the guessing down, but lock nobody out.
 */
const LANES = {
  /** Passwords for one account from one network, in browsers that have not signed in to it before. */
  guess: { free: 5, firstPauseSeconds: 1, maxPauseSeconds: MINUTE, memorySeconds: DAY },
  /** Passwords from one browser that has signed in to the account before. Strangers cannot slow it down. */
  browser: { free: 5, firstPauseSeconds: 1, maxPauseSeconds: MINUTE, memorySeconds: HOUR },
  /** Wrong passwords from one address, for any account. A whole office may share one. */
  address: {
    free: 100,
    firstPauseSeconds: 1,
    maxPauseSeconds: 15,
    memorySeconds: 15 * MINUTE,
    onlyFailuresExtend: true,
  },
  /** Current passwords, entered by a signed-in user to change it. */
  change: { free: 5, firstPauseSeconds: 1, maxPauseSeconds: MINUTE, memorySeconds: HOUR },
  /** Reset mails to one e-mail address. Further ones are not sent, and the response does not tell. */
  reset_account: { free: 3, firstPauseSeconds: 15 * MINUTE, maxPauseSeconds: HOUR, memorySeconds: HOUR },
  /** Reset mails requested from one network address. */
  reset_address: { free: 20, firstPauseSeconds: MINUTE, maxPauseSeconds: 15 * MINUTE, memorySeconds: HOUR },
} as const satisfies Record<string, Pauses>;

/** Guesses have their own function. */
type Lane = Exclude<keyof typeof LANES, 'guess'>;

/**
 * Limits for one account over all networks. The free attempts of a network have their own queue, so networks that have used theirs up do
 * not make a new one wait, however many they are. At most 8,640 and 1,440 guesses a day.
 */
const QUEUES = {
  first_tries: { atOnce: 10, everySeconds: 10, maxWaitSeconds: HOUR },
  further_tries: { atOnce: 10, everySeconds: MINUTE, maxWaitSeconds: HOUR },
} as const satisfies Record<string, Queue>;

/**
 * Counts a password for an account in an unknown browser. Returns the seconds to wait, or 0 if the password may be checked. If the account
 * had too many guesses, a slot is reserved for the network, which can use it after these seconds.
 */
export async function beginGuess(db: Db, email: string, address: string): Promise<number> {
  const guess = guessKeys(email, address);
  const pause = await findPause(db, guess.pauses);
  if (pause > 0) return pause;

  return inTransaction(db, async (db) => {
    // The lock serialises the guesses of one network, so that those which must wait take no slot.
    const attempts = await lockAttempts(db, guess.key, LANES.guess);
    const newPause = await findPause(db, guess.pauses);
    if (newPause > 0) return newPause;
    if (!(await useSlot(db, guess.turn))) {
      const queue = attempts < LANES.guess.free ? 'first_tries' : 'further_tries';
      const seconds = await takeSlot(db, guess.queues[queue], QUEUES[queue]);
      if (seconds === undefined) return QUEUES[queue].everySeconds;
      if (seconds > 0) {
        await reserveSlot(db, guess.turn, seconds, LANES.guess);
        return seconds;
      }
    }
    await countAttempt(db, guess.key, LANES.guess);
    return 0;
  });
}

/** The password was right, so the earlier attempts from this network were not an attacker's guesses. */
export async function resetGuesses(db: Db, email: string, address: string): Promise<void> {
  const guess = guessKeys(email, address);
  const attempts = await deleteAttempts(db, guess.key);
  const first = Math.min(attempts, LANES.guess.free);
  await releaseSlots(db, guess.queues.first_tries, QUEUES.first_tries, first);
  await releaseSlots(db, guess.queues.further_tries, QUEUES.further_tries, attempts - first);
}

/** An IPv6 provider may give a site a /48 with 65,536 networks of /64, so a /48 counts as one. */
function guessKeys(email: string, address: string) {
  const account = emailKey(email);
  const network = `${networkOf(address, 48)} ${account}`;
  const key = hashOf(`guess ${network}`);
  const turn = hashOf(`turn ${network}`);
  const queues = { first_tries: hashOf(`first_tries ${account}`), further_tries: hashOf(`further_tries ${account}`) };
  return { key, turn, pauses: [key, turn], queues };
}

/** Counts an attempt. Returns the seconds to wait, or 0 if it may proceed. */
export async function begin(db: Db, lane: Lane, who: string): Promise<number> {
  if (await countAttempt(db, keyOf(lane, who), LANES[lane])) return 0;
  // At least one second, even if the pause ends right now: the attempt was not counted.
  return Math.max(1, await pauseOf(db, lane, who));
}

/** Does not count an attempt. */
export function pauseOf(db: Db, lane: Lane, who: string): Promise<number> {
  return findPause(db, [keyOf(lane, who)]);
}

export async function forget(db: Db, lane: Lane, who: string): Promise<void> {
  await deleteAttempts(db, keyOf(lane, who));
}

/** Call it after `begin` with the address: an attempt with the right password does not count. */
export async function finishAtAddress(db: Db, address: string, isRight: boolean): Promise<void> {
  const key = keyOf('address', address);
  await (isRight ? uncountAttempt(db, key) : extendMemory(db, key, LANES.address));
}

function keyOf(lane: Lane, who: string): string {
  const name = lane.endsWith('address') ? networkOf(who) : lane.endsWith('account') ? emailKey(who) : who;
  return hashOf(`${lane} ${name}`);
}

/** Hashed, because people type passwords into the e-mail field, and those must not be stored. */
function hashOf(name: string): string {
  return createHash('sha256').update(name).digest('base64url');
}

/** A household or server gets a whole /64 of IPv6, so a /64 counts as one address. */
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
