import type { FastifyInstance } from 'fastify';
import type { Db } from '../db/database.ts';
import { findSchemaProblem } from '../db/migrate.ts';
import { withDeadline } from '../lib/deadline.ts';
import { AppError } from '../lib/errors.ts';

const DEADLINE_MS = 2_000;
const slow = () => new AppError('database_unavailable', 'The database is slow to answer.');

/** They have their own rate limit. */
export const PROBES = new Set<string | undefined>(['/healthz', '/readyz']);

interface Health {
  readonly db: Db;
  readonly stopping: AbortSignal;
  /** What is missing in the configuration, so that nobody could sign in. */
  readonly problem?: string | undefined;
}

/** `/healthz`: the process responds. `/readyz`: it can also serve requests. */
export function registerHealth(app: FastifyInstance, { db, stopping, problem }: Health): void {
  /** A later version may migrate the database while this server runs. */
  let wasRight = false;
  /** Concurrent requests share one check, so the database is queried once. */
  let verdict: Promise<void> | undefined;

  async function checkReady(): Promise<void> {
    const mismatch = await withDeadline(wasRight ? ping(db) : findSchemaProblem(db), DEADLINE_MS, slow);
    if (mismatch) throw new AppError('not_ready', mismatch);
    wasRight = true;
  }

  app.get('/healthz', { schema: { hide: true } }, async () => ({ status: 'ok' }));

  app.get('/readyz', { schema: { hide: true } }, async () => {
    if (stopping.aborted) throw new AppError('not_ready', 'The server is stopping.');
    if (problem) throw new AppError('not_ready', problem);
    verdict ??= checkReady().finally(() => {
      verdict = undefined;
    });
    await verdict;
    return { status: 'ready' };
  });
}

async function ping(db: Db): Promise<undefined> {
  await db.selectNoFrom((eb) => eb.lit(1).as('one')).execute();
}
