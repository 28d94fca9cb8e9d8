import { listVariants, type ProductVariant, type VariantPage } from '@brand-portal/contract/variants';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { callApi } from '../../lib/api-client.ts';
import { brandKeys } from '../brands/brands-queries.ts';
import { toListQuery, type VariantsView } from './variants-view.ts';

/** Below the brand they belong to: whatever makes all of its variants stale names `ofBrand`. */
export const variantKeys = {
  ofBrand: (brandId: number) => [...brandKeys.detail(brandId), 'variants'] as const,
};

/**
 * How often a list is read again while the channel has not had its last word on one of its rows: often for a minute after
 * something changed, then seldom. Google takes a quarter of an hour, and where no channel is set up the rows wait forever.
 */
const CHANNEL_REFRESH_MS = { lively: 5_000, quiet: 60_000 };
const LIVELY_FOR_MS = 60_000;
const isUnderWay = ({ channel }: ProductVariant) =>
  channel !== null && ['queued', 'sent', 'removing'].includes(channel.state);

/** When each answer came first: the query keeps the same object for as long as a new answer says the same. */
const firstSeen = new WeakMap<VariantList, number>();

function refreshAfter(list: VariantList | undefined): number | false {
  if (!list?.results.some(isUnderWay)) return false;
  const since = firstSeen.get(list) ?? Date.now();
  firstSeen.set(list, since);
  return Date.now() - since < LIVELY_FOR_MS ? CHANNEL_REFRESH_MS.lively : CHANNEL_REFRESH_MS.quiet;
}

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
    refetchInterval: ({ state }) => refreshAfter(state.data),
  });
}
