import { AppError } from '@brand-portal/server/lib/errors.ts';
import type { FastifyRequest } from 'fastify';

/** Protects against DNS rebinding: rejects requests for a host other than our own. */
export function requireOwnHost(request: FastifyRequest, { what, address }: { what: string; address: string }): void {
  const { host, protocol } = new URL(address);
  const claimed = `${protocol}//${request.host}`;
  const isOurs = URL.canParse(claimed) && new URL(claimed).host === host;
  // A request line may contain a whole URL (`GET http://elsewhere/…`), whose host would be used.
  if (isOurs && request.url.startsWith('/')) return;
  throw new AppError('host_not_allowed', `${what} is only available at ${address}.`);
}

/**
 * For pages that only this machine may open: the mailbox, the emulator's switches. A server that listens on more than loopback, or runs
 * behind a proxy, must not expose them.
 */
export function requireLocalCaller({ socket, headers }: FastifyRequest, what: string): void {
  const isLoopback = /^(127\.|::1$|::ffff:127\.)/.test(socket.remoteAddress ?? '');
  const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
  if (!isLoopback || isForwarded) throw new AppError('permission_denied', `${what} answers on the server's own machine only.`);
}
