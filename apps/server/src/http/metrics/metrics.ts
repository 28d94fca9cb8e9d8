import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { Db } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import { createDatabaseMetrics } from './database-metrics.ts';
import { useRequestMetrics } from './request-metrics.ts';

interface Metrics {
  readonly db: Db;
  readonly pool: Pick<Pool, 'totalCount' | 'idleCount' | 'waitingCount'>;
  readonly token: string;
}

/** Figures for Prometheus at `/metrics`, for whoever knows the token. Must come before the routes that it measures. */
export function useMetrics(app: FastifyInstance, { db, pool, token }: Metrics): void {
  const registry = new Registry();
  // The process: CPU, memory, garbage collection, the delay of the event loop.
  collectDefaultMetrics({ register: registry });
  useRequestMetrics(app, registry);
  const readDatabase = createDatabaseMetrics(registry, { db, pool });

  app.get('/metrics', { schema: { hide: true }, config: { rateLimit: false } }, async (request, reply) => {
    if (!isSame(request.headers.authorization ?? '', `Bearer ${token}`)) {
      throw new AppError('unauthenticated', 'Metrics need the bearer token that METRICS_TOKEN names.');
    }
    await readDatabase();
    return reply
      .type(registry.contentType)
      .header('cache-control', 'no-store')
      .send(await registry.metrics());
  });
}

/** Takes the same time for every wrong guess: hashes have one length. */
function isSame(given: string, expected: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(given), hash(expected));
}
