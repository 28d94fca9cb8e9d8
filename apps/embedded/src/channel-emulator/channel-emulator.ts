import type { Db } from '@brand-portal/server/db/database.ts';
import type { FastifyInstance } from 'fastify';
import { BASE_PATH, registerChannelEmulatorRoutes } from './channel-emulator-routes.ts';
import { type Credentials, createEmulatedAccount } from './service-account.ts';
import { registerSwitchRoutes } from './switch-routes.ts';

/** "Around 15 minutes" at Google. Here a few seconds, so that the pending state can still be seen. */
const FIRST_CHECK_MS = 3_000;

/** The installation's account, which is a data partner's. */
export const PARTNER_ACCOUNT = '1000001';

export interface ChannelEmulator {
  readonly apiUrl: string;
  readonly account: string;
  readonly credentials: Credentials;
  credentialsFor(account: string): Credentials;
  readonly firstCheckMs: number;
  register(app: FastifyInstance): Promise<void>;
}

/** The default channel in development: Google's documented methods over HTTP, with all data in the database. */
export async function createChannelEmulator({ db, serverUrl }: { db: Db; serverUrl: string }): Promise<ChannelEmulator> {
  const apiUrl = serverUrl + BASE_PATH;
  const account = await createEmulatedAccount(db, `${apiUrl}/token`);
  return {
    apiUrl,
    account: PARTNER_ACCOUNT,
    firstCheckMs: FIRST_CHECK_MS,
    credentials: account.credentialsFor(PARTNER_ACCOUNT),
    credentialsFor: account.credentialsFor,
    register: async (app) => {
      await app.register(async (methods) => {
        registerChannelEmulatorRoutes(methods, { db, serverUrl, account });
        registerSwitchRoutes(methods, db);
      });
    },
  };
}
