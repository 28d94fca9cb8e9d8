import { AppError } from '../../errors.ts';

/** Each import holds one of the pool's 20 connections and a share of this process's time. */
const LARGEST_RUNNING = 4;
const LONGEST_LINE = 32;

export interface ImportQueue {
  /** Runs the work when it is its turn; `crowded` is said when the line is too long to join. */
  run<T>(
    brandId: number,
    options: { readonly signal: AbortSignal; readonly crowded: string },
    work: () => Promise<T>,
  ): Promise<T>;
}

interface Waiting {
  readonly brandId: number;
  readonly start: () => void;
}

/**
 * Imports of one brand take turns (in the database as well, where several servers share it); imports of different brands run side by side,
 * a few at a time, so that other calls always find a connection.
 */
export function createImportQueue(largestRunning = LARGEST_RUNNING, longestLine = LONGEST_LINE): ImportQueue {
  const running = new Set<number>();
  const line: Waiting[] = [];

  const startNext = () => {
    for (const waiting of [...line]) {
      if (running.size >= largestRunning) return;
      if (running.has(waiting.brandId)) continue;
      line.splice(line.indexOf(waiting), 1);
      running.add(waiting.brandId);
      waiting.start();
    }
  };

  const takeTurn = (brandId: number, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const waiting: Waiting = {
        brandId,
        start: () => {
          signal.removeEventListener('abort', leave);
          resolve();
        },
      };
      const leave = () => {
        line.splice(line.indexOf(waiting), 1);
        reject(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      line.push(waiting);
      startNext();
    });

  return {
    async run(brandId, { signal, crowded }, work) {
      signal.throwIfAborted();
      if (line.length >= longestLine) throw new AppError('rate_limited', crowded);
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
