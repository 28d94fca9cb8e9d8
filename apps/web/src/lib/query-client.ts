import { DEFAULT_FRESHNESS_MS, QUERY_MAX_BACKOFF_MS, QUERY_MAX_TRIES } from '@brand-portal/contract/constants';
import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';

const FIRST_BACKOFF_MS = 1_000;

/** `failures` counts the tries that failed before this one, as TanStack Query does. */
function shouldRetry(failures: number, error: Error): boolean {
  if (error instanceof ApiError && error.status >= 400 && error.status < 500) return false;
  return failures + 1 < QUERY_MAX_TRIES;
}

function retryDelay(failures: number): number {
  return Math.min(FIRST_BACKOFF_MS * 2 ** failures, QUERY_MAX_BACKOFF_MS);
}

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // Offline, a call fails and says so; the default would wait in silence for the connection.
      queries: { retry: shouldRetry, retryDelay, staleTime: DEFAULT_FRESHNESS_MS, networkMode: 'always' },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}
