import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../src/db/database.ts';
import { migrate } from '../src/db/migrate.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/embedded/postgres.ts';
import { migrateJobs } from '../src/jobs/worker.ts';
import { databaseUrl, dropDatabases, runAsAdmin } from './databases.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string;
    templateName: string;
    /** What the names of this run's databases begin with. */
    namePrefix: string;
  }
}

/** One PostgreSQL for the whole run (yours, if DATABASE_URL names one) and one migrated database to clone from. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.DATABASE_URL;
  const folder = mkdtempSync(join(tmpdir(), 'brand-portal-test-'));
  let embedded: EmbeddedPostgres | undefined;
  if (!given) embedded = await startEmbeddedPostgres({ dataDir: folder, durable: false, report: () => {} });
  const postgresUrl = given ?? embedded?.url ?? '';

  const templateName = `brand_portal_template_${process.pid}`;
  await runAsAdmin(postgresUrl, `create database ${templateName}`);
  const template = openDatabase(databaseUrl(postgresUrl, templateName), () => {});
  await migrate(template.db);
  await migrateJobs(template.pool, pino({ level: 'silent' }));
  await template.close();

  project.provide('postgresUrl', postgresUrl);
  const namePrefix = `brand_portal_test_${process.pid}_`;
  project.provide('templateName', templateName);
  project.provide('namePrefix', namePrefix);
  return async () => {
    if (given) await dropDatabases(postgresUrl, [templateName, namePrefix]);
    await embedded?.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}
