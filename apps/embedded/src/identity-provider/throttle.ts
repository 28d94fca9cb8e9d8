import { createHash } from 'node:crypto';
import { emailKey } from '@brand-portal/contract/people';
import type { Db } from '@brand-portal/server/db/database.ts';
import { countAttempt, deleteAttempts, findPause, type Limit, uncountAttempt } from './throttle.queries.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Pauses grow only up to what a member can wait: guesses of strangers slow the guessing down, but lock nobody out. */
const LIMITS = {
  /** Passwords for one account from one network. */
  guess: { free: 5, firstPauseSeconds: 1, maxPauseSeconds: MINUTE, memorySeconds: DAY },
  /** Wrong passwords for one account from all networks together, so that many networks cannot guess without a limit. */
  account: { free: 50, firstPauseSeconds: 1, maxPauseSeconds: 15, memorySeconds: DAY },
  /** Wrong passwords from one network, for any account. A whole office may share one. */
  network: { free: 100, firstPauseSeconds: 1, maxPauseSeconds: 15, memorySeconds: HOUR },
  /** Reset mails to one e-mail address. Further ones are not sent, and the response does not tell. */
  reset_account: { free: 3, firstPauseSeconds: 15 * MINUTE, maxPauseSeconds: HOUR, memorySeconds: HOUR },
  /** Reset mails requested from one network. */
  reset_network: { free: 20, firstPauseSeconds: MINUTE, maxPauseSeconds: 15 * MINUTE, memorySeconds: HOUR },
} as const satisfies Record<string, Limit>;

type Lane = keyof typeof LIMITS;

/** What counts a password for an account. */
export function guessAt(email: string, address: string) {
  const [account, network] = [emailKey(email), networkOf(address)];
  return { guess: `${network} ${account}`, account, network };
}

/** The password was right. Forgets the wrong ones of this network, which were the member's own. */
export async function forgive(db: Db, { guess, account, network }: ReturnType<typeof guessAt>): Promise<void> {
  await deleteAttempts(db, keyOf('guess', guess));
  await uncountAttempt(db, keyOf('account', account));
  await uncountAttempt(db, keyOf('network', network));
}

/** Counts an attempt before its result is known. Returns the seconds to wait, or 0 if it may proceed. */
export async function begin(db: Db, attempt: Partial<Record<Lane, string>>): Promise<number> {
  const counters = (Object.entries(attempt) as [Lane, string][]).map(([lane, who]) => ({ key: keyOf(lane, who), limit: LIMITS[lane] }));
  const pause = await findPause(
    db,
    counters.map(({ key }) => key),
  );
  if (pause > 0) return pause;
  // A pause that has begun since: a concurrent attempt was faster.
  for (const { key, limit } of counters) if (!(await countAttempt(db, key, limit))) return 1;
  return 0;
}

/** Hashed, because people type passwords into the e-mail field, and those must not be stored. */
function keyOf(lane: Lane, who: string): string {
  return createHash('sha256').update(`${lane} ${who}`).digest('base64url');
}

/** An IPv6 provider may give a site a /48 with 65,536 networks of /64, so a /48 counts as one. */
export function networkOf(address: string): string {
  const [, ipv4] = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? [];
  const url = `http://[${address}]`;
  if (ipv4 !== undefined || !URL.canParse(url)) return ipv4 ?? address;
  // The URL has the canonical form, so what `::` replaces at the start are zeros.
  const [head = ''] = new URL(url).hostname.slice(1, -1).split('::');
  const groups = [...head.split(':').filter(Boolean), '0', '0', '0'].slice(0, 3);
  return `${groups.join(':')}::/48`;
}
