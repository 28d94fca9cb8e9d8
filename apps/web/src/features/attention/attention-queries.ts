import { getAttention, getReadiness, listAttention } from '@brand-portal/contract/attention';
import { queryOptions } from '@tanstack/react-query';
import { callApi } from '../../lib/api-client.ts';
import { brandKeys } from '../brands/brands-queries.ts';

/** Below the brand: whatever makes the brand stale, such as the end of an upload, includes what needs attention. */
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

export function ownAttentionQuery() {
  return queryOptions({
    queryKey: ['attention'],
    queryFn: ({ signal }) => callApi(listAttention, { signal }),
    staleTime: 0,
    // The dashboard waits for it, and does without it.
    retry: false,
  });
}
