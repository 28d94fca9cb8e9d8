import { listReviews, type ReviewMany, type ReviewQueue, reviewMany } from '@brand-portal/contract/reviews';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { callApi } from '../../lib/api-client.ts';
import { useSingleMutation } from '../../lib/use-single-mutation.ts';

export function reviewsQuery() {
  return queryOptions({
    queryKey: ['reviews'],
    queryFn: ({ signal }): Promise<ReviewQueue> => callApi(listReviews, { signal }),
    // Other staff decide too.
    staleTime: 0,
  });
}

/** Resolves after the queue is refetched: it may have other certificates now. */
export function useReviewMany() {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: (body: ReviewMany) => callApi(reviewMany, { body }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: reviewsQuery().queryKey }),
  });
}
