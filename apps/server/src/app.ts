import type { RuntimeConfig } from '@brand-portal/contract/identity';
import rateLimit from '@fastify/rate-limit';
import fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import type { Config } from './config.ts';
import type { Db } from './db/database.ts';
import { useErrorHandler, useNotFoundHandler } from './http/error-handler.ts';
import { registerHealth } from './http/health.ts';
import { useOpenApi } from './http/openapi.ts';
import { requestId } from './http/request-log.ts';
import { useSecurityHeaders } from './http/security-headers.ts';
import { useContractValidation } from './http/validation.ts';
import { registerWebApp } from './http/web-app.ts';

export interface AppDependencies {
  readonly config: Config;
  readonly db: Db;
  readonly logger: FastifyBaseLogger;
  /** The built web app. */
  readonly webFolder: string;
}

const LARGEST_JSON_BODY = 256 * 1024;

/** The whole server, in the order in which a request meets it. */
export async function buildApp({ config, db, logger, webFolder }: AppDependencies): Promise<FastifyInstance> {
  const app = fastify({
    loggerInstance: logger,
    genReqId: requestId,
    trustProxy: config.trustProxy,
    bodyLimit: LARGEST_JSON_BODY,
    forceCloseConnections: 'idle',
  });

  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  useErrorHandler(app);
  useContractValidation(app);
  await useSecurityHeaders(app, config);
  await app.register(rateLimit, { max: config.requestsPerMinute, timeWindow: '1 minute' });
  await useOpenApi(app, config.publicUrl);

  registerHealth(app, db);

  const sendPage = await registerWebApp(app, { folder: webFolder, runtimeConfig: runtimeConfig(config) });
  useNotFoundHandler(app, sendPage);
  return app;
}

function runtimeConfig(config: Config): RuntimeConfig {
  return { domain: '', client_id: '', support_email: config.supportEmail };
}
