import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Far longer than 256 KiB take on a slow connection. */
const BODY_DEADLINE_MS = 30_000;

interface BodyOptions {
  readonly deadlineMs?: number;
}

const deadlines = new WeakMap<FastifyRequest, NodeJS.Timeout>();

/** For uploads, which have their own limits. */
export function allowSlowBody(request: FastifyRequest): void {
  clearTimeout(deadlines.get(request));
}

/**
 * How bodies are read. Clients send `content-type: application/json` with every call, so an empty body is accepted as none. A body that is
 * sent very slowly must not hold its connection as long as an upload may, even after the response.
 */
export function useBodies(app: FastifyInstance, { deadlineMs = BODY_DEADLINE_MS }: BodyOptions = {}): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else parseJson(request, body as string, done);
  });

  app.addHook('onRequest', async (request) => {
    const { raw, headers } = request;
    const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
    if (!hasBody) return;
    const late = setTimeout(() => {
      if (!raw.complete) raw.destroy();
    }, deadlineMs).unref();
    deadlines.set(request, late);
    raw.once('end', () => clearTimeout(late));
  });
}
