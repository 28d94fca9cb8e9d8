import type { FastifyInstance } from 'fastify';
import helmet from 'helmet';
import type { Config } from '../lib/config.ts';

/** API responses are data, so they may load nothing. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** For responses that are sent without hooks. */
export const BARE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': DATA_POLICY,
  'cache-control': 'no-store',
};

/** Uses helmet directly: its Fastify plugin builds all headers again for every request. */
export function useSecurityHeaders(app: FastifyInstance, config: Pick<Config, 'publicUrl'>): void {
  const setHeaders = helmet({
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    strictTransportSecurity: config.publicUrl.startsWith('https:'),
    referrerPolicy: { policy: 'same-origin' },
    xFrameOptions: { action: 'deny' },
    // Sandboxed frames cannot comply with it, and browsers then log errors for the rest of the site.
    originAgentCluster: false,
    // A popup for sign-in at another origin must keep its reference to this window.
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
  });
  app.addHook('onRequest', (request, reply, done) => {
    // Neither browsers nor proxies may store members' data, unless a route allows it.
    if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store');
    setHeaders(request.raw, reply.raw, () => done());
  });
}

/** Pages run only our own scripts. The nonce allows the few styles that libraries add. */
export function pagePolicy(nonce: string, providerOrigin: string | undefined): string {
  const provider = providerOrigin ? ` ${providerOrigin}` : '';
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    // A brand's logo may be at any URL.
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
