import type { EventEmitter } from 'node:events';
import type { Db } from '@brand-portal/server/db/database.ts';
import type { StandIns } from '@brand-portal/server/entry/start.ts';
import fastify, { type FastifyBaseLogger } from 'fastify';
import Provider, { type errors } from 'oidc-provider';
import { type Accounts, createAccounts } from './accounts.ts';
import { deleteExpiredRecords, deleteRecordsOfAccount, deleteRecordsOfSession } from './adapter.queries.ts';
import { registerAssets } from './assets.ts';
import { useForms } from './forms.ts';
import { loadKeys } from './keys.ts';
import { registerLogin } from './login-routes.ts';
import { registerProtocol, usePublicAddressOnly } from './mount.ts';
import { createProviderMailTasks } from './password-reset.ts';
import { registerPasswordPages } from './password-routes.ts';
import { createPasswords, type HashingCost } from './passwords.ts';
import { MOUNT_PATH, ROUTES } from './paths.ts';
import { providerConfiguration } from './provider-configuration.ts';
import { deleteExpiredAttempts } from './throttle.queries.ts';

export type EmbeddedIdentityProvider = Accounts & NonNullable<StandIns['identity']>;

interface Dependencies {
  readonly db: Db;
  /** The URL of the portal for browsers, without a trailing slash. */
  readonly publicUrl: string;
  readonly logger: FastifyBaseLogger;
  /** Whether a forgotten password can be reset by mail. */
  readonly sendsMail?: boolean;
  /** Lower for tests. A hash of one cost can be verified with any other. */
  readonly hashingCost?: HashingCost;
}

const CLIENT_ID = 'brand-portal-web';

/** The default identity provider: OpenID Connect on the portal's own port, compatible with Auth0. */
export async function createEmbeddedIdentityProvider(deps: Dependencies): Promise<EmbeddedIdentityProvider> {
  const { db, publicUrl, logger, sendsMail = true } = deps;
  const domain = `${publicUrl}${MOUNT_PATH}`;
  const passwords = createPasswords(deps.hashingCost);
  const configuration = providerConfiguration({ db, publicUrl, clientId: CLIENT_ID, keys: await loadKeys(db) });
  const provider = new Provider(`${domain}/`, configuration);
  // `usePublicAddressOnly` sets the forwarded host and scheme, never the caller.
  provider.proxy = true;
  logErrors(provider, logger);
  const sessionCookie = { name: provider.cookieName('session'), options: configuration.cookies?.long ?? {} };

  return {
    domain,
    clientId: CLIENT_ID,
    ...createAccounts(db, passwords),
    askUserInfo: createOwnAccess(provider, publicUrl),
    endSessions: (subject, session) => (session ? deleteRecordsOfSession(db, subject, session) : deleteRecordsOfAccount(db, subject)),
    mailTasks: (mailer) => createProviderMailTasks(db, publicUrl, { mailer, logger }),
    purgeExpired: async () => (await deleteExpiredRecords(db)) + (await deleteExpiredAttempts(db)),
    register: async (app) => {
      await app.register(
        async (idp) => {
          usePublicAddressOnly(idp, publicUrl);
          registerAssets(idp);
          await idp.register(async (pages) => {
            useForms(pages, publicUrl);
            registerLogin(pages, { db, provider, passwords, publicUrl, sendsMail, sessionCookie });
            registerPasswordPages(pages, { db, provider, passwords, publicUrl, sendsMail, sessionCookie });
          });
          await idp.register(async (protocol) => registerProtocol(protocol, provider));
        },
        { prefix: MOUNT_PATH },
      );
    },
  };
}

/**
 * A second server for the protocol that does not listen on a port. The portal's calls to its own provider pass no rate limit and no proxy,
 * and no outside request can imitate them.
 */
function createOwnAccess(provider: Provider, publicUrl: string): (token: string) => Promise<Response> {
  const own = fastify();
  own.register(
    async (protocol) => {
      usePublicAddressOnly(protocol, publicUrl);
      registerProtocol(protocol, provider);
    },
    { prefix: MOUNT_PATH },
  );
  const { host } = new URL(publicUrl);
  return async (token) => {
    const url = MOUNT_PATH + ROUTES.userinfo;
    const answer = await own.inject({ url, headers: { host, authorization: `Bearer ${token}` } });
    return new Response(answer.body, { status: answer.statusCode });
  };
}

function logErrors(provider: Provider, logger: FastifyBaseLogger): void {
  const refused = (_ctx: unknown, { error, error_detail, error_description }: errors.OIDCProviderError) =>
    logger.info({ error, detail: error_detail ?? error_description }, 'The identity provider refused a request');
  provider.on('authorization.error', refused);
  provider.on('grant.error', refused);
  provider.on('userinfo.error', refused);
  provider.on('server_error', (_ctx, error) => logger.error({ err: error }, 'The identity provider failed'));
  // Koa's event, which is not in the library's types. Without a listener Koa writes to the console.
  (provider as EventEmitter).on('error', (error) => logger.warn({ err: error }, 'The identity provider failed to send a response'));
}
