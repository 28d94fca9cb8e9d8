import type { FastifyInstance } from 'fastify';

/** Far longer than 256 KiB take on a slow phone. Uploads have limits of their own. */
const BODY_DEADLINE_MS = 30_000;

interface BodyOptions {
  readonly deadlineMs?: number;
}

/**
 * How bodies are read. Clients send `content-type: application/json` with every call, so an empty body is no body. And a body
 * that only drips must not hold its connection for as long as an upload may take.
 */
export function useBodies(app: FastifyInstance, { deadlineMs = BODY_DEADLINE_MS }: BodyOptions = {}): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else parseJson(request, body as string, done);
  });

  app.addHook('onRequest', async ({ raw, headers }, reply) => {
    const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
    if (!hasBody || headers['content-type']?.startsWith('multipart/')) return;
    const late = setTimeout(() => {
      if (!raw.complete) raw.destroy();
    }, deadlineMs);
    reply.raw.once('close', () => clearTimeout(late));
  });
}
