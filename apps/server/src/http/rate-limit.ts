import { KEY_START } from '@brand-portal/contract/api-keys';
import { ENDPOINTS } from '@brand-portal/contract/endpoints';
import rateLimit, { normalizeIP } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { tooManyRequests } from '../lib/errors.ts';
import { PROBES } from './health.ts';
import { isWebFile } from './web-app.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Callers who are not signed in can make it store data: limited as strictly as guessing. */
    isCostly?: boolean;
  }
}

/** Endpoints that accept a token or password without a session, where guessing is possible. */
const GUESSABLE = new Set<string | undefined>(
  ENDPOINTS.filter(({ access, body, query }) => access === 'public' && (body || query)).map(({ path }) => path),
);
/** The share of the general limit. A session needs one such call per 15 minutes, so it is enough even for an office behind one address. */
const GUESSABLE_SHARE = 1 / 10;
const API_KEY = new RegExp(`^bearer ${KEY_START}`, 'i');
/** Limits the log lines during a flood of requests. */
const REPORT_EVERY_MS = 10_000;

interface RateLimitOptions {
  readonly requestsPerMinute: number;
  /** The user of the request's access token or API key, found without the database. Each key has its own user. */
  readonly recognize: (request: FastifyRequest) => Promise<number | undefined>;
}

/**
 * Limits requests per minute by member or API key or, if not signed in, by address; to a tenth of that if something could be guessed, such
 * as an API key that was not used in the last minute. Files
 * of the web app are not limited: a cold load needs dozens, and a whole office may share an address. Returns the check for requests that
 * match no route.
 */
export async function useRateLimit(app: FastifyInstance, options: RateLimitOptions) {
  const { requestsPerMinute, recognize } = options;
  const isGuess = ({ routeOptions: { url } }: FastifyRequest) => GUESSABLE.has(url);
  /** API keys that were not used lately: each has to be looked up, and most of many are guesses. */
  const unknownKeys = new WeakSet<FastifyRequest>();
  const isCostly = ({ routeOptions: { config } }: FastifyRequest) => config?.isCostly === true;
  const guessesPerMinute = Math.max(1, Math.ceil(requestsPerMinute * GUESSABLE_SHARE));
  let reportedAt = Number.NEGATIVE_INFINITY;

  async function keyOf(request: FastifyRequest): Promise<string> {
    // Cross-site requests, which another page may trigger, must not use up the visitor's own limit.
    const isForeign = request.headers['sec-fetch-site'] === 'cross-site';
    // A caller who has hung up already has no address any more.
    const ip: string | undefined = request.ip;
    const address = `${isForeign ? 'foreign ' : ''}${normalizeIP(ip ?? 'gone')}`;
    if (isGuess(request)) return `guess ${address}`;
    if (isCostly(request)) return `costly ${address}`;
    // Counted separately, so that other traffic behind the same proxy cannot fail the health checks.
    if (PROBES.has(request.routeOptions.url)) return `probe ${address}`;
    const userId = await recognize(request);
    if (userId !== undefined) return `member ${userId}`;
    if (!API_KEY.test(request.headers.authorization ?? '')) return address;
    unknownKeys.add(request);
    return `key ${address}`;
  }

  await app.register(rateLimit, {
    timeWindow: '1 minute',
    keyGenerator: keyOf,
    allowList: (request) => isWebFile(request.routeOptions.url),
    max: (request) => (isGuess(request) || isCostly(request) || unknownKeys.has(request) ? guessesPerMinute : requestsPerMinute),
    onExceeded: (request, key) => {
      if (performance.now() - reportedAt < REPORT_EVERY_MS) return;
      reportedAt = performance.now();
      request.log.warn({ req: request, limited: key }, 'Too many requests');
    },
  });

  const check = app.createRateLimit();
  return async (request: FastifyRequest): Promise<void> => {
    const verdict = await check(request);
    if (!verdict.isAllowed && verdict.isExceeded) throw tooManyRequests();
  };
}
