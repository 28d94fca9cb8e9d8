import type { FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';

/** Refuses a request under a foreign name: a page of somebody else could get at the answer by giving this machine that name. */
export function requireOwnHost(request: FastifyRequest, { what, address }: { what: string; address: string }): void {
  const { host, protocol } = new URL(address);
  const claimed = `${protocol}//${request.host}`;
  const isOurs = URL.canParse(claimed) && new URL(claimed).host === host;
  // A request line may also hold a whole address (`GET http://elsewhere/…`), which would count as the host.
  if (isOurs && request.url.startsWith('/')) return;
  throw new AppError('host_not_allowed', `${what} is only available at ${address}.`);
}
