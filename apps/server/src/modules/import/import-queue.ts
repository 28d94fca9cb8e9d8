import type { Language } from '@brand-portal/contract/constants';
import { AppError } from '../../errors.ts';
import { importTexts } from './rows/describe.ts';

export interface Uploader {
  readonly brandId: number;
  readonly userId: number;
  /** Of the error message when the queue is full. */
  readonly language: Language;
}

interface Places {
  readonly total: number;
  readonly perBrand: number;
  readonly perUser: number;
}

interface QueueLimits {
  /** Each import holds one of the pool's connections and a share of this process's time. */
  readonly running: number;
  /**
   * Uploads in progress. Each costs a connection and disk space. They have places of their own, so they do not block files that have
   * arrived.
   */
  readonly arriving: Places;
  /** Files that are queued or being imported. */
  readonly arrived: Places;
}

/** A slow upload is aborted (`upload.ts`), so brands can use up all places only by sending at full speed. */
const LIMITS: QueueLimits = {
  running: 4,
  arriving: { total: 100, perBrand: 12, perUser: 8 },
  arrived: { total: 40, perBrand: 12, perUser: 8 },
};

export interface ImportQueue {
  /** Reserves a place for a file that is being uploaded. */
  receive<T>(uploader: Uploader, work: () => Promise<T>): Promise<T>;
  /** Reserves a place for an uploaded file. Returns the function that releases it when the import has ended. */
  keep(uploader: Uploader): () => void;
  /** Queues an import of the brand and runs it. */
  run<T>(brandId: number, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

interface Waiting {
  readonly brandId: number;
  readonly start: () => void;
}

/**
 * Imports of one brand run one at a time (across servers too, by a database lock). Imports of different brands run in parallel, but only a
 * few, so that other calls always get a connection. Brands take turns: one with many files waits for a brand with one.
 */
export function createImportQueue(limits = LIMITS): ImportQueue {
  const arriving = createPlaces(limits.arriving);
  const arrived = createPlaces(limits.arrived);
  const running = new Set<number>();
  const waitingImports: Waiting[] = [];

  const startNext = () => {
    for (const waiting of [...waitingImports]) {
      if (running.size >= limits.running) return;
      if (running.has(waiting.brandId)) continue;
      remove(waitingImports, waiting);
      running.add(waiting.brandId);
      waiting.start();
    }
  };

  const takeTurn = (brandId: number, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const leave = () => {
        remove(waitingImports, waiting);
        reject(signal.reason);
      };
      const start = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const waiting = { brandId, start };
      signal.addEventListener('abort', leave, { once: true });
      waitingImports.push(waiting);
      startNext();
    });

  return {
    async receive(uploader, work) {
      const leave = arriving.take(uploader);
      try {
        return await work();
      } finally {
        leave();
      }
    },
    keep: arrived.take,
    async run(brandId, signal, work) {
      signal.throwIfAborted();
      await takeTurn(brandId, signal);
      try {
        return await work();
      } finally {
        running.delete(brandId);
        waitingImports.push(...takeAll(waitingImports, (waiting) => waiting.brandId === brandId));
        startNext();
      }
    },
  };
}

/** A semaphore with limits per brand and per member. */
function createPlaces({ total, perBrand, perUser }: Places) {
  const taken: Uploader[] = [];
  const count = (key: 'brandId' | 'userId', value: number) =>
    taken.filter((uploader) => uploader[key] === value).length;
  return {
    /** Returns the function that releases the place. */
    take(uploader: Uploader): () => void {
      const { brandId, userId, language } = uploader;
      const isFull =
        taken.length >= total || count('brandId', brandId) >= perBrand || count('userId', userId) >= perUser;
      if (isFull) throw new AppError('too_many_imports', importTexts(language).uploads.crowded);
      taken.push(uploader);
      return () => remove(taken, uploader);
    },
  };
}

function takeAll<T>(list: T[], isWanted: (item: T) => boolean): T[] {
  const wanted = list.filter(isWanted);
  for (const item of wanted) remove(list, item);
  return wanted;
}

function remove<T>(list: T[], item: T): void {
  const index = list.indexOf(item);
  if (index >= 0) list.splice(index, 1);
}
