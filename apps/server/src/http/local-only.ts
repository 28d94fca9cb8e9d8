import type { FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';

/**
 * For what is there for whoever sits at this machine: the mailbox, the emulator's switches. A server that is bound to more than
 * loopback, or stands behind a proxy, must not hand them to the network.
 */
export function requireLocalCaller({ socket, headers }: FastifyRequest, what: string): void {
  const isLoopback = /^(127\.|::1$|::ffff:127\.)/.test(socket.remoteAddress ?? '');
  const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
  if (!isLoopback || isForwarded)
    throw new AppError('permission_denied', `${what} answers on the server's own machine only.`);
}
