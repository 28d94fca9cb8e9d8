import type { AppError } from './errors.ts';

/** Rejects after the deadline. The work itself is not cancelled. */
export async function withDeadline<T>(work: Promise<T>, ms: number, late: () => AppError): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(late()), ms);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}
