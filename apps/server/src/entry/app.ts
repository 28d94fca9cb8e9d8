import type { RuntimeConfig } from '@brand-portal/contract/identity';
import multipart from '@fastify/multipart';
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Pool } from 'pg';
import { registerCertificateDetailRoutes } from '../catalog/certificates/certificate-detail.routes.ts';
import { registerCertificateRoutes, registerReviewRoutes } from '../catalog/certificates/certificates.routes.ts';
import { registerVariantRoutes } from '../catalog/variants/variants.routes.ts';
import { registerFeedRoutes } from '../channel/feeds.routes.ts';
import { registerPublishingRoutes } from '../channel/publishing.routes.ts';
import type { Db } from '../db/database.ts';
import type { Notices } from '../db/notices.ts';
import { createAdmission } from '../http/admission.ts';
import { useBodies } from '../http/bodies.ts';
import { answerUnreadableConnection, answerUnreadableRequest, useErrorHandler, useNotFoundHandler } from '../http/error-handler.ts';
import { registerHealth } from '../http/health.ts';
import { useMetrics } from '../http/metrics/metrics.ts';
import { useOpenApi } from '../http/openapi.ts';
import { useRateLimit } from '../http/rate-limit.ts';
import { requestId, useRequestLog } from '../http/request-log.ts';
import { createRoute } from '../http/route.ts';
import { useSecurityHeaders } from '../http/security-headers.ts';
import { useContractSerialization, useContractValidation } from '../http/validation.ts';
import { registerWebApp } from '../http/web-app.ts';
import { createFollow } from '../imports/follow.ts';
import { registerImportRoutes } from '../imports/import.routes.ts';
import { UPLOAD_LIMITS } from '../imports/upload.ts';
import { registerVariantActionRoutes } from '../imports/variant-actions/variant-actions.routes.ts';
import type { Config } from '../lib/config.ts';
import { registerAttentionRoutes } from '../operations/attention/attention.routes.ts';
import { registerHistoryRoutes } from '../operations/history/history.routes.ts';
import { registerPlatformRoutes } from '../operations/platform/platform.routes.ts';
import { registerAccountRoutes } from '../people/account/account.routes.ts';
import { registerApiKeyRoutes } from '../people/api-keys/api-keys.routes.ts';
import { registerBrandRoutes } from '../people/brands/brands.routes.ts';
import { listQuotas } from '../people/brands/quotas.ts';
import { createAccessTokens } from '../people/identity/access-tokens.ts';
import { registerIdentityRoutes } from '../people/identity/identity.routes.ts';
import { createProvider } from '../people/identity/provider.ts';
import { createSigningKeys } from '../people/identity/signing-keys.ts';
import type { IdentityDirectory } from '../people/members/identity-directory.ts';
import { registerMemberRoutes } from '../people/members/members.routes.ts';
import { registerOnboardingRoutes } from '../people/members/onboarding.routes.ts';
import { createGate } from './gate.ts';

export interface AppDependencies {
  readonly config: Config;
  readonly db: Db;
  readonly notices: Notices;
  /** A separate pool for lists, with prepared statements. */
  readonly lists: Db;
  /** A separate pool for session checks and health, which nothing else can keep busy. */
  readonly gate: Db;
  /** The pool behind `db`, for the metrics. */
  readonly pool: Pick<Pool, 'totalCount' | 'idleCount' | 'waitingCount'>;
  readonly logger: FastifyBaseLogger;
  /** Where users sign in: the configured provider, or the embedded one. */
  readonly identity: IdentityProvider;
  /** Where accounts of invited members are created. */
  readonly directory: IdentityDirectory;
  /** Stand-ins for external services, served by this server. */
  readonly standIns?: readonly StandIn[] | undefined;
  /** The built web app. */
  readonly webFolder: string;
  /** Aborted before the process exits: `/readyz` then fails, and connections close after their next response. */
  readonly stopping?: AbortSignal | undefined;
}

export interface StandIn {
  /** Adds its routes. */
  register(app: FastifyInstance): Promise<void>;
}

export interface IdentityProvider {
  readonly domain: string;
  readonly clientId: string;
  readonly audience?: string | undefined;
  /** Embedded provider only: responds like its `/userinfo`, without a network call. */
  askUserInfo?(token: string): Promise<Response>;
  /** Embedded provider only: ends one session of an account, or all of them. */
  endSessions?(subject: string, session?: string): Promise<void>;
}

const MAX_JSON_BODY_BYTES = 256 * 1024;
/** The time limit of an upload plus a minute for its headers. Without it, a slow body could hold its connection forever. */
const MAX_REQUEST_MS = UPLOAD_LIMITS.totalMs + 60_000;

