import type { FastifyRateLimitStore } from '@fastify/rate-limit';
import { BoundedMap } from '../bounded-map.ts';

const REMEMBERED_CALLERS = 5_000;

interface Count {
  current: number;
  readonly endsAt: number;
}

/**
 * Counts the calls of each caller in this process, by a clock that only goes forward. The plugin's own store goes by the time
 * of day: when that is set back by two hours, its minute lasts for two hours, and everybody is refused for as long.
 */
export class SteadyStore implements FastifyRateLimitStore {
  readonly #counts = new BoundedMap<string, Count>(REMEMBERED_CALLERS);

  incr(key: string, callback: Parameters<FastifyRateLimitStore['incr']>[1], timeWindow: number): void {
    const now = performance.now();
    const known = this.#counts.get(key);
    const count = known && known.endsAt > now ? known : { current: 0, endsAt: now + timeWindow };
    count.current += 1;
    // Also one that is known, so that whoever called last is forgotten last.
    this.#counts.set(key, count);
    callback(null, { current: count.current, ttl: Math.ceil(count.endsAt - now) });
  }

  child(): SteadyStore {
    return new SteadyStore();
  }
}
