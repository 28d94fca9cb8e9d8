import { DEFAULT_FRESHNESS_MS } from '@brand-portal/contract/constants';
import { type FetchQueryOptions, type Query, QueryClient, type QueryKey } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';
import { isRefusal, retryDelay, shouldRetry } from './retry.ts';

/**
 * A refusal (4xx) is an answer and stays fresh as long as any other: until then it is not refetched, neither when
 * another component mounts nor when the window gets the focus.
 */
function mayRefetch({ state: { error, errorUpdatedAt } }: Query): boolean {
  // A rate limit is temporary.
  const isTemporary = error instanceof ApiError && error.code === 'rate_limited';
  return !isRefusal(error) || isTemporary || Date.now() - errorUpdatedAt >= DEFAULT_FRESHNESS_MS;
}

/** For answers that should be current: long enough that the page uses what was prefetched for it. */
export const SHORT_FRESHNESS_MS = 5_000;

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: shouldRetry,
        retryDelay,
        retryOnMount: mayRefetch,
        refetchOnMount: mayRefetch,
        refetchOnWindowFocus: mayRefetch,
        refetchOnReconnect: mayRefetch,
        staleTime: DEFAULT_FRESHNESS_MS,
        // Offline, a call should fail with a message; by default it would be paused without one.
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

/** Starts a query before anything shows it. Not again if it has failed meanwhile: the page decides about that. */
export function startQuery<Answer, Key extends QueryKey>(
  queryClient: QueryClient,
  options: FetchQueryOptions<Answer, Error, Answer, Key>,
): void {
  if (!queryClient.getQueryState(options.queryKey)) void queryClient.prefetchQuery(options);
}

const MAX_WAIT_MS = 3_000;

/** Runs work after the page's first calls are answered, for large code that is not urgent. Returns a function that cancels it. */
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
