import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { Logger, type Runner, run as runJobs, runMigrations, type TaskList, type WorkerPool } from 'graphile-worker';
import type { Database, Db } from '../db/database.ts';
import { startLiveness } from './liveness.ts';

interface Options {
  readonly database: Pick<Database, 'db' | 'pool'>;
  /** Connections that jobs cannot use up. */
  readonly heartbeats?: Db;
  readonly tasks: TaskList;
  /** The cron schedule. */
  readonly crontab?: string | undefined;
  readonly logger: FastifyBaseLogger;
  /** Other numbers of slots, for a test. */
  readonly slots?: Partial<Record<keyof typeof SLOTS, number>>;
  /** Lets a test delay the start. */
  readonly run?: typeof runJobs;
}

/** Kinds of jobs with slots of their own, so that they never wait for the others. */
const SLOTS = { mails: 4, imports: 3, actions: 2, others: 4 } as const;

function slotsOf(task: string): keyof typeof SLOTS {
  if (task.startsWith('send_')) return 'mails';
  if (task === 'import') return 'imports';
  return task === 'act' ? 'actions' : 'others';
}

/** Running jobs may finish within this time. Then they are released and run again later. */
const STOP_TIMEOUT_MS = 1_500;
/**
 * The next job of a queue is not announced when the queue becomes free, a moment after its job has ended: without a look it would start at the
 * next poll, up to 2 s later.
 */
const QUEUE_FREE_MS = [10, 100];
const RESTART_AFTER_MS = 1_000;

/** Creates the job queue's tables, in their own schema. Run it after our migrations and before anything queues a job. */
export async function migrateJobs(pool: Database['pool'], logger: FastifyBaseLogger): Promise<void> {
  await runMigrations({ pgPool: pool, logger: toWorkerLogger(logger) });
}

/** Runs jobs in this process. Every server has a worker, and the database gives each job to one of them. `stop` is idempotent. */
export async function startWorker({ tasks, crontab, slots: numbers, ...options }: Options): Promise<{ stop(): Promise<void> }> {
  const groups = [...Map.groupBy(Object.entries(tasks), ([task]) => slotsOf(task))];
  const runners = await Promise.all(
    groups.map(([slots, tasks], index) => {
      const runner = { ...options, tasks: Object.fromEntries(tasks), concurrency: numbers?.[slots] ?? SLOTS[slots] };
      return keepRunning({ ...runner, crontab: index === 0 ? crontab : undefined });
    }),
  );
  return { stop: async () => void (await Promise.all(runners.map(({ stop }) => stop()))) };
}

type RunnerOptions = Options & { readonly concurrency: number };

async function keepRunning(options: RunnerOptions): Promise<{ stop(): Promise<void> }> {
  let current = await startRunner(options);
  const stopper = new AbortController();
  const stopping = stopper.signal;

  async function restartOnFailure(): Promise<void> {
    for (;;) {
      await current.runner.promise.catch(() => undefined);
      if (stopping.aborted) return;
      options.logger.error('The job worker stopped unexpectedly and is restarted');
      await current.stop();
      await sleep(RESTART_AFTER_MS, undefined, { ref: false, signal: stopping }).catch(() => undefined);
      if (stopping.aborted) return;
      current = await startRunner(options).catch(() => current);
      // `stop` was called while this runner was starting.
      if (stopping.aborted) await current.stop();
    }
  }
  const kept = restartOnFailure();

  async function stop(): Promise<void> {
    stopper.abort();
    await current.stop();
    await kept;
  }
  let stopped: Promise<void> | undefined;
  return { stop: () => (stopped ??= stop()) };
}

async function startRunner({ database, heartbeats = database.db, tasks, crontab = '', concurrency, logger, run = runJobs }: RunnerOptions) {
  const events = new EventEmitter();
  const pools: WorkerPool[] = [];
  events.on('pool:create', ({ workerPool }: { workerPool: WorkerPool }) => pools.push(workerPool));
  events.on('job:complete', () => {
    const look = () => {
      for (const pool of pools) {
        try {
          pool.nudge(1);
        } catch {
          // It throws if its workers have ended.
        }
      }
    };
    for (const ms of QUEUE_FREE_MS) setTimeout(look, ms).unref();
  });
  const runner: Runner = await run({
    pgPool: database.pool,
    taskList: tasks,
    crontab,
    concurrency,
    gracefulShutdownAbortTimeout: STOP_TIMEOUT_MS,
    // Must be set, even to 0. Without it, stopping does not wait until the end of a job is stored.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    // stopper.ts handles the signals.
    noHandleSignals: true,
    events,
    logger: toWorkerLogger(logger),
  });
  const liveness = pools.map((pool) => startLiveness(heartbeats, pool.id, logger));
  return {
    runner,
    stop: async () => {
      // Rejects if it has already stopped.
      const stopped = runner.stop().catch(() => undefined);
      const late = await Promise.race([stopped.then(() => false), sleep(STOP_TIMEOUT_MS, true, { ref: false })]);
      if (late) await Promise.all(pools.map((pool) => pool.forcefulShutdown('The server stops')));
      await Promise.all(liveness.map(({ stop }) => stop()));
    },
  };
}

/** Messages about single jobs are logged at debug level, problems at their own level. */
function toWorkerLogger(logger: FastifyBaseLogger): Logger {
  const levels = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const;
  return new Logger((scope) => (level, message) => {
    logger[levels[level]]({ ...(scope.taskIdentifier && { task: scope.taskIdentifier }) }, message);
  });
}
