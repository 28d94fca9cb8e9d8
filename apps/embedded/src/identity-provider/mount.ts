import { AppError } from '@brand-portal/server/errors.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type Provider from 'oidc-provider';
import { requireOwnHost } from '../callers.ts';
import { MOUNT_PATH } from './cookies.ts';
import { ROUTES } from './provider-configuration.ts';

const PROTOCOL_ROUTES = [
  // Each of these is a record in the database.
  { url: ROUTES.authorization, method: ['GET'], config: { isCostly: true } },
  { url: `${ROUTES.authorization}/:uid`, method: ['GET'] },
  { url: ROUTES.token, method: ['POST', 'OPTIONS'] },
  { url: ROUTES.userinfo, method: ['GET', 'POST', 'OPTIONS'] },
  { url: ROUTES.revocation, method: ['POST', 'OPTIONS'] },
  { url: ROUTES.jwks, method: ['GET', 'OPTIONS'] },
  { url: '/.well-known/openid-configuration', method: ['GET', 'OPTIONS'] },
];

/** Three times what the portal's own sign-in sends; what is in an address is stored until the sign-in is over. */
const MAX_ADDRESS_LENGTH = 3_000;

/**
 * The library builds addresses from what the request claims its host and scheme to be. A foreign claim is refused,
 * and the public address is what the library sees in any case: also behind a proxy that ends TLS, and whatever that
 * proxy forwards.
 */
export function usePublicAddressOnly(app: FastifyInstance, publicUrl: string): void {
  const { host, protocol } = new URL(publicUrl);
  app.addHook('onRequest', async (request) => {
    requireOwnHost(request, { what: 'Sign-in', address: publicUrl });
    // PostgreSQL cannot keep it, and what the address says may end up in a record.
    if (request.url.length > MAX_ADDRESS_LENGTH) throw new AppError('malformed_request', 'The address is too long.');
    if (request.url.includes('%00')) throw new AppError('malformed_request', 'The address has a NUL character.');
    request.raw.headers['x-forwarded-host'] = host;
    request.raw.headers['x-forwarded-proto'] = protocol.slice(0, -1);
  });
}

/** Hands the protocol's own routes to the library, which reads bodies and writes answers itself. */
export function registerProtocol(app: FastifyInstance, provider: Provider): void {
  const answer = provider.callback();
  app.removeAllContentTypeParsers();
  // The library wants the body as it comes from the socket.
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));

  const handOver = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.hijack();
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) reply.raw.setHeader(name, value);
    }
    const originalUrl = request.raw.url ?? '';
    const url = originalUrl.slice(MOUNT_PATH.length);
    // Going on with a sign-in takes no parameters, and the library stumbles over some of them.
    const isResuming = request.routeOptions.url?.endsWith('/:uid');
    const raw = Object.assign(request.raw, { originalUrl, url: isResuming ? url.split('?', 1)[0] : url });
    // The request log reads the address when the answer is out, in a listener that was added before this one.
    reply.raw.prependOnceListener('finish', () => {
      raw.url = originalUrl;
    });
    await answer(raw, reply.raw);
  };
  for (const route of PROTOCOL_ROUTES) {
    app.route({ ...route, schema: { hide: true }, exposeHeadRoute: false, handler: handOver });
  }
}
