import { listReviews, type ReviewMany, type ReviewQueue, reviewMany } from '@brand-portal/contract/reviews';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { callApi } from '../../lib/api-client.ts';

export function reviewsQuery() {
  return queryOptions({
    queryKey: ['reviews'],
    queryFn: ({ signal }): Promise<ReviewQueue> => callApi(listReviews, { signal }),
    // Others decide too.
    staleTime: 0,
  });
}

/** Done when the queue has been read again: it may hold others now. */
export function useReviewMany() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: ReviewMany) => callApi(reviewMany, { body }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: reviewsQuery().queryKey }),
  });
}
