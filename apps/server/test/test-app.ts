import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { type AppDependencies, buildApp } from '../src/app.ts';
import { type Config, readConfig } from '../src/config.ts';
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

/** The whole server with its own database, if none is given. Both are removed when the current test ends. */
export async function useTestApp({ config, database: given, ...dependencies }: Overrides = {}): Promise<TestApp> {
  const database = given ?? (await useTestDatabase());
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
  onTestFinished(() => app.close());
  return { app, database };
}
