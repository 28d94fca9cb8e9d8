import type { FastifyBaseLogger } from 'fastify';
import type { Db } from '../db/database.ts';
import { type ClockItem, queueTurns } from './clock.queries.ts';
import { repeat } from './repeat.ts';

const EVERY_MS = 10_000;

/**
 * Queues what runs by the clock, and that clock is the database's. The job queue's own cron goes by the server's: one that is
 * a minute ahead of the database puts each job off until the next one replaces it, and one that is set back by two hours
 * queues nothing for as long.
 */
export function startClock(db: Db, items: readonly ClockItem[], logger: FastifyBaseLogger): { stop(): Promise<void> } {
  const look = () =>
    queueTurns(db, items).catch((error: unknown) => logger.warn({ err: error }, 'What runs by the clock has to wait'));
  return repeat(look, EVERY_MS);
}
