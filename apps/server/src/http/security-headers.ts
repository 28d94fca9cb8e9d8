import type { FastifyInstance } from 'fastify';
import helmet from 'helmet';
import type { Config } from '../config.ts';

/** The API sends data, never something to run: its answers may load nothing at all. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** For answers that are sent without hooks. */
export const BARE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': DATA_POLICY,
  'cache-control': 'no-store',
};

/** Helmet itself and not its Fastify plugin, which puts all of this together again for every request. */
export function useSecurityHeaders(app: FastifyInstance, config: Pick<Config, 'publicUrl'>): void {
  const setHeaders = helmet({
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    strictTransportSecurity: config.publicUrl.startsWith('https:'),
    referrerPolicy: { policy: 'same-origin' },
    xFrameOptions: { action: 'deny' },
    // Pages in sandboxed frames cannot follow it, and browsers then complain about the rest of the site.
    originAgentCluster: false,
    // Sign-in at a provider on another origin must be able to come back to this window.
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
  });
  app.addHook('onRequest', (request, reply, done) => {
    // What a member sees is kept by no browser and no proxy, unless a route says otherwise.
    if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store');
    setHeaders(request.raw, reply.raw, () => done());
  });
}

/** Pages run our own scripts only; the nonce lets libraries add the few styles that they must. */
export function pagePolicy(nonce: string, providerOrigin: string | undefined): string {
  const provider = providerOrigin ? ` ${providerOrigin}` : '';
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    // Brands name their logos by address, wherever those lie.
    "img-src 'self' data: https: http:",
    "font-src 'self'",
    `connect-src 'self'${provider}`,
    `frame-src 'self'${provider}`,
    "manifest-src 'self'",
    `form-action 'self'${provider}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
