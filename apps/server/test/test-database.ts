import { randomBytes } from 'node:crypto';
import { inject, onTestFinished } from 'vitest';
import { type Database, openDatabase } from '../src/db/database.ts';
import { cloneDatabase, databaseUrl, runAsAdmin } from './databases.ts';
import { checkStatement } from './one-brand.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** One URL per node. In a cluster, the coordinator is first. */
    postgresUrls: string[];
    templateName: string;
    /** The prefix of the names of this run's databases. */
    namePrefix: string;
  }
}

export interface TestDatabase extends Database {
  readonly url: string;
  /** Closes the pool and removes the database. */
  drop(): Promise<void>;
}

/** Statements of the test's own database that wait for a lock. Other tests run on the same PostgreSQL. */
export const WAITING_FOR_LOCK = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

/** Clones the migrated template, which takes a few milliseconds. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const nodes = inject('postgresUrls');
  const name = `${inject('namePrefix')}${randomBytes(8).toString('hex')}`;
  await cloneDatabase(nodes, inject('templateName'), name);
  const url = databaseUrl(nodes[0] ?? '', name);
  const database = openDatabase(url, () => {}, checkStatement);
  return {
    ...database,
    url,
    drop: async () => {
      await database.close();
      // Not awaited: PostgreSQL waits 0.1 s for the closed connections to end. At the end of the run, the global setup drops the
      // rest.
      for (const node of nodes)
        void runAsAdmin(node, `drop database if exists ${name} with (force)`).catch(() => undefined);
    },
  };
}

/** A test database that is removed when the current test ends. */
export async function useTestDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  return database;
}
