import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { emailKey } from '@brand-portal/contract/people';
import type { Db } from '../../db/database.ts';
import { countAttempt, deleteAttempts, takeBackAttempt } from './login-throttle.queries.ts';

const WINDOW_SECONDS = 15 * 60;
/** Wrong passwords for one e-mail from one address. */
const TRIES_PER_PAIR = 5;
/** Wrong passwords from one address for all e-mails together; an office of many people may share one address. */
const TRIES_PER_ADDRESS = 50;

interface Attempt {
  readonly email: string;
  readonly address: string;
}

/**
 * Counts an attempt before its password is looked at, so that many sent at once cannot slip past the limit together.
 * Answers how many seconds to wait, or 0 when the password may be checked.
 */
export async function beginAttempt(db: Db, attempt: Attempt): Promise<number> {
  const pair = await countAttempt(db, pairKey(attempt), WINDOW_SECONDS);
  // Not counted against the address: nothing was tried, and its other people should not pay for it.
  if (pair.attempts > TRIES_PER_PAIR) return pair.seconds_left;
  const address = await countAttempt(db, addressKey(attempt), WINDOW_SECONDS);
  return address.attempts > TRIES_PER_ADDRESS ? address.seconds_left : 0;
}

export async function forgetAttempts(db: Db, attempt: Attempt): Promise<void> {
  await deleteAttempts(db, pairKey(attempt));
  await takeBackAttempt(db, addressKey(attempt));
}

function pairKey({ email, address }: Attempt): string {
  return hashOf(`${networkOf(address)} ${emailKey(email)}`);
}

function addressKey({ address }: Attempt): string {
  return hashOf(networkOf(address));
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
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
