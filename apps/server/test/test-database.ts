import { randomBytes } from 'node:crypto';
import { inject, onTestFinished } from 'vitest';
import { type Database, openDatabase } from '../src/db/database.ts';
import { cloneDatabase, databaseUrl, runAsAdmin } from './databases.ts';
import { checkNamesOneBrand } from './one-brand.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Of a cluster: the coordinator's first. */
    postgresUrls: string[];
    templateName: string;
    /** What the names of this run's databases begin with. */
    namePrefix: string;
  }
}

export interface TestDatabase extends Database {
  readonly url: string;
  /** Closes the pool and removes the database. */
  drop(): Promise<void>;
}

/** A database of one's own, cloned from the migrated template in a few milliseconds. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const nodes = inject('postgresUrls');
  const name = `${inject('namePrefix')}${randomBytes(8).toString('hex')}`;
  await cloneDatabase(nodes, inject('templateName'), name);
  const url = databaseUrl(nodes[0] ?? '', name);
  const database = openDatabase(url, () => {}, checkNamesOneBrand);
  return {
    ...database,
    url,
    drop: async () => {
      await database.close();
      // Nobody waits for it: PostgreSQL sleeps a tenth of a second until the closed connections are gone. What is left at the
      // end of the run is dropped there.
      for (const node of nodes)
        void runAsAdmin(node, `drop database if exists ${name} with (force)`).catch(() => undefined);
    },
  };
}

/** The same, removed when the current test ends. */
export async function useTestDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  return database;
}
