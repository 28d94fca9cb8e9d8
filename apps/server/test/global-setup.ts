import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateTables } from '@brand-portal/embedded/db/tables.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@brand-portal/embedded/postgres.ts';
import { pino } from 'pino';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../src/db/database.ts';
import { distribute } from '../src/db/distribute.ts';
import { migrate } from '../src/db/migrate.ts';
import { migrateJobs } from '../src/queue/worker.ts';
import { databaseUrl, dropDatabases, joinNodes, listWorkers, runAsAdmin } from './databases.ts';

/** Prepares the database server of the run (embedded, or that of DATABASE_URL) and a migrated template database. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.DATABASE_URL;
  const folder = mkdtempSync(join(tmpdir(), 'brand-portal-test-'));
  let embedded: EmbeddedPostgres | undefined;
  if (!given) embedded = await startEmbeddedPostgres({ dataDir: folder, durable: false, report: () => {} });
  const postgresUrl = given ?? embedded?.url ?? '';
  if (embedded) await makeSignInCheap(embedded.url);

  // Several projects may share the server of DATABASE_URL.
  const run = `${process.pid}_${project.name}`;
  const templateName = `brand_portal_template_${run}`;
  const workers = await listWorkers(postgresUrl);
  const nodes = [postgresUrl, ...workers];
  if (workers.length > 0) await joinNodes(postgresUrl, workers, templateName);
  else await runAsAdmin(postgresUrl, `create database ${templateName}`);
  const templateUrl = new URL(databaseUrl(postgresUrl, templateName));
  // Few shards: every test clones them all.
  if (workers.length > 0) templateUrl.searchParams.set('options', '-c citus.shard_count=4');
  const template = openDatabase(templateUrl.href, () => {});
  await migrate(template.db);
  await migrateTables(template.db);
  await migrateJobs(template.pool, pino({ level: 'silent' }));
  if (workers.length > 0) await distribute(template.db);
  await template.close();

  project.provide('postgresUrls', nodes);
  const namePrefix = `brand_portal_test_${run}_`;
  // Copying the files costs half as much, but begins with a checkpoint, for which a durable database waits.
  project.provide('template', { template: templateName, strategy: given ? 'wal_log' : 'file_copy' });
  project.provide('namePrefix', namePrefix);
  return async () => {
    if (given) for (const node of nodes) await dropDatabases(node, [templateName, namePrefix]);
    await embedded?.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}

/** Every test opens several connections. With the usual 4096 rounds of hashing, each costs both sides milliseconds. */
async function makeSignInCheap(url: string): Promise<void> {
  const { username, password } = new URL(url);
  await runAsAdmin(url, 'set scram_iterations = 1', `alter role ${username} password '${password}'`);
}
