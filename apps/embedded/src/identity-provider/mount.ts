import { AppError } from '@brand-portal/server/lib/errors.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type Provider from 'oidc-provider';
import { requireOwnHost } from '../callers.ts';
import { MOUNT_PATH, ROUTES } from './paths.ts';

const PROTOCOL_ROUTES = [
  // Each call creates a record in the database.
  { url: ROUTES.authorization, method: ['GET'], config: { isCostly: true } },
  { url: `${ROUTES.authorization}/:uid`, method: ['GET'] },
  { url: ROUTES.token, method: ['POST', 'OPTIONS'] },
  { url: ROUTES.userinfo, method: ['GET', 'POST', 'OPTIONS'] },
  { url: ROUTES.jwks, method: ['GET', 'OPTIONS'] },
  { url: '/.well-known/openid-configuration', method: ['GET', 'OPTIONS'] },
];

/** Three times what the portal's own sign-in sends. The URL is stored until the sign-in ends. */
const MAX_ADDRESS_LENGTH = 3_000;

/**
 * The library builds URLs from the host and scheme of the request. Requests with another host are refused, and the library always sees the
 * public URL, also behind a proxy that terminates TLS, whatever that proxy forwards.
 */
export function usePublicAddressOnly(app: FastifyInstance, publicUrl: string): void {
  const { host, protocol } = new URL(publicUrl);
  app.addHook('onRequest', async (request) => {
    requireOwnHost(request, { what: 'Sign-in', address: publicUrl });
    // PostgreSQL cannot store NUL, and parts of the URL may be stored.
    if (request.url.length > MAX_ADDRESS_LENGTH) throw new AppError('malformed_request', 'The address is too long.');
    if (request.url.includes('%00')) throw new AppError('malformed_request', 'The address has a NUL character.');
    request.raw.headers['x-forwarded-host'] = host;
    request.raw.headers['x-forwarded-proto'] = protocol.slice(0, -1);
  });
}

/** Passes the protocol's routes to the library, which reads bodies and writes responses itself. */
export function registerProtocol(app: FastifyInstance, provider: Provider): void {
  const answer = provider.callback();
  app.removeAllContentTypeParsers();
  // The library reads the body from the socket.
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));

  const handOver = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.hijack();
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) reply.raw.setHeader(name, value);
    }
    const originalUrl = request.raw.url ?? '';
    const url = originalUrl.slice(MOUNT_PATH.length);
    // Resuming a sign-in takes no parameters, and some of them make the library fail.
    const isResuming = request.routeOptions.url?.endsWith('/:uid');
    const raw = Object.assign(request.raw, { originalUrl, url: isResuming ? url.split('?', 1)[0] : url });
    // The request log reads the URL after the response, in a listener that was added before this one.
    reply.raw.prependOnceListener('finish', () => {
      raw.url = originalUrl;
    });
    await answer(raw, reply.raw);
  };
  for (const route of PROTOCOL_ROUTES) {
    app.route({ ...route, schema: { hide: true }, exposeHeadRoute: false, handler: handOver });
  }
}
