import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { type Database, openDatabase } from '../src/db/database.ts';
import { cloneDatabase, databaseUrl, dropInBackground, type Template } from './databases.ts';
import { onceAFile } from './once-a-file.ts';
import { checkStatement } from './one-brand.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** One URL per node. In a cluster, the coordinator is first. */
    postgresUrls: string[];
    template: Template;
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

/** Databases whose tests have ended. */
const ended: string[] = [];

/** Clones the migrated template, which takes a few milliseconds. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const nodes = inject('postgresUrls');
  // Not as soon as their tests end: PostgreSQL would wait 0.1 s for the closed connections.
  for (const name of ended.splice(0)) dropInBackground(nodes, name);
  const name = `${inject('namePrefix')}${randomBytes(8).toString('hex')}`;
  await cloneDatabase(nodes, inject('template'), name);
  const url = databaseUrl(nodes[0] ?? '', name);
  const database = openDatabase(url, () => {}, checkStatement);
  return {
    ...database,
    url,
    drop: async () => {
      await database.close();
      ended.push(name);
    },
  };
}

/** The database of the current file, removed after its last test, or of the current test if that needs an empty one. */
export const useTestDatabase = onceAFile(createTestDatabase, (database) => database.drop());
