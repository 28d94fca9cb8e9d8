import { AppError } from '../../errors.ts';

interface QueueLimits {
  /** Each import holds one of the pool's 20 connections and a share of this process's time. */
  readonly running: number;
  /** Uploads that come in, wait or run: each is a file of up to 64 MiB on the disk. */
  readonly admitted: number;
  /** The same for one member, so that slow uploads of one do not shut out all others. */
  readonly admittedPerUser: number;
}

const LIMITS: QueueLimits = { running: 4, admitted: 40, admittedPerUser: 8 };

export interface ImportQueue {
  /** Lets an upload in for as long as it is worked on; `crowded` is what is said when there are too many already. */
  admit<T>(userId: number, crowded: string, work: () => Promise<T>): Promise<T>;
  /** Runs an import when it is its turn. */
  run<T>(brandId: number, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

interface Waiting {
  readonly brandId: number;
  readonly start: () => void;
}

/**
 * Imports of one brand take turns (in the database as well, where several servers share it). Imports of different brands run
 * side by side, a few at a time, so that other calls always find a connection.
 */
export function createImportQueue(limits = LIMITS): ImportQueue {
  const admitted: number[] = [];
  const running = new Set<number>();
  const line: Waiting[] = [];

  const startNext = () => {
    for (const waiting of [...line]) {
      if (running.size >= limits.running) return;
      if (running.has(waiting.brandId)) continue;
      remove(line, waiting);
      running.add(waiting.brandId);
      waiting.start();
    }
  };

  const takeTurn = (brandId: number, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const leave = () => {
        remove(line, waiting);
        reject(signal.reason);
      };
      const start = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const waiting = { brandId, start };
      signal.addEventListener('abort', leave, { once: true });
      line.push(waiting);
      startNext();
    });

  return {
    async admit(userId, crowded, work) {
      const ofUser = admitted.filter((id) => id === userId).length;
      if (admitted.length >= limits.admitted || ofUser >= limits.admittedPerUser) {
        throw new AppError('too_many_imports', crowded);
      }
      admitted.push(userId);
      try {
        return await work();
      } finally {
        remove(admitted, userId);
      }
    },
    async run(brandId, signal, work) {
      signal.throwIfAborted();
      await takeTurn(brandId, signal);
      try {
        return await work();
      } finally {
        running.delete(brandId);
        startNext();
      }
    },
  };
}

function remove<T>(list: T[], item: T): void {
  list.splice(list.indexOf(item), 1);
}
