import { setTimeout as sleep } from 'node:timers/promises';
import { StartupError } from '@brand-portal/server/lib/errors.ts';
import pg from 'pg';

/** Any fixed number. The server that holds this advisory lock owns the data folder. */
const OWNER_LOCK = 7_203_411;
const RESTART_DELAY_MS = 1_000;

interface Options {
  readonly url: string;
  readonly dataDir: string;
  /** Restarts the database if it is down, at the same URL. */
  readonly restart: () => Promise<void>;
  readonly report: (progress: string) => void;
}

/**
 * Holds the lock on the data folder while this server runs. If the database crashes, the lock is lost with the connection: it is taken
 * again, and the database is restarted if it did not recover by itself. PostgreSQL exits if the disk is too full to recover; the server
 * then retries until there is space.
 */
export async function ownDatabase(options: Options): Promise<{ release(): Promise<void> }> {
  let owner = await acquireOwnerLock(options);
  let released = false;

  async function watch(): Promise<void> {
    while (!released) {
      await new Promise((resolve) => owner.once('end', resolve));
      if (released) return;
      options.report('The connection to the embedded PostgreSQL was lost: restarting it if it has stopped');
      owner = (await regain()) ?? owner;
    }
  }

  async function regain(): Promise<pg.Client | undefined> {
    while (!released) {
      await sleep(RESTART_DELAY_MS, undefined, { ref: false });
      if (released) return undefined;
      try {
        await options.restart();
        const client = await acquireOwnerLock(options);
        options.report('The embedded PostgreSQL is available again');
        return client;
      } catch {
        // Still no space, or still recovering.
      }
    }
    return undefined;
  }
  void watch();

  return {
    release: async () => {
      released = true;
      await owner.end();
    },
  };
}

/** A session-level lock, because PostgreSQL releases it when its holder is killed. */
async function acquireOwnerLock({ url, dataDir }: Options): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: 'brand-portal owner' });
  // Without a listener a lost connection would end the process. The pool reports the outage.
  client.on('error', () => {});
  await client.connect();
  for (let attempt = 1; attempt <= 10; attempt++) {
    const { rows } = await client.query<{ owned: boolean }>('select pg_try_advisory_lock($1) as owned', [OWNER_LOCK]);
    if (rows[0]?.owned) return client;
    // The backend of a server that was just killed may not have noticed yet.
    await sleep(200);
  }
  await client.end();
  throw new StartupError(
    `Another Brand Portal server is using the data folder ${dataDir}: stop it, or choose another folder with DATA_DIR.`,
  );
}
