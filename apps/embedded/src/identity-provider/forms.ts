import type { Language } from '@brand-portal/contract/constants';
import { toLanguage } from '@brand-portal/server/http/language.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { persistentCookie } from './cookies.ts';
import { chooseLanguage, LANGUAGE_COOKIE } from './language.ts';
import { PAGE_HEADERS } from './page.ts';

/** Shared by the provider's own pages. */

const MAX_FORM_BYTES = 16 * 1024;

export interface FormRoute {
  Querystring: Record<string, unknown>;
  Body: URLSearchParams | undefined;
}

/** Accepts only forms as bodies. */
export function acceptForms(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string', bodyLimit: MAX_FORM_BYTES }, (_request, body, done) =>
    done(null, new URLSearchParams(String(body))),
  );
}

/** Whether another site's page sent the form (CSRF). */
export function isForeign(request: FastifyRequest, publicUrl: string): boolean {
  const { origin } = request.headers;
  return origin !== undefined && origin !== publicUrl;
}

/** Stores the language chosen on the page for the next pages. */
export function rememberLanguage(request: FastifyRequest, reply: FastifyReply, publicUrl: string): void {
  const chosen = toLanguage((request.query as FormRoute['Querystring']).language);
  if (chosen) reply.header('set-cookie', persistentCookie(LANGUAGE_COOKIE, chosen, publicUrl));
}

export function languageOf(request: FastifyRequest, uiLocales?: unknown): Language {
  return chooseLanguage({
    chosen: (request.query as FormRoute['Querystring']).language,
    uiLocales,
    cookies: request.headers.cookie,
    acceptLanguage: request.headers['accept-language'],
  });
}

export function sendPage(reply: FastifyReply, status: number, page: string): FastifyReply {
  return reply.status(status).headers(PAGE_HEADERS).send(page);
}
