import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ERROR_STATUS, type ErrorBody } from '@brand-portal/contract/errors';
import type { ConnectionError, FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../lib/errors.ts';
import { sendErrorPage } from './error-page.ts';
import { BARE_HEADERS } from './security-headers.ts';
import { toAppError } from './to-app-error.ts';

/** Handles the errors of all routes, with the response body of the contract. */
export function useErrorHandler(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const appError = toAppError(error);
    if (reply.raw.destroyed) request.log.info('The caller hung up before the answer');
    else if (isFailure(appError)) request.log.error({ err: error, code: appError.code }, 'Request failed');
    // Without the message, which may quote the file or the body.
    else request.log[levelOf(appError)]({ code: appError.code }, 'Request refused');
    reply.status(appError.status);
    setRetryAfter(reply, appError);
    return wantsPage(request) ? sendErrorPage(reply, appError) : reply.send(errorBody(appError, request));
  });
}

/** The rate limit has set its own. */
function setRetryAfter(reply: FastifyReply, { retryAfterSeconds }: AppError): void {
  if (retryAfterSeconds !== undefined && !reply.hasHeader('retry-after')) reply.header('retry-after', retryAfterSeconds);
}

/** A busy brand is no failure of the server. */
const isFailure = ({ status, code }: AppError) => status >= 500 && code !== 'brand_busy';

/** The rate limit logs the caller once; a line per rejected request would fill the disk. */
const levelOf = ({ code }: AppError) => (code === 'rate_limited' ? 'debug' : 'info');

type Check = (request: FastifyRequest) => Promise<void>;

/** A malformed URL never reaches a route. It is rate limited and answered like any other request. */
export async function answerUnreadableRequest(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
  checkRateLimit: Check,
): Promise<void> {
  const appError = await checkRateLimit(request).then(
    () => toAppError(error),
    (refusal: unknown) => toAppError(refusal),
  );
  // The error's message contains the URL, which may contain a token.
  request.log[levelOf(appError)]({ req: request, code: appError.code, reason: error.code }, 'Request refused');
  // Hooks have not run, so the headers are set here.
  reply.status(appError.status).header('x-request-id', request.id).headers(BARE_HEADERS).send(errorBody(appError, request));
}

const UNREADABLE: Readonly<Record<string, number>> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

/** Invalid HTTP has no request object, so the answer is written to the socket. */
export function answerUnreadableConnection(error: ConnectionError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const status = UNREADABLE[error.code] ?? 400;
  const body = JSON.stringify({ detail: STATUS_CODES[status], code: 'malformed_request' });
  const headers = {
    ...BARE_HEADERS,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  if (socket.writable) socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  socket.destroySoon();
}

/** A person with a mistyped URL gets the web app, which shows an error or the sign-in. Programs get JSON. */
export function useNotFoundHandler(app: FastifyInstance, sendPage: (reply: FastifyReply) => Promise<FastifyReply>): void {
  app.setNotFoundHandler({ preValidation: app.rateLimit() }, (request, reply) => {
    if (isNavigation(request)) return sendPage(reply.status(ERROR_STATUS.not_found));
    const error = new AppError('not_found', `There is nothing at ${request.method} ${pathOf(request)}.`);
    return reply.status(error.status).send(errorBody(error, request));
  });
}

function errorBody(error: AppError, request: FastifyRequest): ErrorBody {
  return {
    detail: error.message,
    code: error.code,
    ...(error.fields && { fields: error.fields }),
    ...(error.context && { context: error.context }),
    request_id: request.id,
  };
}

/** Paths of the API and of static files: if something is missing there, the response is an error and never the page. */
const NOT_PAGES = /^\/(api|idp|assets)(\/|$)|\.\w+$/;

function isNavigation(request: FastifyRequest): boolean {
  return request.method === 'GET' && acceptsPage(request) && !NOT_PAGES.test(pathOf(request));
}

/** Whether a person sees the response. That includes forms of the embedded provider. */
function wantsPage(request: FastifyRequest): boolean {
  return acceptsPage(request) && !/^\/(api|assets)\//.test(pathOf(request));
}

const acceptsPage = ({ headers }: FastifyRequest) => (headers.accept ?? '').includes('text/html');

function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? '';
}
