import { ENDPOINTS } from '@brand-portal/contract/endpoints';
import rateLimit, { normalizeIP } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { tooManyRequests } from '../errors.ts';
import { PROBES } from './health.ts';
import { isWebFile } from './web-app.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whoever is not signed in can make it store something: limited as strictly as guessing. */
    isCostly?: boolean;
  }
}

/** Where someone without a session brings a token or a password: the only places where guessing could pay. */
const GUESSABLE = new Set<string | undefined>(
  ENDPOINTS.filter(({ access, body, query }) => access === 'public' && (body || query)).map(({ path }) => path),
);
/** Of the general limit. A session needs one such call in a quarter of an hour, also where an office shares an address. */
const GUESSABLE_SHARE = 1 / 10;
/** Limits the log lines under a flood of requests. */
const REPORT_EVERY_MS = 10_000;

interface RateLimitOptions {
  readonly requestsPerMinute: number;
  /** The user whose valid access token or API key the request carries; a key is a user of its own. */
  readonly findMember: (request: FastifyRequest) => Promise<number | undefined>;
}

/**
 * So many requests a minute from one member or API key or, where nobody is signed in, from one address; a tenth of it where something
 * could be guessed. Files of the web app are free: one cold load is dozens of them, and a whole office shares an address.
 * Returns the check for requests that reach no route.
 */
export async function useRateLimit(app: FastifyInstance, options: RateLimitOptions) {
  const { requestsPerMinute, findMember } = options;
  const isGuess = ({ routeOptions: { url } }: FastifyRequest) => GUESSABLE.has(url);
  const isCostly = ({ routeOptions: { config } }: FastifyRequest) => config?.isCostly === true;
  const guessesPerMinute = Math.max(1, Math.ceil(requestsPerMinute * GUESSABLE_SHARE));
  let reportedAt = Number.NEGATIVE_INFINITY;

  async function keyOf(request: FastifyRequest): Promise<string> {
    // Cross-site requests that another page triggers must not use up the visitor's own limit.
    const isForeign = request.headers['sec-fetch-site'] === 'cross-site';
    const address = `${isForeign ? 'foreign ' : ''}${normalizeIP(request.ip)}`;
    if (isGuess(request)) return `guess ${address}`;
    if (isCostly(request)) return `costly ${address}`;
    // Counted separately, so that other traffic behind the same proxy cannot fail the health checks.
    if (PROBES.has(request.routeOptions.url)) return `probe ${address}`;
    const userId = await findMember(request);
    return userId === undefined ? address : `member ${userId}`;
  }

  await app.register(rateLimit, {
    timeWindow: '1 minute',
    keyGenerator: keyOf,
    allowList: (request) => isWebFile(request.routeOptions.url),
    max: (request) => (isGuess(request) || isCostly(request) ? guessesPerMinute : requestsPerMinute),
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
