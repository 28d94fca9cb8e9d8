import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';

const TYPES = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' } as const;
const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** Read once. The URL contains a hash of the content, so browsers may cache it forever. */
function asset(name: string, kind: keyof typeof TYPES) {
  const content = readFileSync(join(import.meta.dirname, 'assets', `${name}.${kind}`));
  const version = createHash('sha256').update(content).digest('hex').slice(0, 12);
  return { content, type: TYPES[kind], path: `/assets/${name}-${version}.${kind}` };
}

export const STYLE = asset('login', 'css');
/** Runs before the first paint, so that the colours do not flash. */
export const THEME_SCRIPT = asset('theme', 'js');
export const LOGIN_SCRIPT = asset('login', 'js');

export function registerAssets(app: FastifyInstance): void {
  for (const { path, content, type } of [STYLE, THEME_SCRIPT, LOGIN_SCRIPT]) {
    app.get(path, { schema: { hide: true } }, (_request, reply) =>
      reply.header('cache-control', `public, max-age=${YEAR_SECONDS}, immutable`).type(type).send(content),
    );
  }
}
