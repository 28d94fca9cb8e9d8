import { Readable } from 'node:stream';
import type { BrandStatus } from '@brand-portal/contract/brand-status';
import { HTTP_TIMEOUT_MS } from '@brand-portal/contract/constants';
import {
  type AcceptedOf,
  allowsKeys,
  type BodyOf,
  type Endpoint,
  type ParamsOf,
  type QueryOf,
  type ResponseOf,
} from '@brand-portal/contract/endpoint';
import { ERROR_SCHEMA_ID, ERROR_STATUS, type ErrorCode } from '@brand-portal/contract/errors';
import { PIECE_HEAD_BYTES, PIECES_TYPE, TOTAL_ROWS_HEADER } from '@brand-portal/contract/exports';
import type { Role } from '@brand-portal/contract/roles';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import type { Logger } from 'pino';
import { asRead } from '../db/reads.ts';
import { type Admission, hangUp, takeTurn } from './admission.ts';
import { refuseUnknownFields, refuseUnstorableText } from './validation.ts';

/** The validated parts of the request, and the request itself. */
export interface Call<E extends Endpoint> {
  readonly params: ParamsOf<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
  /** The caller. Undefined for public endpoints. */
  readonly userId: E['access'] extends 'public' ? undefined : number;
  /** Undefined for API keys. */
  readonly sessionId: number | undefined;
  readonly request: FastifyRequest;
}

/** A file download. */
export interface FileAnswer {
  /** ASCII without quotes, because it is part of a header. */
  readonly fileName: string;
  readonly content: Readable;
  /** Undefined: CSV. */
  readonly type?: string;
  /** For an export: the number of rows, if known, and how many are written so far. */
  readonly rows?: { readonly total: number | undefined; readonly written: () => number };
}

/** A 202 response: the work continues in the background. */
export class Accepted<Body> {
  readonly body: Body;
  readonly headers: Readonly<Record<string, string>>;

  constructor(body: Body, headers: Readonly<Record<string, string>>) {
    this.body = body;
    this.headers = headers;
  }
}

type Batches<Rows> = AsyncIterator<Rows, void>;
type AnswerOf<E extends Endpoint> = E['responseKind'] extends 'file'
  ? FileAnswer
  : E['responseKind'] extends 'rows'
    ? Batches<Extract<ResponseOf<E>, unknown[]>> | Exclude<ResponseOf<E>, unknown[]>
    : ResponseOf<E> | Accepted<AcceptedOf<E>>;
export type Handler<E extends Endpoint> = (call: Call<E>) => E['status'] extends 204 ? Promise<void> : Promise<AnswerOf<E>>;
export type Route = <E extends Endpoint>(endpoint: E, handler: Handler<E>) => void;

/** A signed-in person, or an API key, which has its own user. */
export interface Caller {
  readonly userId: number;
  /** Undefined for API keys. */
  readonly sessionId?: number | undefined;
  readonly key?: { readonly brandId: number; readonly brandStatus: BrandStatus; readonly role: Role; readonly prefix: string } | undefined;
}

/** Authenticates and authorizes requests; both throw when they refuse. */
export interface Gate {
  /** Who sends the request, for the rate limit. Without the database: undefined also for an API key that was not used in the last minute. */
  recognize(request: FastifyRequest): Promise<number | undefined>;
  authenticate(request: FastifyRequest): Promise<Caller>;
  /** Returns the brand that the request is about, if it is about one. */
  authorize(caller: Caller, request: FastifyRequest, endpoint: Endpoint): Promise<number | undefined>;
}

/** Errors that any call may return. */
const COMMON_ERRORS: readonly ErrorCode[] = [
  'validation_failed',
  'rate_limited',
  'internal_error',
  'brand_busy',
  'database_unavailable',
  'storage_full',
];

/** Registers endpoints of the contract, which defines path, validation, serialisation, documentation and types. */
export function createRoute(app: FastifyInstance, gate: Gate, admission: Admission): Route {
  return <E extends Endpoint>(endpoint: E, handler: Handler<E>) => {
    const callers = new WeakMap<FastifyRequest, Caller>();
    const brands = new WeakMap<FastifyRequest, number>();
    const queue = admission(endpoint);
    const isRead = endpoint.method === 'GET';
    const userIdOf = (request: FastifyRequest) => callers.get(request)?.userId as Call<E>['userId'];
    const gates = {
      // Runs after the rate limit, an `onRequest` hook that runs after the route's own. Runs before the body is read and validated, so that
      // a signed-out caller gets 401 first. Roles are checked later, because they need the validated path.
      preParsing: async (request: FastifyRequest) => {
        const caller = await gate.authenticate(request);
        callers.set(request, caller);
        // All later log lines contain the user, and of a script its key, which members know by its beginning.
        const key = caller.key && { api_key: caller.key.prefix, brand_id: caller.key.brandId };
        (request.log as Logger).setBindings({ user_id: caller.userId, ...key });
      },
      preHandler: async (request: FastifyRequest) => {
        const brandId = await gate.authorize(callers.get(request) as Caller, request, endpoint);
        if (brandId !== undefined) brands.set(request, brandId);
      },
    };
    const keysOf = (request: FastifyRequest) => [
      `member ${userIdOf(request)}`,
      ...(brands.has(request) ? [`brand ${brands.get(request)}`] : []),
    ];
    const answerCall = async (request: FastifyRequest, caller: AbortSignal) => {
      const { params, query, body } = request as Pick<Call<E>, 'params' | 'query' | 'body'>;
      const { sessionId } = callers.get(request) ?? {};
      const call = { params, query, body, userId: userIdOf(request), sessionId, request };
      if (!isRead) return handler(call);
      // The request's own signal is aborted after the timeout, too.
      const signal = endpoint.responseKind ? caller : AbortSignal.any([caller, request.signal]);
      return asRead(signal, () => handler(call) as Promise<unknown>);
    };
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      schema: toFastifySchema(endpoint),
      preValidation: async (request) => {
        const { params, query, body } = request;
        refuseUnstorableText({ params, query, body });
        refuseUnknownFields(endpoint, request);
      },
      ...(endpoint.access === 'public' ? {} : gates),
      // The browser waits no longer than that. A file takes as long as it takes.
      ...(isRead && !endpoint.responseKind && { handlerTimeout: HTTP_TIMEOUT_MS }),
      handler: async (request, reply) => {
        const caller = hangUp(reply);
        const turn = queue && (await takeTurn(queue, caller, keysOf(request)));
        // An export ends when its last row is sent, or its reader hangs up.
        if (endpoint.responseKind) for (const end of ['finish', 'close']) reply.raw.once(end, () => turn?.leave());
        const answer = await answerCall(request, caller).finally(() => !endpoint.responseKind && turn?.leave());
        if (answer instanceof Accepted) return reply.status(202).headers(answer.headers).send(answer.body);
        reply.status(endpoint.status);
        if (endpoint.responseKind === 'file') return sendFile(request, reply, answer as FileAnswer);
        if (isBatches(answer)) return sendRows(reply, { next: () => asRead(caller, () => answer.next()) });
        return reply.send(answer);
      },
    });
  };
}

