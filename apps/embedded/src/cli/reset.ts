import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '@brand-portal/server/lib/config.ts';
import { StartupError } from '@brand-portal/server/lib/errors.ts';
import { startEmbeddedPostgres } from '../postgres.ts';

/** Empties the data folder. First stops a database that a killed server left running. */
try {
  const { dataDir } = readConfig();
  if (existsSync(join(dataDir, 'postgres'))) {
    const postgres = await startEmbeddedPostgres({ dataDir, durable: true, report: () => {} });
    await postgres.stop();
  }
  rmSync(dataDir, { recursive: true, force: true });
  console.log(`${dataDir} is empty: the next start begins anew.`);
} catch (error) {
  console.error(error instanceof StartupError ? error.message : error);
  process.exitCode = 1;
}
