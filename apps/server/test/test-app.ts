import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { type AppDependencies, buildApp } from '../src/app.ts';
import { type Config, readConfig } from '../src/config.ts';
import { onceAFile } from './once-a-file.ts';
import { type TestDatabase, useTestDatabase } from './test-database.ts';

export interface TestApp {
  readonly app: FastifyInstance;
  readonly database: TestDatabase;
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
  ({ app }) => app.close(),
);

/** A server of the test's own on the database of the file, if no other is given. */
export async function useOwnApp({ database, ...overrides }: Overrides = {}): Promise<TestApp> {
  const own = await startApp(database ?? (await useTestDatabase()), overrides);
  onTestFinished(() => own.app.close());
  return own;
}

async function startApp(
  database: TestDatabase,
  { config, ...dependencies }: Omit<Overrides, 'database'>,
): Promise<TestApp> {
  const app = await buildApp({
    config: { ...readConfig({}), ...config },
    db: database.db,
    lists: database.lists,
    gate: database.gate,
    pool: database.pool,
    logger: pino({ level: 'silent' }),
    identity: { domain: 'http://127.0.0.1:1', clientId: 'test-client' },
    directory: { createOrUpdateUser: async ({ email }) => ({ subject: `test|${email}` }) },
    webFolder: join(import.meta.dirname, 'web-fixture'),
    ...dependencies,
  });
  return { app, database };
}