function sendFile(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { fileName, content, type = 'text/csv; charset=utf-8', rows }: FileAnswer,
): FastifyReply {
  const inPieces = rows && headers.accept?.includes(PIECES_TYPE);
  if (rows?.total !== undefined) reply.header(TOTAL_ROWS_HEADER, rows.total);
  return reply
    .type(inPieces ? PIECES_TYPE : type)
    .header('content-disposition', `attachment; filename="${fileName}"`)
    .header('cache-control', 'no-store')
    .send(inPieces ? Readable.from(toPieces(content, rows.written), { objectMode: false }) : content);
}

/** In the format of PIECES_TYPE. */
async function* toPieces(content: Readable, rowsWritten: () => number): AsyncGenerator<Buffer> {
  const toPiece = (bytes: Buffer) => {
    const head = Buffer.alloc(PIECE_HEAD_BYTES);
    head.writeUInt32BE(rowsWritten(), 0);
    head.writeUInt32BE(bytes.length, 4);
    return Buffer.concat([head, bytes]);
  };
  for await (const chunk of content) if (chunk.length > 0) yield toPiece(Buffer.from(chunk));
  yield toPiece(Buffer.alloc(0));
}

function isBatches(answer: unknown): answer is Batches<unknown[]> {
  return typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer && 'next' in answer;
}

/** Streams with backpressure, so that a long list does not fill the memory. */
async function sendRows(reply: FastifyReply, batches: Batches<unknown[]>): Promise<FastifyReply> {
  // Read before the response starts, so that an error still gets an error response.
  const first = await batches.next();
  async function* json(): AsyncGenerator<string> {
    let separator = '';
    yield '[';
    for (let batch = first; !batch.done; batch = await batches.next()) {
      if (batch.value.length === 0) continue;
      yield separator + JSON.stringify(batch.value).slice(1, -1);
      separator = ',';
    }
    yield ']';
  }
  return reply.type('application/json; charset=utf-8').send(Readable.from(json()));
}

/** Shared objects, so that each is compiled once. */
const ERROR_ANSWER = { $ref: `${ERROR_SCHEMA_ID}#` };
const NO_CONTENT = { type: 'null', description: 'Done; no content.' };
const FILE_CONTENT = { type: 'string' };

function toFastifySchema(endpoint: Endpoint): FastifySchema {
  return {
    summary: endpoint.summary,
    ...(endpoint.description && { description: endpoint.description }),
    tags: [endpoint.tag],
    ...(endpoint.access === 'public' ? { security: [] } : {}),
    ...(allowsKeys(endpoint) ? { security: [{ access_token: [] }, { api_key: [] }] } : {}),
    ...(endpoint.bodyKind === 'multipart' ? { consumes: ['multipart/form-data'] } : {}),
    ...(endpoint.params && { params: endpoint.params }),
    ...(endpoint.query && { querystring: endpoint.query }),
    ...(endpoint.body && { body: endpoint.body }),
    response: {
      [endpoint.status]: answerSchema(endpoint),
      ...(endpoint.accepted && { 202: endpoint.accepted }),
      ...Object.fromEntries(errorCodes(endpoint).map((code) => [ERROR_STATUS[code], ERROR_ANSWER])),
    },
  };
}

function answerSchema({ response, responseKind, fileTypes = ['text/csv'] }: Endpoint): unknown {
  if (responseKind === 'file') {
    const content = fileTypes.map((type) => [type, { schema: FILE_CONTENT }]);
    return { description: 'A file', content: Object.fromEntries(content) };
  }
  return response ?? NO_CONTENT;
}

function errorCodes(endpoint: Endpoint): ErrorCode[] {
  const refusals: ErrorCode[] = endpoint.access === 'public' ? [] : ['unauthenticated', 'permission_denied'];
  return [...COMMON_ERRORS, ...refusals, ...(endpoint.errors ?? [])];
}
