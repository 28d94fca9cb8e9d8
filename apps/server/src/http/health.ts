import type { FastifyInstance } from 'fastify';
import type { Db } from '../db/database.ts';
import { listPendingMigrations } from '../db/migrate.ts';
import { AppError } from '../errors.ts';

const DEADLINE_MS = 2_000;

/** `/healthz`: the process answers. `/readyz`: it can also do its work, so traffic may come. */
export function registerHealth(app: FastifyInstance, db: Db): void {
  let migrated = false;
  let stopping = false;
  app.addHook('preClose', async () => {
    stopping = true;
  });

  app.get('/healthz', { schema: { hide: true }, config: { rateLimit: false } }, async () => ({ status: 'ok' }));

  app.get('/readyz', { schema: { hide: true }, config: { rateLimit: false } }, async () => {
    if (stopping) throw new AppError('not_ready', 'The server is stopping.');
    const pending = await withDeadline(migrated ? ping(db) : listPendingMigrations(db));
    if (pending.length > 0) throw new AppError('not_ready', `Migrations are missing: ${pending.join(', ')}.`);
    migrated = true;
    return { status: 'ready' };
  });
}

async function ping(db: Db): Promise<string[]> {
  await db.selectNoFrom((eb) => eb.lit(1).as('one')).execute();
  return [];
}

async function withDeadline<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new AppError('database_unavailable', 'The database is slow to answer.')),
      DEADLINE_MS,
    );
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
