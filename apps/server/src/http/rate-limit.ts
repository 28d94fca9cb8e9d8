import { ENDPOINTS } from '@brand-portal/contract/endpoints';
import rateLimit, { normalizeIP } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { SteadyStore } from './rate-limit-store.ts';

/** Where someone without a session brings a token or a password: the only places where guessing could pay. */
const GUESSABLE = new Set<string | undefined>(
  ENDPOINTS.filter(({ access, body, query }) => access === 'public' && (body || query)).map(({ path }) => path),
);
/** Of the general limit. A session needs one such call in a quarter of an hour, also where an office shares an address. */
const GUESSABLE_SHARE = 1 / 10;

/** So many requests a minute from one address, and a tenth of it where something could be guessed. */
export async function useRateLimit(app: FastifyInstance, requestsPerMinute: number): Promise<void> {
  const isGuess = (request: FastifyRequest) => GUESSABLE.has(request.routeOptions.url);
  const guessesPerMinute = Math.max(1, Math.ceil(requestsPerMinute * GUESSABLE_SHARE));
  await app.register(rateLimit, {
    timeWindow: '1 minute',
    store: SteadyStore,
    keyGenerator: (request) => `${isGuess(request) ? 'guess ' : ''}${normalizeIP(request.ip)}`,
    max: (request) => (isGuess(request) ? guessesPerMinute : requestsPerMinute),
  });
}
