import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { AppError } from '../../lib/errors.ts';
import { createDatabaseMetrics, type Sources } from './database-metrics.ts';

interface Metrics extends Sources {
  readonly token: string;
}

/** Serves `/metrics` for Prometheus, with a bearer token. Register it before the routes that it measures. */
export function useMetrics(app: FastifyInstance, { token, ...sources }: Metrics): void {
  const registry = new Registry();
  // CPU, memory, garbage collection, event loop delay.
  collectDefaultMetrics({ register: registry });
  useRequestMetrics(app, registry);
  const readDatabase = createDatabaseMetrics(registry, sources);

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

/** Constant-time comparison; hashing makes both sides the same length. */
function isSame(given: string, expected: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(given), hash(expected));
}

/** Buckets around the 50 ms target of a list, the 500 ms that are too slow, and the browser's timeout of 10 s. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Labelled by route pattern, not by URL: ids in URLs would create unlimited label values. */
function useRequestMetrics(app: FastifyInstance, registry: Registry): void {
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers: [registry],
  });
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown';
    duration.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
  });
}
