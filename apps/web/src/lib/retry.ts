import { QUERY_MAX_BACKOFF_MS, QUERY_MAX_TRIES } from '@brand-portal/contract/constants';
import { ApiError } from './api-error.ts';

const FIRST_BACKOFF_MS = 1_000;

/** A 4xx: a retry would get the same answer. */
export function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500;
}

/** `failures`: the number of failed attempts before this one, as in TanStack Query. */
export function shouldRetry(failures: number, error: unknown): boolean {
  return !isRefusal(error) && failures + 1 < QUERY_MAX_TRIES;
}

export function retryDelay(failures: number): number {
  return Math.min(FIRST_BACKOFF_MS * 2 ** failures, QUERY_MAX_BACKOFF_MS);
}

/** Retries a call outside of TanStack Query, with the same limit and backoff. */
export async function withRetries<T>(call: () => Promise<T>): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await call();
    } catch (error) {
      if (!shouldRetry(failures, error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, retryDelay(failures)));
    }
  }
}
