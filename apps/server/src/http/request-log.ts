import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ENDPOINTS } from '@brand-portal/contract/endpoints';
import { ERROR_STATUS } from '@brand-portal/contract/errors';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';
import { prettyFactory } from 'pino-pretty';
import type { Config } from '../lib/config.ts';

/** Query parameters with these names may be secrets elsewhere: `state` is a filter of lists, but a nonce during sign-in. */
const AMBIGUOUS = ['token', 'state', 'code'];
/** The contract's query parameters. All others are masked, because they may be secrets. */
const HARMLESS_PARAMETERS = new Set(
  ENDPOINTS.flatMap(({ query }) => Object.keys((query as { properties?: object } | undefined)?.properties ?? {})).filter(
    (name) => !AMBIGUOUS.includes(name),
  ),
);

/** In these URLs a secret token follows. */
export const FEED_PATH = '/feeds/';

/** Never logs bodies, nor headers with secrets. Masks secrets in URLs. */
export function createLogger(config: Pick<Config, 'logLevel' | 'logFormat'>, destination: DestinationStream = openOutput()): Logger {
  const options = {
    level: config.logLevel,
    // Some libraries log headers, such as the form parser in its options.
    redact: ['*.headers.authorization', '*.headers.cookie', '*.headers["set-cookie"]'],
    serializers: {
      req: (request: FastifyRequest) => ({
        id: request.id,
        method: request.method,
        url: request.routeOptions?.url?.startsWith(FEED_PATH) ? `${FEED_PATH}***` : maskSecrets(request.url),
        // The route pattern, to group by.
        route: request.routeOptions?.url,
        ip: request.ip,
      }),
      res: (response: { statusCode: number }) => ({ status: response.statusCode }),
      err: withoutRows,
    },
  };
  if (config.logFormat === 'json') return pino(options, destination);
  const toReadable = prettyFactory({ colorize: process.stdout.isTTY, ignore: 'pid,hostname', singleLine: true });
  // Not its stream, which ends after the first line that could not be written.
  return pino(options, { write: (line) => destination.write(toReadable(line)) });
}

/** In these fields PostgreSQL quotes rows: members' files, addresses, hashes. */
function withoutRows(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { detail: _detail, where: _where, ...rest } = stdSerializers.err(error);
  return rest;
}

const MAX_UNWRITTEN_BYTES = 1024 * 1024;

/**
 * If the disk of the log is full, lines wait until there is space, and further ones are dropped. Without a listener the error would end the
 * process.
 */
function openOutput(): DestinationStream {
  const output = pino.destination({ sync: true, maxLength: MAX_UNWRITTEN_BYTES }).on('error', () => {});
  // A line that has no room starts no attempt to write those that wait. An empty one does.
  return output.on('drop', () => output.write(''));
}

const TOO_MANY = ERROR_STATUS.rate_limited;

/** One line per response. Probes, static files and rate-limited requests are logged at debug level. */
export function useRequestLog(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  app.addHook('onResponse', async (request, reply) => {
    const quiet = /^\/(healthz|readyz|metrics|assets\/)/.test(request.url) || reply.statusCode === TOO_MANY;
    const level = quiet ? 'debug' : 'info';
    request.log[level]({ req: request, res: reply, ms: Math.round(reply.elapsedTime) }, 'Answered');
  });
}

export function maskSecrets(url: string): string {
  const [given = '', query] = url.split('?', 2);
  const path = given.replace(/(\/feeds\/).*/i, '$1***');
  if (!query) return path;
  const parameters = new URLSearchParams(query);
  for (const name of new Set(parameters.keys())) if (!HARMLESS_PARAMETERS.has(name)) parameters.set(name, '***');
  return `${path}?${parameters}`;
}

/** A caller may send its own id, to trace a request through several systems. */
export function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[\w-]{1,64}$/.test(given) ? given : randomUUID();
}
