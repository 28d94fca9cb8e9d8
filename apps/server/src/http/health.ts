import type { FastifyInstance } from 'fastify';
import type { Db } from '../db/database.ts';
import { listPendingMigrations } from '../db/migrate.ts';
import { withDeadline } from '../deadline.ts';
import { AppError } from '../errors.ts';

const DEADLINE_MS = 2_000;
const slow = () => new AppError('database_unavailable', 'The database is slow to answer.');

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
    const look = migrated ? ping(db) : listPendingMigrations(db);
    const pending = await withDeadline(look, DEADLINE_MS, slow);
    if (pending.length > 0) throw new AppError('not_ready', `Migrations are missing: ${pending.join(', ')}.`);
    migrated = true;
    return { status: 'ready' };
  });
}

async function ping(db: Db): Promise<string[]> {
  await db.selectNoFrom((eb) => eb.lit(1).as('one')).execute();
  return [];
}
