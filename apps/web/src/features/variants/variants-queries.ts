import { listVariants, type VariantPage } from '@brand-portal/contract/variants';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { callApi } from '../../lib/api-client.ts';
import { brandKeys } from '../brands/brands-queries.ts';
import { toListQuery, type VariantsView } from './variants-view.ts';

/** Below the brand they belong to: whatever makes all of its variants stale names `ofBrand`. */
const variantKeys = {
  ofBrand: (brandId: number) => [...brandKeys.detail(brandId), 'variants'] as const,
};

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
    // Without it a call made offline would wait for the network in silence.
    networkMode: 'always',
  });
}
