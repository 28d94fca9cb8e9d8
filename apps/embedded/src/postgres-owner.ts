import { setTimeout as sleep } from 'node:timers/promises';
import { StartupError } from '@brand-portal/server/errors.ts';
import pg from 'pg';

/** Any fixed number: the server that holds this lock is the one that uses the data folder. */
const OWNER_LOCK = 7_203_411;
const RESTART_DELAY_MS = 1_000;

interface Options {
  readonly url: string;
  readonly dataDir: string;
  /** Makes sure that the database runs, at the same address as before. */
  readonly revive: () => Promise<void>;
  readonly report: (progress: string) => void;
}

/**
 * Holds the data folder for as long as this server lives. When the database breaks down the lock is lost with the
 * connection: it is taken again, and a database that did not come back by itself is started again. PostgreSQL ends for good
 * when the disk is so full that it cannot even recover; the server then tries until there is room.
 */
export async function ownDatabase(options: Options): Promise<{ release(): Promise<void> }> {
  let owner = await becomeOwner(options);
  let released = false;

  async function watch(): Promise<void> {
    while (!released) {
      await new Promise((resolve) => owner.once('end', resolve));
      if (released) return;
      options.report('The embedded PostgreSQL was lost: looking after it');
      owner = (await regain()) ?? owner;
    }
  }

  async function regain(): Promise<pg.Client | undefined> {
    while (!released) {
      await sleep(RESTART_DELAY_MS, undefined, { ref: false });
      if (released) return undefined;
      try {
        await options.revive();
        const client = await becomeOwner(options);
        options.report('The embedded PostgreSQL is back');
        return client;
      } catch {
        // Still no room, or still recovering.
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

/** A session lock, because the database itself then notices when its holder is killed. */
async function becomeOwner({ url, dataDir }: Options): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: 'brand-portal owner' });
  // Without a listener a lost connection would end the process; the pool's own errors tell of the outage.
  client.on('error', () => {});
  await client.connect();
  for (let attempt = 1; attempt <= 10; attempt++) {
    const { rows } = await client.query<{ owned: boolean }>('select pg_try_advisory_lock($1) as owned', [OWNER_LOCK]);
    if (rows[0]?.owned) return client;
    // The backend of a server that was killed this instant may not have noticed yet.
    await sleep(200);
  }
  await client.end();
  throw new StartupError(
    `Another Brand Portal server is using the data folder ${dataDir}: stop it, or choose another folder with DATA_DIR.`,
  );
}
