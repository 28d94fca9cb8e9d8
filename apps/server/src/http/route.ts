import type { BodyOf, Endpoint, ParamsOf, QueryOf, ResponseOf } from '@brand-portal/contract/endpoint';
import { ERROR_SCHEMA_ID, ERROR_STATUS, type ErrorCode } from '@brand-portal/contract/errors';
import type { FastifyInstance, FastifyRequest, FastifySchema } from 'fastify';
import { refuseNulCharacters } from './validation.ts';

/** What a handler gets: the validated parts of the request, and the request itself for the rare rest. */
export interface Call<E extends Endpoint> {
  readonly params: ParamsOf<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
  /** Whose request it is; nobody's where the endpoint is public. */
  readonly userId: E['access'] extends 'public' ? undefined : number;
  readonly request: FastifyRequest;
}

export type Handler<E extends Endpoint> = (
  call: Call<E>,
) => E['status'] extends 204 ? Promise<void> : Promise<ResponseOf<E>>;
export type Route = <E extends Endpoint>(endpoint: E, handler: Handler<E>) => void;

/** Decides whose a request is and whether it may pass; both refuse by throwing. */
export interface Gate {
  authenticate(request: FastifyRequest): Promise<number>;
  authorize(userId: number, request: FastifyRequest, endpoint: Endpoint): Promise<void>;
}

/** Any call can end in one of these. */
const COMMON_ERRORS: readonly ErrorCode[] = [
  'validation_failed',
  'rate_limited',
  'internal_error',
  'database_unavailable',
];

/** Registers endpoints of the contract: path, validation, serialisation, documentation and types follow from it. */
export function createRoute(app: FastifyInstance, gate: Gate): Route {
  return <E extends Endpoint>(endpoint: E, handler: Handler<E>) => {
    const userIds = new WeakMap<FastifyRequest, number>();
    const userIdOf = (request: FastifyRequest) => userIds.get(request) as Call<E>['userId'];
    const gates = {
      // Before validation, so that someone signed out learns that first; roles need the validated path.
      onRequest: async (request: FastifyRequest) => {
        userIds.set(request, await gate.authenticate(request));
      },
      preHandler: async (request: FastifyRequest) => gate.authorize(userIdOf(request) as number, request, endpoint),
    };
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      schema: toFastifySchema(endpoint),
      preValidation: async ({ params, query, body }) => refuseNulCharacters({ params, query, body }),
      ...(endpoint.access === 'public' ? {} : gates),
      handler: async (request, reply) => {
        const { params, query, body } = request as Pick<Call<E>, 'params' | 'query' | 'body'>;
        const answer = await handler({ params, query, body, userId: userIdOf(request), request });
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
