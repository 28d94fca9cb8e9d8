import {
  channelOf,
  countVariantStates,
  exportVariants,
  listVariants,
  type VariantAnswer,
  type VariantExportQuery,
  type VariantListAnswer,
} from '@brand-portal/contract/variants';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { callApi } from '../../lib/api-client.ts';
import { download, type ExportList } from '../../lib/download.ts';
import { SHORT_FRESHNESS_MS } from '../../lib/query-client.ts';
import { refreshAfter } from '../../lib/refresh-after.ts';
import { brandKeys } from '../brands/brands-queries.ts';
import { isUnchecked } from '../certificates/certificate-reason.exported.tsx';
import type { ChosenVariants } from './variant-selection.tsx';
import { toExportQuery, toListQuery, toStatesQuery, type VariantsView } from './variants-view.ts';

/** Below the brand's key; invalidating `ofBrand` includes all of its variants. */
export const variantKeys = {
  ofBrand: (brandId: number) => [...brandKeys.detail(brandId), 'variants'] as const,
  lists: (brandId: number) => [...variantKeys.ofBrand(brandId), 'list'] as const,
  detail: (brandId: number, variantId: number) => [...variantKeys.ofBrand(brandId), 'detail', variantId] as const,
  /** Not below `ofBrand`: polling the variants does not count them again. */
  states: (brandId: number) => [...brandKeys.detail(brandId), 'variant-states'] as const,
};

/** The channel has not decided about it yet, or a certificate was imported and is not validated yet. */
export const isInProgress = (variant: VariantAnswer) =>
  ['queued', 'sent', 'removing'].includes(channelOf(variant)?.state ?? '') || variant.certifications.some(isUnchecked);

/** Mutations of a brand's variants run one after the other: a deletion follows what was published before, and the last change wins. */
export const variantWritesScope = (brandId: number) => ({ id: `publishing-${brandId}` });

export interface ChosenAction {
  chosen: ChosenVariants;
  count: number;
  onDone: () => void;
}

export interface VariantList extends VariantListAnswer {
  view: VariantsView;
}

export function variantListQuery(brandId: number, view: VariantsView) {
  const query = toListQuery(view);
  return queryOptions({
    queryKey: [...variantKeys.lists(brandId), query],
    // Includes the view it answers: the list may be shown while another view is loading.
    queryFn: async ({ signal }): Promise<VariantList> => ({
      ...(await callApi(listVariants, { params: { brandId }, query, signal })),
      view,
    }),
    // Keeps the previous rows while others are loading.
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => refreshAfter(state, ({ results }) => results.some(isInProgress)),
  });
}

/** The number of variants in each state, among those that match search and filter. */
export function variantStatesQuery(brandId: number, view: VariantsView) {
  const query = toStatesQuery(view);
  return queryOptions({
    queryKey: [...variantKeys.states(brandId), query],
    queryFn: ({ signal }) => callApi(countVariantStates, { params: { brandId }, query, signal }),
    placeholderData: keepPreviousData,
    staleTime: SHORT_FRESHNESS_MS,
    // The list works without the numbers.
    retry: false,
    refetchInterval: ({ state }) => refreshAfter(state, ({ on_its_way }) => on_its_way > 0),
  });
}

/** Exports the filtered list, all pages of it. */
export function exportShownVariants(brandId: number, view: VariantsView, rows: number | undefined): ExportList {
  return exportFilteredVariants(brandId, toExportQuery(view), rows);
}

export function exportFilteredVariants(
  brandId: number,
  filter: Omit<VariantExportQuery, 'format' | 'apostrophe'>,
  rows: number | undefined,
): ExportList {
  return (format, under) =>
    download(
      exportVariants,
      { params: { brandId }, query: { format, apostrophe: true, ...filter } },
      { ...under, fileName: `product-variants.${format}`, rows },
    );
}
