import type { Db } from '@brand-portal/server/db/database.ts';
import type { FastifyInstance } from 'fastify';
import { registerChannelEmulatorRoutes } from './channel-emulator-routes.ts';
import { BASE_PATH } from './emulated-routes.ts';
import { createEmulatedAccount, type EmulatedAccount } from './service-account.ts';
import { registerSwitchRoutes } from './switch-routes.ts';

/** "Around 15 minutes" at Google; here long enough to be seen. */
const FIRST_CHECK_MS = 3_000;

export interface ChannelEmulator extends Pick<EmulatedAccount, 'credentials'> {
  readonly apiUrl: string;
  readonly account: string;
  readonly firstCheckMs: number;
  /** Adds its methods to the server. */
  register(app: FastifyInstance): Promise<void>;
}

/** The default channel, for development: Google's documented methods over HTTP, with everything kept in the database. */
export async function createChannelEmulator({
  db,
  serverUrl,
}: {
  db: Db;
  serverUrl: string;
}): Promise<ChannelEmulator> {
  const apiUrl = serverUrl + BASE_PATH;
  const account = await createEmulatedAccount(db, `${apiUrl}/token`);
  return {
    apiUrl,
    account: '1000001',
    firstCheckMs: FIRST_CHECK_MS,
    credentials: account.credentials,
    register: async (app) => {
      await app.register(async (methods) => {
        registerChannelEmulatorRoutes(methods, { db, serverUrl, account });
        registerSwitchRoutes(methods, db);
      });
    },
  };
}
