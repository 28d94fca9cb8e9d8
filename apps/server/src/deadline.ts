import type { AppError } from './errors.ts';

/** The work goes on if it is late, but nobody waits for it any longer. */
export async function withDeadline<T>(work: Promise<T>, ms: number, late: () => AppError): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(late()), ms);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}
