import { ERROR_STATUS, type ErrorBody } from '@brand-portal/contract/errors';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import { DATA_POLICY } from './security-headers.ts';
import { toAppError } from './to-app-error.ts';

/** Every error of every route leaves through here, with the one body that the contract promises. */
export function useErrorHandler(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const appError = toAppError(error);
    if (appError.status >= 500) request.log.error({ err: error, code: appError.code }, 'Request failed');
    else request.log.info({ code: appError.code, detail: appError.message }, 'Request refused');
    return reply.status(appError.status).send(errorBody(appError, request));
  });
}

/** An address that is not even an address never reaches a route; it is answered with the same body. */
export function answerUnreadableRequest(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const appError = toAppError(error);
  // The message of the error repeats the address, and that may hold a token.
  request.log.info({ req: request, code: appError.code, reason: error.code }, 'Request refused');
  // No hook has run for it, so its headers are written here.
  reply
    .status(appError.status)
    .header('x-request-id', request.id)
    .header('x-content-type-options', 'nosniff')
    .header('content-security-policy', DATA_POLICY)
    .send(errorBody(appError, request));
}

/** Someone who mistypes an address gets the page, which tells them so or asks them to sign in; programs get JSON. */
export function useNotFoundHandler(
  app: FastifyInstance,
  sendPage: (reply: FastifyReply) => Promise<FastifyReply>,
): void {
  app.setNotFoundHandler((request, reply) => {
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
    request_id: request.id,
  };
}

/** Paths that answer programs; a missing one of these is an error, never the page. */
const NOT_PAGES = /^\/(api|idp|assets)(\/|$)|\.\w+$/;

function isNavigation(request: FastifyRequest): boolean {
  const wantsPage = request.method === 'GET' && (request.headers.accept ?? '').includes('text/html');
  return wantsPage && !NOT_PAGES.test(pathOf(request));
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? '';
}
