import {
  actOnVariants,
  listDeletions,
  restoreDeletion,
  type VariantActionName,
  type VariantActionResult,
} from '@brand-portal/contract/variant-actions';
import { listVariants, type VariantListQuery } from '@brand-portal/contract/variants';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { callApi } from '../../lib/api-client.ts';
import { ApiError } from '../../lib/api-error.ts';
import { brandKeys } from '../brands/brands-queries.ts';
import type { ChosenVariants } from './variant-selection.tsx';

/** Without its numbers there is nothing to tell. */
function whole<Answer>(answer: Answer | undefined): Answer {
  if (answer === undefined) throw new ApiError({ code: 'internal_error' });
  return answer;
}

export async function sendAction(
  brandId: number,
  action: VariantActionName,
  chosen: ChosenVariants,
): Promise<VariantActionResult> {
  return whole(await callApi(actOnVariants, { params: { brandId }, body: { action, ...chosen } }));
}

export function useDeleteVariants(brandId: number) {
  const queryClient = useQueryClient();
  return useMutation({
    // After what was asked for before, such as publishing some of them.
    scope: { id: `publishing-${brandId}` },
    mutationFn: (chosen: ChosenVariants) => sendAction(brandId, 'delete', chosen),
    onSettled: () => queryClient.invalidateQueries({ queryKey: brandKeys.detail(brandId) }),
  });
}

export function useRestoreDeletion(brandId: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (deletionId: number) =>
      whole(await callApi(restoreDeletion, { params: { brandId, deletionId } })),
    onSettled: () => queryClient.invalidateQueries({ queryKey: brandKeys.detail(brandId) }),
  });
}

/** Of the last 30 days. */
export function deletionsQuery(brandId: number) {
  return queryOptions({
    queryKey: [...brandKeys.detail(brandId), 'deletions'],
    queryFn: ({ signal }) => callApi(listDeletions, { params: { brandId }, signal }),
    staleTime: 0,
  });
}

/** How many variants of the brand match a filter, and how many of those are published. */
export function variantTotalsQuery(brandId: number, filter: VariantListQuery = {}) {
  return queryOptions({
    queryKey: [...brandKeys.detail(brandId), 'variant-totals', filter],
    queryFn: async ({ signal }) => {
      const count = async (query: VariantListQuery) =>
        (await callApi(listVariants, { params: { brandId }, query: { ...query, page_size: 1 }, signal })).count;
      const isOnlyUnpublished = filter.published === false;
      const [total, published] = await Promise.all([
        count(filter),
        isOnlyUnpublished ? 0 : count({ ...filter, published: true }),
      ]);
      return { total, published };
    },
    staleTime: 0,
  });
}
