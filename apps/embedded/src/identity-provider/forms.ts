import type { Language } from '@brand-portal/contract/constants';
import type { Db } from '@brand-portal/server/db/database.ts';
import { isOutage } from '@brand-portal/server/db/pg-errors.ts';
import * as browser from '@brand-portal/server/http/language.ts';
import { AppError } from '@brand-portal/server/lib/errors.ts';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type Provider from 'oidc-provider';
import { messagePage } from './pages.ts';
import type { Passwords } from './passwords.ts';
import type { MessageName } from './texts.ts';

/** Shared by the provider's own pages. */

const MAX_FORM_BYTES = 16 * 1024;

/** Only our own files. Forms may post only to this origin. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': POLICY,
  'cache-control': 'no-store',
} as const;

/** What the pages need. */
export interface PagesDependencies {
  readonly db: Db;
  readonly provider: Provider;
  readonly passwords: Passwords;
  readonly publicUrl: string;
  /** Without a mail server only the operator can reset a forgotten password. */
  readonly sendsMail: boolean;
  /** Must have the same flags as when the session cookie was set; otherwise the browser would keep it. */
  readonly sessionCookie: { name: string; options: object };
}

export interface FormRoute {
  Querystring: Record<string, unknown>;
  Body: URLSearchParams | undefined;
}

/** Accepts only forms as bodies, and only those of our own pages. Users get a page for internal errors, not the JSON for programs. */
export function useForms(app: FastifyInstance, publicUrl: string): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string', bodyLimit: MAX_FORM_BYTES }, (_request, body, done) =>
    done(null, new URLSearchParams(String(body))),
  );
  app.addHook('preHandler', async (request, reply) => {
    if (request.method === 'POST' && isForeign(request, publicUrl)) return sendMessage(request, reply, 400, 'stale');
  });
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const isExpected = error instanceof AppError || (error.statusCode !== undefined && error.statusCode < 500);
    if (isExpected) throw error;
    request.log.error({ err: error }, 'A page of the identity provider failed');
    return sendMessage(request, reply, isOutage(error) ? 503 : 500, 'unavailable');
  });
}

/** Whether another site's page sent the form (CSRF). */
function isForeign(request: FastifyRequest, publicUrl: string): boolean {
  const { origin } = request.headers;
  return origin !== undefined && origin !== publicUrl;
}

/** The language chosen on the page, else the application's `ui_locales` (a list such as `es en`), else the browser's, as in the app. */
export function languageOf({ headers, query }: Pick<FastifyRequest, 'headers' | 'query'>, uiLocales?: unknown): Language {
  const asked = typeof uiLocales === 'string' ? uiLocales.split(' ') : [];
  const known = [(query as FormRoute['Querystring']).language, ...asked].map(browser.toLanguage).find((language) => language !== undefined);
  return known ?? browser.languageOf({ headers });
}

export function formField({ body }: { body: unknown }, name: string): string {
  return (body instanceof URLSearchParams && body.get(name)) || '';
}

export function sendPage(reply: FastifyReply, status: number, page: string): FastifyReply {
  return reply.status(status).headers(PAGE_HEADERS).send(page);
}

export function sendMessage(request: FastifyRequest, reply: FastifyReply, status: number, message: MessageName): FastifyReply {
  return sendPage(reply, status, messagePage({ language: languageOf(request), message }));
}
