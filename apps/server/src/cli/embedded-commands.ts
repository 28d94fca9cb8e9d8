import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { readConfig } from '../config.ts';
import { removeDemoPeople } from '../embedded/demo-data.ts';
import { startEmbeddedPostgres } from '../embedded/postgres.ts';
import { type Installation, NotRunning, useInstallation } from './installation.ts';

/** Commands for what the embedded stand-ins keep. */
export function addEmbeddedCommands(program: Command): void {
  program
    .command('demo')
    .description('The demo people and their brands')
    .command('remove')
    .description('Remove the demo people, whose password everybody knows, and the brands that nobody else is in')
    .addHelpText('after', '\nExample:\n  npm run portal -- demo remove')
    .action(async () => {
      const { people, brands, ownerless } = await useInstallationAtRest(({ db }) => removeDemoPeople(db));
      if (people.length === 0) return console.log('There are no demo people.');
      console.log(`Removed ${people.join(', ')}.`);
      if (brands.length > 0) console.log(`Removed the brands that nobody else was in: ${brands.join(', ')}.`);
      for (const { id, name } of ownerless) {
        console.log(
          `Brand ${id} "${name}" has no owner any more: npm run portal -- member invite --brand ${id} --role owner --email …`,
        );
      }
    });
}

/** Also where no server is running, because it refuses to start: the embedded database then runs for this command alone. */
async function useInstallationAtRest<T>(work: (installation: Installation) => Promise<T>): Promise<T> {
  const { dataDir } = readConfig();
  try {
    return await useInstallation(work);
  } catch (error) {
    if (!(error instanceof NotRunning) || !existsSync(join(dataDir, 'postgres', 'data'))) throw error;
  }
  const postgres = await startEmbeddedPostgres({ dataDir, durable: true, report: () => {} });
  try {
    return await useInstallation(work);
  } finally {
    await postgres.stop();
  }
}