/** Builds the whole server. Hooks and routes are registered in the order in which a request passes them. */
export async function buildApp(dependencies: AppDependencies): Promise<FastifyInstance> {
  const { config, db, notices, lists, pool, logger, identity, directory, standIns = [], webFolder } = dependencies;
  const stopping = dependencies.stopping ?? new AbortController().signal;
  const app = fastify({
    loggerInstance: logger,
    genReqId: requestId,
    trustProxy: trustedProxies(config.trustProxy),
    bodyLimit: MAX_JSON_BODY_BYTES,
    requestTimeout: MAX_REQUEST_MS,
    forceCloseConnections: 'idle',
    // While imports end, connections are still open: their calls get the usual answers, not the framework's 503 without code or request id.
    return503OnClosing: false,
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: { ignoreTrailingSlash: true },
    frameworkErrors: (error, request, reply) => answerUnreadableRequest(error, request, reply, checkRateLimit),
    clientErrorHandler: answerUnreadableConnection,
  });

  app.addHook('onRequest', async ({ raw: { headers } }) => {
    const forwarded = headers['x-forwarded-for'];
    if (typeof forwarded === 'string') headers['x-forwarded-for'] = withoutPorts(forwarded);
  });
  useRequestLog(app);
  const { requestsPerMinute, quotas } = config;
  if (config.metricsToken) {
    const listBrandQuotas = (brandIds: readonly number[]) => listQuotas(db, brandIds, quotas);
    useMetrics(app, { db, pool, token: config.metricsToken, listQuotas: listBrandQuotas });
  }
  useErrorHandler(app);
  useContractValidation(app);
  useContractSerialization(app);
  useSecurityHeaders(app, config);
  useBodies(app);
  app.addHook('onRequest', async (_request, reply) => {
    if (stopping.aborted) reply.header('connection', 'close');
  });
  const accessTokens = createAccessTokens(createSigningKeys(dependencies.gate));
  const gate = createGate(dependencies.gate, accessTokens, config.supportEmail);
  const checkRateLimit = await useRateLimit(app, { requestsPerMinute, recognize: gate.recognize });
  await useOpenApi(app, config.publicUrl);

  const isComplete = identity.domain !== '' && identity.clientId !== '';
  const problem = isComplete ? undefined : 'Missing Auth0 configuration: set both AUTH0_DOMAIN and AUTH0_CLIENT_ID.';
  registerHealth(app, { db: dependencies.gate, stopping, problem });

  const provider = createProvider(identity);
  const admission = createAdmission();
  const route = createRoute(app, gate, admission);
  const runtimeConfig = toRuntimeConfig(dependencies);
  const { endSessions: endProviderSessions } = identity;
  registerIdentityRoutes(route, { db, accessTokens, provider, runtimeConfig, endProviderSessions });

  registerBrandRoutes(route, { db, quotas, supportEmail: config.supportEmail });
  registerMemberRoutes(route, { db, publicUrl: config.publicUrl });
  registerOnboardingRoutes(route, { db, directory });
  registerVariantRoutes(route, { db, lists, quotas });
  const closing = new AbortController();
  app.addHook('preClose', async () => closing.abort());
  const follow = createFollow({ db, notices, stopping: closing.signal });
  // A separate scope: no other route accepts a form.
  await app.register(async (scope) => {
    await scope.register(multipart);
    registerImportRoutes(createRoute(scope, gate, admission), { db, quotas, follow });
  });
  registerCertificateRoutes(route, { db, lists });
  registerCertificateDetailRoutes(route, { db });
  registerReviewRoutes(route, { db });
  registerPublishingRoutes(route, { db });
  registerVariantActionRoutes(route, { db, follow });
  registerAttentionRoutes(route, { lists });
  registerApiKeyRoutes(route, { db, quotas });
  registerAccountRoutes(route, { db, directory, endProviderSessions });
  registerPlatformRoutes(route, { db, lists });
  registerHistoryRoutes(route, { db, lists });
  registerFeedRoutes(app, route, { db, publicUrl: config.publicUrl, supportEmail: config.supportEmail });

  for (const standIn of standIns) await standIn.register(app);
  const sendPage = await registerWebApp(app, { folder: webFolder, runtimeConfig });
  useNotFoundHandler(app, sendPage);
  return app;
}

/** Some proxies append the address with its port. Then each connection would count as another caller. */
function withoutPorts(addresses: string): string {
  return addresses.replace(/(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}|\[([\da-f:.]{2,45})\](?::\d{1,5})?/gi, '$1$2');
}

/** Fastify accepts no number of hops, so this counts them. The nearest proxy is hop 0. */
function trustedProxies(trusted: Config['trustProxy']) {
  return typeof trusted === 'number' ? (_address: string, hop: number) => hop < trusted : trusted;
}

function toRuntimeConfig({ config, identity }: AppDependencies): RuntimeConfig {
  return {
    domain: identity.domain,
    client_id: identity.clientId,
    ...(identity.audience && { audience: identity.audience }),
    support_email: config.supportEmail,
  };
}
