import type { FastifyBaseLogger } from 'fastify';
import type { Db } from '../db/database.ts';
import { deletePool, releaseDeadWorkersJobs, sendHeartbeat } from './liveness.queries.ts';
import { deleteReplacedJobs } from './queue.ts';

/** So that the jobs of a killed server are taken over within seconds: a member may be waiting for an import. */
const HEARTBEAT_MS = 2_000;

/**
 * Sends a heartbeat and releases the jobs of crashed servers. graphile-worker alone would wait four hours before another server gets such a
 * job.
 */
export function startLiveness(db: Db, poolId: string, logger: FastifyBaseLogger): { stop(): Promise<void> } {
  const heartbeat = async () => {
    try {
      await sendHeartbeat(db, poolId);
      const jobs = await releaseDeadWorkersJobs(db);
      if (jobs > 0) logger.warn({ jobs }, 'Released the jobs of a crashed server');
      await deleteReplacedJobs(db);
    } catch (error) {
      logger.warn({ err: error }, 'The heartbeat of this server failed');
    }
  };
  const heartbeats = repeat(heartbeat, HEARTBEAT_MS);
  return {
    stop: async () => {
      await heartbeats.stop();
      await deletePool(db, poolId).catch(() => undefined);
    },
  };
}

/**
 * Runs `work` now and then every `everyMs`, never twice at once. `stop` waits for the current run. `work` must handle its own errors.
 */
export function repeat(work: () => Promise<void>, everyMs: number): { stop(): Promise<void> } {
  let running: Promise<void> | undefined;
  const turn = () => {
    running ??= work().finally(() => {
      running = undefined;
    });
  };
  turn();
  const timer = setInterval(turn, everyMs);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}
