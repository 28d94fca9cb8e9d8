import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';

const reads = new AsyncLocalStorage<AbortSignal | undefined>();

/** The statements of `work` are canceled when the signal is aborted: the caller hung up, or waits no longer. */
export function asRead<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  return reads.run(signal, work);
}

/** One batch of a download takes far less. */
const MAX_BATCH_MS = 60_000;

/**
 * What is read while the caller takes it, after the call was answered: the statements of each batch still belong to the read that this is
 * called in.
 */
export function ofThisRead<T>(batches: AsyncGenerator<T, void>): AsyncGenerator<T, void> {
  const signal = reads.getStore();
  if (!signal) return batches;
  const next = () => reads.run(AbortSignal.any([signal, AbortSignal.timeout(MAX_BATCH_MS)]), () => batches.next());
  return (async function* () {
    try {
      for (let batch = await next(); !batch.done; batch = await next()) yield batch.value;
    } finally {
      await batches.return();
    }
  })();
}

/** For what a read shares with others, who still wait for it when the caller has hung up. */
export function asShared<T>(work: () => Promise<T>): Promise<T> {
  return reads.run(undefined, work);
}

/**
 * Lets `asRead` cancel the statements of a connection. Through another pool, because this one may have no connection left. A statement
 * settles only after its cancellation was sent, so the cancellation can't hit the next one.
 */
export function cancelWithRead(client: pg.PoolClient, control: pg.Pool): void {
  // Looked up at each call, so that tests can watch the statements of all connections.
  const query = (...args: unknown[]): unknown => pg.Client.prototype.query.apply(client, args as never);
  const { processID } = client as pg.PoolClient & { readonly processID: number };
  const run = async (signal: AbortSignal, args: unknown[]): Promise<unknown> => {
    signal.throwIfAborted();
    let canceling: Promise<unknown> | undefined;
    const cancel = () => {
      canceling = control.query('select pg_cancel_backend($1)', [processID]).catch(() => undefined);
    };
    signal.addEventListener('abort', cancel, { once: true });
    try {
      return await query(...args);
    } finally {
      signal.removeEventListener('abort', cancel);
      await canceling;
    }
  };
  client.query = ((...args: unknown[]) => {
    const signal = reads.getStore();
    // A rollback must run, or the connection would return to the pool inside a transaction.
    return signal && args[0] !== 'rollback' ? run(signal, args) : query(...args);
  }) as typeof client.query;
}
