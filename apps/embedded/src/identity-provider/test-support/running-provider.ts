import { useErrorHandler } from '@brand-portal/server/http/error-handler.ts';
import { useSecurityHeaders } from '@brand-portal/server/http/security-headers.ts';
import { readConfig } from '@brand-portal/server/lib/config.ts';
import { freePort } from '@brand-portal/server/test/free-port.ts';
import { type TestDatabase, useTestDatabase } from '@brand-portal/server/test/test-database.ts';
import fastify from 'fastify';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { createEmbeddedIdentityProvider, type EmbeddedIdentityProvider } from '../identity-provider.ts';

export const PASSWORD = 'Correct-horse-1';
export const ANA = { email: 'ana@example.org', password: PASSWORD, first_name: 'Ana', last_name: 'Ruiz' };
/** The same account, as input of an invitation. */
export const ANA_INVITED = { email: ANA.email, password: PASSWORD, firstName: 'Ana', lastName: 'Ruiz' };

export interface RunningProvider {
  readonly publicUrl: string;
  readonly database: TestDatabase;
  readonly idp: EmbeddedIdentityProvider;
  stop(): Promise<void>;
}

interface Options {
  readonly database?: TestDatabase;
  /** Set it for another process of the same installation, or one after a restart. */
  readonly publicUrl?: string;
}

/** The provider on a real port, with one verified account. Both are removed when the current test ends. */
export async function useRunningProvider(options: Options = {}): Promise<RunningProvider> {
  const database = options.database ?? (await useTestDatabase());
  const publicUrl = options.publicUrl ?? `http://127.0.0.1:${await freePort()}`;
  const idp = await createEmbeddedIdentityProvider({
    db: database.db,
    publicUrl,
    logger: pino({ level: 'silent' }),
    hashingCost: { memoryCost: 1024, timeCost: 1 },
  });
  await idp.createAccount({ ...ANA, email_verified: true });
  const app = fastify();
  useErrorHandler(app);
  await useSecurityHeaders(app, readConfig({ PUBLIC_URL: publicUrl }));
  await idp.register(app);
  await app.listen({ host: '127.0.0.1', port: Number(new URL(publicUrl).port) });
  const stop = async () => {
    app.server.closeAllConnections();
    await app.close();
  };
  onTestFinished(stop);
  return { publicUrl, database, idp, stop };
}
