import type { RuntimeConfig } from '@brand-portal/contract/identity';
import rateLimit from '@fastify/rate-limit';
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Config } from './config.ts';
import type { Db } from './db/database.ts';
import { answerUnreadableRequest, useErrorHandler, useNotFoundHandler } from './http/error-handler.ts';
import { registerHealth } from './http/health.ts';
import { useOpenApi } from './http/openapi.ts';
import { requestId, useRequestLog } from './http/request-log.ts';
import { createRoute } from './http/route.ts';
import { useSecurityHeaders } from './http/security-headers.ts';
import { useContractValidation } from './http/validation.ts';
import { registerWebApp } from './http/web-app.ts';
import { registerBrandRoutes } from './modules/brands/brands.routes.ts';
import { createAccessTokens } from './modules/identity/access-tokens.ts';
import { createGate } from './modules/identity/gate.ts';
import { registerIdentityRoutes } from './modules/identity/identity.routes.ts';
import { createProvider } from './modules/identity/provider.ts';
import { createSigningKeys } from './modules/identity/signing-keys.ts';
import type { IdentityDirectory } from './modules/onboarding/identity-directory.ts';
import { registerMemberRoutes } from './modules/onboarding/members.routes.ts';
import { registerOnboardingRoutes } from './modules/onboarding/onboarding.routes.ts';
import { registerVariantRoutes } from './modules/variants/variants.routes.ts';

export interface AppDependencies {
  readonly config: Config;
  readonly db: Db;
  readonly logger: FastifyBaseLogger;
  /** Where people sign in: the configured provider, or the embedded one with its own pages. */
  readonly identity: IdentityProvider;
  /** Where accounts of invited members are made. */
  readonly directory: IdentityDirectory;
  /** Adds the pages of the embedded mailbox. */
  readonly registerMailbox?: ((app: FastifyInstance) => Promise<void>) | undefined;
  /** The built web app. */
  readonly webFolder: string;
}

interface IdentityProvider {
  readonly domain: string;
  readonly clientId: string;
  readonly audience?: string | undefined;
  /** Adds the pages of an embedded provider. */
  register?(app: FastifyInstance): Promise<void>;
}

const LARGEST_JSON_BODY = 256 * 1024;

/** The whole server, in the order in which a request meets it. */
export async function buildApp(dependencies: AppDependencies): Promise<FastifyInstance> {
  const { config, db, logger, identity, directory, registerMailbox, webFolder } = dependencies;
  const app = fastify({
    loggerInstance: logger,
    genReqId: requestId,
    trustProxy: config.trustProxy,
    bodyLimit: LARGEST_JSON_BODY,
    forceCloseConnections: 'idle',
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: { ignoreTrailingSlash: true },
    frameworkErrors: answerUnreadableRequest,
  });

  useRequestLog(app);
  useErrorHandler(app);
  useContractValidation(app);
  await useSecurityHeaders(app, config);
  await app.register(rateLimit, { max: config.requestsPerMinute, timeWindow: '1 minute' });
  await useOpenApi(app, config.publicUrl);

  registerHealth(app, db);

  const accessTokens = createAccessTokens(createSigningKeys(db));
  const provider = createProvider(identity);
  const route = createRoute(app, createGate(db, accessTokens));
  const runtimeConfig = toRuntimeConfig(dependencies);
  registerIdentityRoutes(route, { db, accessTokens, provider, runtimeConfig });

  registerBrandRoutes(route, { db });
  registerMemberRoutes(route, { db });
  registerOnboardingRoutes(route, { db, directory });
  registerVariantRoutes(route, { db });

  await identity.register?.(app);
  await registerMailbox?.(app);
  const sendPage = await registerWebApp(app, { folder: webFolder, runtimeConfig });
  useNotFoundHandler(app, sendPage);
  return app;
}

function toRuntimeConfig({ config, identity }: AppDependencies): RuntimeConfig {
  return {
    domain: identity.domain,
    client_id: identity.clientId,
    ...(identity.audience && { audience: identity.audience }),
    support_email: config.supportEmail,
  };
}
