import { getAttention, getReadiness, listAttention } from '@brand-portal/contract/attention';
import { dismissImports, type ImportNotice } from '@brand-portal/contract/import';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { callApi } from '../../lib/api-client.ts';
import { SHORT_FRESHNESS_MS } from '../../lib/query-client.ts';
import { useSingleMutation } from '../../lib/use-single-mutation.ts';
import { brandKeys } from '../brands/brands-queries.ts';

/** Its key is below the brand's: invalidating the brand, as after an upload, includes it. */
export function attentionQuery(brandId: number) {
  return queryOptions({
    queryKey: [...brandKeys.detail(brandId), 'attention'],
    queryFn: ({ signal }) => callApi(getAttention, { params: { brandId }, signal }),
    staleTime: 0,
  });
}

/** Of all variants of the brand, or of one. */
export function readinessQuery(brandId: number, variantId: number | undefined) {
  const query = variantId === undefined ? {} : { variant_id: variantId };
  return queryOptions({
    queryKey: [...brandKeys.detail(brandId), 'readiness', query],
    queryFn: ({ signal }) => callApi(getReadiness, { params: { brandId }, query, signal }),
    staleTime: 0,
  });
}

/** Its key is below that of the list: it changes with every brand that is joined, left, deleted or restored. */
export function ownAttentionQuery() {
  return queryOptions({
    queryKey: [...brandKeys.list(), 'attention'],
    queryFn: ({ signal }) => callApi(listAttention, { signal }),
    staleTime: SHORT_FRESHNESS_MS,
    // The dashboard waits for it and works without it, so it must fail fast.
    retry: false,
  });
}

/** Takes the imports off what needs attention. */
export function useDismissImports(brandId: number, notice: ImportNotice) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: (ids: number[]) => callApi(dismissImports, { params: { brandId }, body: { notice, ids } }),
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: ownAttentionQuery().queryKey });
      return queryClient.invalidateQueries({ queryKey: brandKeys.detail(brandId) });
    },
  });
}
