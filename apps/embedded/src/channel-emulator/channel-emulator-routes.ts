import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '@brand-portal/server/db/database.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requireOwnHost } from '../callers.ts';
import {
  deleteResource,
  findResource,
  getSwitches,
  insertCall,
  listLinks,
  listResources,
  type StoredResource,
  type Switches,
  upsertResource,
} from './channel-emulator.queries.ts';
import { judge } from './judgement.ts';
import { checkBody, checkClient, checkName, GoogleError } from './resource-rules.ts';
import type { EmulatedAccount } from './service-account.ts';

export const BASE_PATH = '/channel-emulator';

/**
 * Hidden from the API's documentation, exempt from the rate limit (the channel has its own quota), and not logged: publishing all variants
 * would fill the terminal.
 */
export const ROUTE_OPTIONS = {
  schema: { hide: true },
  config: { rateLimit: false as const },
  logLevel: 'warn' as const,
};

interface Dependencies {
  readonly db: Db;
  /** The URL at which this server reaches itself, without any proxy. */
  readonly serverUrl: string;
  readonly account: EmulatedAccount;
}

const MAX_PAGE_SIZE = 250;

/** The documented methods of `accounts.products`, and a token endpoint. */
export function registerChannelEmulatorRoutes(app: FastifyInstance, { db, serverUrl, account }: Dependencies): void {
  app.addHook('onRequest', async (request) => requireOwnHost(request, { what: 'The channel emulator', address: serverUrl }));
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    done(null, Object.fromEntries(new URLSearchParams(String(body))));
  });

  app.post<{ Body: { assertion?: string } }>(`${BASE_PATH}/token`, ROUTE_OPTIONS, async (request, reply) => {
    try {
      return await account.exchange(request.body?.assertion ?? '');
    } catch (error) {
      return reply.status(400).send({ error: 'invalid_grant', error_description: (error as Error).message });
    }
  });

  registerProducts(app, { db, account });
}

const PATH = `${BASE_PATH}/v1/accounts/:account/products`;

function registerProducts(app: FastifyInstance, { db, account }: Pick<Dependencies, 'db' | 'account'>): void {
  const handle =
    (work: (name: string, request: FastifyRequest, switches: Switches) => Promise<unknown>) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      const name = decodeURIComponent(new URL(request.url, 'http://emulator').pathname.slice(`${BASE_PATH}/v1/`.length));
      const switches = await getSwitches(db);
      await sleep(Math.random() * switches.late_ms);
      let status = 200;
      let answer: unknown;
      try {
        await authenticate(account, request);
        simulateFailure(switches);
        answer = await work(name, request, switches);
      } catch (error) {
        if (!(error instanceof GoogleError)) throw error;
        status = error.status;
        answer = error.body;
      }
      if (switches.keep_calls) await insertCall(db, { method: request.method, name, status, body: request.body });
      if (status === 200 && Math.random() < switches.lose_share) return reply.hijack().raw.destroy();
      return reply.status(status).send(answer);
    };
  const toAnswer = async (resource: StoredResource, switches: Switches) => ({
    ...toProduct(resource),
    ...(await judge(db, resource, switches)),
  });

  app.put(
    `${PATH}/:id`,
    ROUTE_OPTIONS,
    handle(async (name, request) => {
      const body = checkBody(request.body);
      checkClient(body, await listLinks(db, accountOf(request)));
      // "All attributes are replaced with the new ones": attributes that are not in the body are removed.
      await upsertResource(db, checkName(name), body);
      return {};
    }),
  );
  app.get(
    `${PATH}/:id`,
    ROUTE_OPTIONS,
    handle(async (name, _request, switches) => {
      const resource = await findResource(db, name);
      if (!resource) throw new GoogleError(404, 'Requested entity was not found.');
      return toAnswer(resource, switches);
    }),
  );
  app.delete(
    `${PATH}/:id`,
    ROUTE_OPTIONS,
    handle(async (name) => {
      if (!(await deleteResource(db, name))) throw new GoogleError(404, 'Requested entity was not found.');
      return {};
    }),
  );
  app.get(
    PATH,
    ROUTE_OPTIONS,
    handle(async (name, request, switches) => {
      const { pageSize, pageToken = '' } = request.query as { pageSize?: string; pageToken?: string };
      const limit = Math.min(Number(pageSize) || MAX_PAGE_SIZE, MAX_PAGE_SIZE);
      const found = await listResources(db, `${name}/`, pageToken, limit);
      const next = found.length === limit ? { nextPageToken: found.at(-1)?.name } : {};
      return { products: await Promise.all(found.map((resource) => toAnswer(resource, switches))), ...next };
    }),
  );
}

const accountOf = ({ params }: FastifyRequest) => (params as { account: string }).account;

async function authenticate(account: EmulatedAccount, request: FastifyRequest): Promise<void> {
  const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  const allowed = await account.verify(token).catch(() => {
    throw new GoogleError(401, 'Request had invalid authentication credentials.');
  });
  if (allowed !== accountOf(request)) throw new GoogleError(403, 'The caller does not have permission.');
}

function simulateFailure({ throttle_share, fail_share }: Switches): void {
  if (Math.random() < throttle_share) throw new GoogleError(429, 'Quota exceeded for quota metric.');
  if (Math.random() < fail_share) throw new GoogleError(503, 'The service is currently unavailable.');
}

function toProduct({ name, body }: StoredResource) {
  const [, account, id = ''] = /^accounts\/(\d+)\/products\/(.+)$/.exec(name) ?? [];
  const [targetCountry, contentLanguage, ...rest] = id.split(':');
  const productId = rest.join(':');
  return { parent: `accounts/${account}`, name: id, targetCountry, contentLanguage, productId, attributes: body };
}
