import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkDatabase, type Db, openDatabase } from '../../db/database.ts';
import { checkMigrated } from '../../db/migrate.ts';
import { type Config, readConfig } from '../../lib/config.ts';
import { StartupError } from '../../lib/errors.ts';

export interface Installation {
  readonly db: Db;
  readonly config: Config;
}

/** The embedded database exists, but no server is running. */
export class NotRunning extends StartupError {}

/** Runs one command on the installation of the environment, while its server runs. */
export async function useInstallation<T>(work: (installation: Installation) => Promise<T>): Promise<T> {
  const config = readConfig();
  const url = config.databaseUrl ?? readEmbeddedUrl(config.dataDir);
  const database = openDatabase(url, () => {});
  try {
    await checkDatabase(database.db).catch((error: unknown) => {
      // The file still exists after the server has stopped.
      throw config.databaseUrl ? error : notRunning(config.dataDir);
    });
    await checkMigrated(database.db);
    return await work({ db: database.db, config });
  } finally {
    await database.close();
  }
}

function readEmbeddedUrl(dataDir: string): string {
  try {
    const { url } = JSON.parse(readFileSync(join(dataDir, 'postgres', 'connection.json'), 'utf8')) as { url: string };
    return url;
  } catch {
    throw notRunning(dataDir);
  }
}

function notRunning(dataDir: string): NotRunning {
  return new NotRunning(`No Brand Portal is running on ${dataDir}: start it with "npm start", or name its database with DATABASE_URL.`);
}
