import { DEFAULT_FRESHNESS_MS } from '@brand-portal/contract/constants';
import { type Query, QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';
import { isRefusal, retryDelay, shouldRetry } from './retry.ts';

/**
 * A refusal is an answer, and fresh for as long as any other: until then nothing asks again by itself, neither another
 * part of the page that shows the same nor a window that comes back.
 */
function mayAskAgain({ state: { error, errorUpdatedAt } }: Query): boolean {
  // Too many requests pass by themselves.
  const isPassing = error instanceof ApiError && error.code === 'rate_limited';
  return !isRefusal(error) || isPassing || Date.now() - errorUpdatedAt >= DEFAULT_FRESHNESS_MS;
}

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: shouldRetry,
        retryDelay,
        retryOnMount: mayAskAgain,
        refetchOnMount: mayAskAgain,
        refetchOnWindowFocus: mayAskAgain,
        refetchOnReconnect: mayAskAgain,
        staleTime: DEFAULT_FRESHNESS_MS,
        // Offline, a call fails and says so; the default would wait in silence for the connection.
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

const MAX_WAIT_MS = 3_000;

/** Once the page's first calls are answered: for code that is large and can wait. Tells how to give it up. */
export function afterFirstAnswers(queryClient: QueryClient, work: () => void): () => void {
  const stop = () => {
    clearTimeout(timer);
    unsubscribe();
  };
  const begin = () => {
    stop();
    work();
  };
  const timer = setTimeout(begin, MAX_WAIT_MS);
  const unsubscribe = queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (type === 'updated' && query.state.fetchStatus === 'idle' && queryClient.isFetching() === 0) begin();
  });
  return stop;
}
