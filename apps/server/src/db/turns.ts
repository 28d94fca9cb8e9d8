import { setTimeout as sleep } from 'node:timers/promises';
import { FairQueue, QueueRefusal } from '../lib/fair-queue.ts';
import { type Db, inAbortableTransaction, inTransaction } from './database.ts';

export interface Wait {
  /** Undefined: no limit. 0: it fails unless the lock is free. */
  readonly waitMs?: number;
  /** It fails immediately if this many are waiting in this process. Undefined: no limit. */
  readonly waiting?: number;
  /** Cancels both the waiting and the work. */
  readonly signal?: AbortSignal;
}

interface Turn extends Wait {
  /** Names the lock. */
  readonly name: string;
  /** Takes the lock for the transaction, or returns false if another transaction holds it. Must not wait. */
  lock(db: Db): Promise<boolean>;
  /** The error after waiting too long. */
  busy(): Error;
}

const NO_LIMIT = Number.POSITIVE_INFINITY;
const FIRST_PAUSE_MS = 25;
const MAX_PAUSE_MS = 200;

/** Of a pool: whose turn it is in this process, and how many of those retry because another process holds the lock. */
interface Turns {
  readonly queue: FairQueue;
  retrying: number;
}
const turnsOf = new WeakMap<Db, Turns>();

/**
 * Runs `work` in a transaction that holds a lock. Nobody holds a connection while waiting, so a lock that is held for long cannot use up
 * the pool: within this process writers take turns, and the one whose turn it is retries while another process holds the lock. Inside
 * another transaction, which has its connection already, it does not wait. `work` must not call it with the pool's `db`: it could wait for
 * itself.
 */
export async function inTurn<T>(db: Db, turn: Turn, work: (db: Db) => Promise<T>): Promise<T> {
  const { name, lock, busy, signal, waiting = NO_LIMIT, waitMs = NO_LIMIT } = turn;
  if (db.isTransaction) {
    if (await lock(db)) return work(db);
    throw busy();
  }
  const turns = findTurns(db);
  const until = performance.now() + waitMs;
  const leave = await turns.queue.enter([name], signal, { waiting, waitMs }).catch((error: unknown) => {
    throw error instanceof QueueRefusal ? busy() : error;
  });
  const attempt = async (db: Db) => ((await lock(db)) ? { result: await work(db) } : undefined);
  try {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
      const done = signal ? await inAbortableTransaction(db, signal, attempt) : await inTransaction(db, attempt);
      if (done) return done.result;
      const leftMs = until - performance.now();
      if (leftMs <= 0) throw busy();
      turns.retrying += 1;
      const jitter = 0.5 + Math.random() / 2;
      await sleep(Math.min(pauseMs * jitter, leftMs), undefined, { signal }).catch(() => undefined);
      turns.retrying -= 1;
      signal?.throwIfAborted();
    }
  } finally {
    leave();
  }
}

/** How many wait for a lock. */
export function countWaiting(db: Db): number {
  const { queue, retrying } = findTurns(db);
  return queue.waiting + retrying;
}

function findTurns(db: Db): Turns {
  const known = turnsOf.get(db);
  if (known) return known;
  const queue = new FairQueue({ total: NO_LIMIT, each: 1, waiting: NO_LIMIT, waitMs: NO_LIMIT });
  const turns = { queue, retrying: 0 };
  turnsOf.set(db, turns);
  return turns;
}
