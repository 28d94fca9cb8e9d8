import type { Endpoint } from '@brand-portal/contract/endpoint';
import type { FastifyReply } from 'fastify';
import { AppError } from '../lib/errors.ts';
import { FairQueue, QueueRefusal } from '../lib/fair-queue.ts';

/**
 * Few enough that one brand, which may have an import beside them, leaves connections and processors to the others: all of its calls
 * together take fewer connections than any pool has (db/database.ts).
 */
const READS = { total: 8, each: 3, waiting: 60, waitMs: 5_000 };
/** They wait for their brand's lock without a connection (writes/brand-lock.ts), so all brands together need no limit. */
const WRITES = { total: 1_000, each: 4, waiting: 60, waitMs: 4_000 };
/** From the first row to the last one that the reader takes, which may be minutes later. A connection is taken for one batch at a time. */
const EXPORTS = { total: 40, each: 2, waiting: 10, waitMs: 5_000 };

/** The queue of an endpoint. Undefined for a call of nobody, which the rate limit bounds, and for an upload, which has limits of its own. */
export type Admission = (endpoint: Endpoint) => FairQueue | undefined;

/** Bounds how many calls of a member and of a brand run at the same time, before they take a connection to the database. */
export function createAdmission(): Admission {
  const reads = new FairQueue(READS);
  const writes = new FairQueue(WRITES);
  const exports = new FairQueue(EXPORTS);
  return ({ method, access, bodyKind, responseKind }) => {
    if (access === 'public' || bodyKind === 'multipart') return undefined;
    if (responseKind) return exports;
    return method === 'GET' ? reads : writes;
  };
}

/** Aborted when the caller hangs up, or has. The request's own signal is aborted too once its body has been read. */
export function hangUp({ raw }: FastifyReply): AbortSignal {
  const caller = new AbortController();
  if (raw.destroyed) caller.abort();
  raw.once('close', () => !raw.writableFinished && caller.abort());
  return caller.signal;
}

/** Waits for the turn of a call. */
export async function takeTurn(queue: FairQueue, signal: AbortSignal, keys: readonly string[]): Promise<{ leave(): void }> {
  return { leave: await queue.enter(keys, signal).catch(explainRefusal) };
}

/** The refusal for the caller, who may come back. */
export function explainRefusal(error: unknown): never {
  if (!(error instanceof QueueRefusal)) throw error;
  const [code, detail] =
    error.reason === 'tooMany'
      ? (['rate_limited', 'Too many calls at the same time. Wait for their answers before you send more.'] as const)
      : (['brand_busy', 'The brand has many calls to answer. Try again in a moment.'] as const);
  throw new AppError(code, detail);
}
