import type { Pool } from 'pg';
import { Gauge, type Registry } from 'prom-client';
import type { Db } from '../../db/database.ts';
import { countWaiting } from '../../db/turns.ts';
import { type ListQuotas, readCounts } from './metrics.queries.ts';

export interface Sources {
  readonly db: Db;
  readonly pool: Pick<Pool, 'totalCount' | 'idleCount' | 'waitingCount'>;
  readonly listQuotas: ListQuotas;
}

/** Cache time: the database is queried once in this time, whatever the number of scrapers. */
const CACHE_MS = 60_000;

/** Returns a function that refreshes the figures. If the database is down, only its own figures are missing. */
export function createDatabaseMetrics(registry: Registry, { db, pool, listQuotas }: Sources): () => Promise<void> {
  const gauge = (name: string, help: string, ...labelNames: string[]) => new Gauge({ name, help, labelNames, registers: [registry] });
  const connections = gauge('database_pool_connections', 'Of this process, and who waits for one.', 'state');
  const waiting = gauge('brand_lock_waiting', 'Calls and imports of this process that wait for the lock of a brand.');
  const up = gauge('database_up', 'Whether the database could be asked for what it counts.');
  const jobs = gauge('jobs', 'Jobs in the queue, by task and state.', 'task', 'state');
  const deliveries = gauge('channel_deliveries', 'What the channel has or shall have, by state.', 'state');
  const delay = gauge('channel_delivery_delay_seconds', 'How long the most overdue delivery has been due, of brands that can deliver.');
  const imports = gauge('imports', 'Imports so far.');
  const importRows = gauge('import_rows', 'Rows of all imports, by what became of them.', 'result');
  const quotas = gauge('quota_used_ratio', 'Of what one brand may store, what the brand with the most does.', 'quota');
  let readAt = Number.NEGATIVE_INFINITY;

  return async () => {
    connections.set({ state: 'total' }, pool.totalCount);
    connections.set({ state: 'idle' }, pool.idleCount);
    connections.set({ state: 'waiting' }, pool.waitingCount);
    waiting.set(countWaiting(db));
    if (performance.now() - readAt < CACHE_MS) return;

    const counts = await readCounts(db, listQuotas).catch(() => undefined);
    for (const counted of [jobs, deliveries, delay, imports, importRows, quotas]) counted.reset();
    up.set(counts ? 1 : 0);
    if (!counts) return;
    readAt = performance.now();
    for (const { task, state, count } of counts.jobs) jobs.set({ task, state }, count);
    for (const { state, count } of counts.deliveries) deliveries.set({ state }, count);
    delay.set(counts.deliveryDelaySeconds);
    for (const [quota, share] of counts.quotas) quotas.set({ quota }, share);
    imports.set(counts.imports.count);
    importRows.set({ result: 'imported' }, counts.imports.imported);
    importRows.set({ result: 'rejected' }, counts.imports.rejected);
  };
}
