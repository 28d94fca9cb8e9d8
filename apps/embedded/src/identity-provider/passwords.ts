import { randomBytes } from 'node:crypto';
import { FairQueue } from '@brand-portal/server/lib/fair-queue.ts';
import { hash, verify } from '@node-rs/argon2';

export interface HashingCost {
  /** In KiB. */
  readonly memoryCost: number;
  readonly timeCost: number;
}

export type Passwords = ReturnType<typeof createPasswords>;

/** RFC 9106's second recommendation, with one lane: about 0.2 s on one core, in libuv's threads. */
const FULL_COST: HashingCost = { memoryCost: 64 * 1024, timeCost: 3 };

/**
 * Hashing takes all of a thread, and libuv has four, which also do files, compression, host names and signatures. If strangers send many
 * passwords at once, those wait for each other and not the whole server.
 */
const turns = new FairQueue({ total: 2, each: 2, waiting: Infinity, waitMs: Infinity });

/** argon2id (the library's default), only through its asynchronous functions, so that the event loop is not blocked. */
export function createPasswords(cost: HashingCost = FULL_COST) {
  // The same password may be typed as different code points, depending on the keyboard and the system.
  const normalize = (password: string) => password.normalize('NFKC');
  const hashPassword = (password: string) => turns.run([], () => hash(normalize(password), { ...cost, parallelism: 1 }));
  let decoy: Promise<string> | undefined;

  return {
    hash: hashPassword,
    /** Takes the same time for an account that does not exist, so that the response time reveals nothing. */
    async matches(passwordHash: string | undefined, password: string): Promise<boolean> {
      // Created on the first attempt of either kind, so that the first unknown e-mail takes no longer.
      decoy ??= hashPassword(randomBytes(16).toString('hex'));
      const decoyHash = await decoy;
      const matches = await turns.run([], () => verify(passwordHash ?? decoyHash, normalize(password)));
      return matches && passwordHash !== undefined;
    },
  };
}
