import type { Config } from '@brand-portal/server/lib/config.ts';
import { freePort } from '@brand-portal/server/test/free-port.ts';
import { useOwnApp } from '@brand-portal/server/test/test-app.ts';
import { useTestDatabase } from '@brand-portal/server/test/test-database.ts';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { createEmbeddedIdentityProvider, type EmbeddedIdentityProvider } from '../src/identity-provider/identity-provider.ts';
import { ANA, type RunningProvider } from '../src/identity-provider/test-support/running-provider.ts';

export interface EmbeddedServer extends RunningProvider {
  readonly app: FastifyInstance;
  readonly idp: EmbeddedIdentityProvider;
}

interface Options {
  readonly config?: Partial<Config>;
  readonly logger?: FastifyBaseLogger;
  readonly sendsMail?: boolean;
}

/** The whole server with the embedded identity provider on a real port, and one verified account. */
export async function useEmbeddedServer(options: Options = {}): Promise<EmbeddedServer> {
  const { config, logger = pino({ level: 'silent' }), sendsMail = true } = options;
  const database = await useTestDatabase();
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  const idp = await createEmbeddedIdentityProvider({
    db: database.db,
    publicUrl,
    logger,
    sendsMail,
    hashingCost: { memoryCost: 1024, timeCost: 1 },
  });
  await idp.createAccount({ ...ANA, email_verified: true });
  const { app } = await useOwnApp({
    config: { publicUrl, ...config },
    database,
    logger,
    identity: idp,
    standIns: [idp],
  });
  await app.listen({ host: '127.0.0.1', port });
  return { app, database, publicUrl, idp, stop: () => app.close() };
}
