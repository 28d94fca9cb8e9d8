import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { type AppDependencies, buildApp } from '../src/entry/app.ts';
import { createTasks } from '../src/entry/tasks.ts';
import { type Config, readConfig } from '../src/lib/config.ts';
import { startWorker } from '../src/queue/worker.ts';
import { onceAFile } from './once-a-file.ts';
import { type TestDatabase, useTestDatabase } from './test-database.ts';

export interface TestApp {
  readonly app: FastifyInstance;
  readonly database: TestDatabase;
  /** Ends its worker, as a server that stops. */
  readonly stopImports: () => Promise<void>;
}

type Overrides = Partial<Omit<AppDependencies, 'config'>> & {
  config?: Partial<Config>;
  /** Of another server. */
  database?: TestDatabase;
};

/** The server and the database of the current file: its tests create brands of their own. */
export const useTestApp = onceAFile(
  // The requests of all tests come from one address.
  async () => startApp(await useTestDatabase(), { config: { requestsPerMinute: 1_000_000 } }),
  stopApp,
);

/** A server of the test's own on the database of the file, if no other is given. */
export async function useOwnApp({ database, ...overrides }: Overrides = {}): Promise<TestApp> {
  const own = await startApp(database ?? (await useTestDatabase()), overrides);
  onTestFinished(() => stopApp(own));
  return own;
}

async function stopApp({ app, stopImports }: TestApp): Promise<void> {
  await stopImports();
  await app.close();
}

async function startApp(database: TestDatabase, { config: changes, ...dependencies }: Omit<Overrides, 'database'>): Promise<TestApp> {
  const config = { ...readConfig({}), ...changes };
  const logger = pino({ level: 'silent' });
  const app = await buildApp({
    config,
    db: database.db,
    notices: database.notices,
    lists: database.lists,
    gate: database.gate,
    pool: database.pool,
    logger,
    identity: { domain: 'http://127.0.0.1:1', clientId: 'test-client' },
    directory: { createOrUpdateUser: async ({ email }) => ({ subject: `test|${email}` }) },
    webFolder: join(import.meta.dirname, 'web-fixture'),
    ...dependencies,
  });
  const stopping = new AbortController();
  let worker: ReturnType<typeof startWorker> | undefined;
  // Most tests need none.
  app.addHook('onRequest', async ({ url }) => {
    if (BULK.test(url) && !stopping.signal.aborted) worker ??= startWorker({ database: database.jobs, logger, tasks: importTask() });
    await worker;
  });
  const importTask = () => {
    const { db, notices } = database;
    const imports = { notices, quotas: config.quotas };
    const tasks = createTasks({ db, logger, publicUrl: '', stopping: stopping.signal, imports });
    return Object.fromEntries(Object.entries(tasks).filter(([name]) => name === 'import' || name === 'act'));
  };
  const stopImports = async () => {
    stopping.abort();
    await (await worker)?.stop();
  };
  return { app, database, stopImports };
}

/** Calls whose work a job does. */
const BULK = /\/(upload|check|confirm|undo|import|actions|publish-all|restore|preview)\/$/;
