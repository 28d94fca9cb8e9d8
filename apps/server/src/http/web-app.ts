import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { RuntimeConfig } from '@brand-portal/contract/identity';
import { PAGE_PATHS } from '@brand-portal/contract/pages';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { StartupError } from '../lib/errors.ts';
import { pagePolicy } from './security-headers.ts';

/** The template of the page, which is rendered per response and not served as a file. */
const TEMPLATE = 'index.html';
const YEAR_SECONDS = 365 * 24 * 60 * 60;
const compress = promisify(gzip);

/** Whether a route serves a file of the web app: `/assets/…`, or a file beside it, such as the icon. */
export function isWebFile(route: string | undefined): boolean {
  return route !== undefined && /^\/(assets|demo-logos)\/|^\/favicon\.svg$/.test(route);
}

interface WebApp {
  readonly folder: string;
  readonly runtimeConfig: RuntimeConfig;
}

/** Serves the built web app: files with immutable content, and the same page for every route. */
export async function registerWebApp(
  app: FastifyInstance,
  { folder, runtimeConfig }: WebApp,
): Promise<(reply: FastifyReply) => Promise<FastifyReply>> {
  const template = readTemplate(folder);
  const configBlock = JSON.stringify(runtimeConfig).replaceAll('<', '\\u003c');
  const providerOrigin = URL.canParse(runtimeConfig.domain)
    ? new URL(runtimeConfig.domain).origin
    : runtimeConfig.domain && `https://${runtimeConfig.domain}`;

  await app.register(fastifyStatic, {
    root: folder,
    index: false,
    globIgnore: [TEMPLATE],
    preCompressed: true,
    wildcard: false,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const forever = path.includes(join(folder, 'assets'));
      reply.header('cache-control', forever ? `public, max-age=${YEAR_SECONDS}, immutable` : 'public, max-age=3600');
    },
  });

  const sendPage = async (reply: FastifyReply) => {
    const nonce = randomBytes(16).toString('base64');
    const page = template.replace('__RUNTIME_CONFIG__', () => configBlock).replaceAll('__CSP_NONCE__', nonce);
    reply
      .header('content-security-policy', pagePolicy(nonce, providerOrigin))
      .header('cache-control', 'no-store')
      .header('vary', 'accept-encoding')
      .type('text/html; charset=utf-8');
    // Each page has its own nonce, so it cannot be compressed in advance as the files are.
    if (!/\bgzip\b/.test(String(reply.request.headers['accept-encoding']))) return reply.send(page);
    return reply.header('content-encoding', 'gzip').send(await compress(page));
  };

  for (const path of [...PAGE_PATHS, `/${TEMPLATE}`]) {
    app.get(path, { schema: { hide: true } }, (_request, reply) => sendPage(reply));
  }
  return sendPage;
}

function readTemplate(folder: string): string {
  const path = join(folder, TEMPLATE);
  if (!existsSync(path)) throw new StartupError(`The web app is not built (${path} is missing): run "npm run build".`);
  return readFileSync(path, 'utf8');
}
