import { listVariants, type ProductVariant, type VariantPage } from '@brand-portal/contract/variants';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { callApi } from '../../lib/api-client.ts';
import { brandKeys } from '../brands/brands-queries.ts';
import { toListQuery, type VariantsView } from './variants-view.ts';

/** Below the brand they belong to: whatever makes all of its variants stale names `ofBrand`. */
export const variantKeys = {
  ofBrand: (brandId: number) => [...brandKeys.detail(brandId), 'variants'] as const,
};

/** How often a list is read again while the channel has not had its last word on one of its rows. */
const CHANNEL_REFRESH_MS = 5_000;
const isUnderWay = ({ channel }: ProductVariant) =>
  channel !== null && ['queued', 'sent', 'removing'].includes(channel.state);

export interface VariantList extends VariantPage {
  view: VariantsView;
}

export function variantListQuery(brandId: number, view: VariantsView) {
  const query = toListQuery(view);
  return queryOptions({
    queryKey: [...variantKeys.ofBrand(brandId), 'list', query],
    // Together with what was asked: it may be shown while the answer to another question is on its way.
    queryFn: async ({ signal }): Promise<VariantList> => ({
      ...(await callApi(listVariants, { params: { brandId }, query, signal })),
      view,
    }),
    // The rows one has are better than none while the next ones are on their way.
    placeholderData: keepPreviousData,
    // Only in a tab that is looked at: that is the query client's own rule.
    refetchInterval: ({ state }) => (state.data?.results.some(isUnderWay) ? CHANNEL_REFRESH_MS : false),
    // Without it a call made offline would wait for the network in silence.
    networkMode: 'always',
  });
}
