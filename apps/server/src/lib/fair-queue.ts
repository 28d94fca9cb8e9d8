interface Limits {
  /** How many may run at the same time. */
  readonly total: number;
  /** How many of them may have a key in common. */
  readonly each: number;
  /** How many of one key may wait. */
  readonly waiting: number;
  readonly waitMs: number;
}

interface Waiter {
  readonly keys: readonly string[];
  start(): void;
}

/** `tooMany`: as many of its key wait as may wait. `tooLong`: it waited for the whole time. */
export class QueueRefusal extends Error {
  readonly reason: 'tooMany' | 'tooLong';

  constructor(reason: 'tooMany' | 'tooLong') {
    super(reason);
    this.reason = reason;
  }
}

/**
 * Bounds what runs at the same time, in all and for each key, such as a member and a brand. The next one is always the one whose keys have
 * the fewest running, so a key with hundreds waiting delays no other.
 */
export class FairQueue {
  readonly #limits: Limits;
  readonly #running = new Map<string, number>();
  readonly #waiting = new Set<Waiter>();
  #total = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  get running(): number {
    return this.#total;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Waits for a turn, and returns what ends it. Throws a `QueueRefusal`, or the signal's reason. `patience` replaces the queue's limits. */
  async enter(
    keys: readonly string[],
    signal?: AbortSignal,
    patience: Pick<Limits, 'waiting' | 'waitMs'> = this.#limits,
  ): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.#mayStart(keys)) return this.#start(keys);
    if (keys.some((key) => this.#countWaiting(key) >= patience.waiting)) throw new QueueRefusal('tooMany');
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    const waiter: Waiter = { keys, start: () => resolve(this.#start(keys)) };
    const giveUp = (reason: unknown) => {
      if (this.#waiting.delete(waiter)) reject(reason);
    };
    const abort = () => giveUp(signal?.reason);
    const { waitMs } = patience;
    const timer = Number.isFinite(waitMs) ? setTimeout(giveUp, waitMs, new QueueRefusal('tooLong')) : undefined;
    signal?.addEventListener('abort', abort, { once: true });
    this.#waiting.add(waiter);
    return promise.finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    });
  }

  async run<T>(keys: readonly string[], work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const leave = await this.enter(keys, signal);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  #start(keys: readonly string[]): () => void {
    let isOver = false;
    this.#count(keys, 1);
    return () => {
      if (isOver) return;
      isOver = true;
      this.#count(keys, -1);
      while (this.#startNext()) {}
    };
  }

  #count(keys: readonly string[], change: 1 | -1): void {
    this.#total += change;
    for (const key of keys) {
      const running = this.#runningOf(key) + change;
      if (running > 0) this.#running.set(key, running);
      else this.#running.delete(key);
    }
  }

  /** One end may make room for several: each for another key. */
  #startNext(): boolean {
    let next: Waiter | undefined;
    let fewest = Number.POSITIVE_INFINITY;
    for (const waiter of this.#waiting) {
      const running = Math.max(0, ...waiter.keys.map((key) => this.#runningOf(key)));
      if (running < fewest && this.#mayStart(waiter.keys)) {
        next = waiter;
        fewest = running;
      }
    }
    if (!next) return false;
    this.#waiting.delete(next);
    next.start();
    return true;
  }

  #mayStart(keys: readonly string[]): boolean {
    const { total, each } = this.#limits;
    return this.#total < total && keys.every((key) => this.#runningOf(key) < each);
  }

  #runningOf(key: string): number {
    return this.#running.get(key) ?? 0;
  }

  #countWaiting(key: string): number {
    let count = 0;
    for (const waiter of this.#waiting) if (waiter.keys.includes(key)) count += 1;
    return count;
  }
}
