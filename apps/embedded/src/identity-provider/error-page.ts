import { PAGES } from '@brand-portal/contract/pages';
import { isOutage } from '@brand-portal/server/db/pg-errors.ts';
import { AppError } from '@brand-portal/server/errors.ts';
import type { FastifyError, FastifyInstance } from 'fastify';
import { languageOf, sendPage } from './forms.ts';
import { messagePage } from './message-page.ts';

/** Someone who is signing in sees a page when we fail, not the JSON that programs get. Refusals stay as they are. */
export function useErrorPage(app: FastifyInstance, publicUrl: string): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const isRefusal = error instanceof AppError || (error.statusCode !== undefined && error.statusCode < 500);
    if (isRefusal) throw error;
    request.log.error({ err: error }, 'A page of the identity provider failed');
    const page = messagePage({
      language: languageOf(request),
      message: 'unavailable',
      backTo: publicUrl + PAGES.login,
    });
    return sendPage(reply, isOutage(error) ? 503 : 500, page);
  });
}
