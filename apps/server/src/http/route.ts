import type { BodyOf, Endpoint, ParamsOf, QueryOf, ResponseOf } from '@brand-portal/contract/endpoint';
import { ERROR_SCHEMA_ID, ERROR_STATUS, type ErrorCode } from '@brand-portal/contract/errors';
import type { FastifyInstance, FastifyRequest, FastifySchema } from 'fastify';

/** What a handler gets: the validated parts of the request, and the request itself for the rare rest. */
export interface Call<E extends Endpoint> {
  readonly params: ParamsOf<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
  readonly request: FastifyRequest;
}

export type Handler<E extends Endpoint> = (call: Call<E>) => Promise<ResponseOf<E>>;
export type Route = <E extends Endpoint>(endpoint: E, handler: Handler<E>) => void;

/** Any call can end in one of these. */
const COMMON_ERRORS: readonly ErrorCode[] = [
  'validation_failed',
  'rate_limited',
  'internal_error',
  'database_unavailable',
];

/** Registers endpoints of the contract: path, validation, serialisation, documentation and types follow from it. */
export function createRoute(app: FastifyInstance): Route {
  return (endpoint, handler) => {
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      schema: toFastifySchema(endpoint),
      handler: async (request, reply) => {
        const { params, query, body } = request as Pick<Call<typeof endpoint>, 'params' | 'query' | 'body'>;
        const answer = await handler({ params, query, body, request });
        return reply.status(endpoint.status).send(answer);
      },
    });
  };
}

function toFastifySchema(endpoint: Endpoint): FastifySchema {
  return {
    summary: endpoint.summary,
    tags: [endpoint.tag],
    ...(endpoint.access === 'public' ? { security: [] } : {}),
    ...(endpoint.bodyKind === 'multipart' ? { consumes: ['multipart/form-data'] } : {}),
    ...(endpoint.params && { params: endpoint.params }),
    ...(endpoint.query && { querystring: endpoint.query }),
    ...(endpoint.body && { body: endpoint.body }),
    response: {
      [endpoint.status]: endpoint.response ?? { type: 'null', description: 'Done; no content.' },
      ...Object.fromEntries(errorCodes(endpoint).map((code) => [ERROR_STATUS[code], { $ref: `${ERROR_SCHEMA_ID}#` }])),
    },
  };
}

function errorCodes(endpoint: Endpoint): ErrorCode[] {
  const refusals: ErrorCode[] = endpoint.access === 'public' ? [] : ['unauthenticated', 'permission_denied'];
  return [...COMMON_ERRORS, ...refusals, ...(endpoint.errors ?? [])];
}
