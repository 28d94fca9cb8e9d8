import {
  channelOf,
  countVariantStates,
  exportVariants,
  listVariants,
  type VariantAnswer,
  type VariantExportQuery,
  type VariantPageAnswer,
} from '@brand-portal/contract/variants';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { callApi } from '../../lib/api-client.ts';
import { download, type ExportList } from '../../lib/download.ts';
import { refreshAfter } from '../../lib/refresh-after.ts';
import { brandKeys } from '../brands/brands-queries.ts';
import { isUnchecked } from '../certificates/certificates-queries.ts';
import type { ChosenVariants } from './variant-selection.tsx';
import { toExportQuery, toListQuery, toStatesQuery, type VariantsView } from './variants-view.ts';

/** Below the brand they belong to: whatever makes all of its variants stale names `ofBrand`. */
export const variantKeys = {
  ofBrand: (brandId: number) => [...brandKeys.detail(brandId), 'variants'] as const,
  lists: (brandId: number) => [...variantKeys.ofBrand(brandId), 'list'] as const,
  detail: (brandId: number, variantId: number) => [...variantKeys.ofBrand(brandId), 'detail', variantId] as const,
  /** Beside the lists, because these are no lists. */
  states: (brandId: number) => [...brandKeys.detail(brandId), 'variant-states'] as const,
};

/** The channel has not had its last word on it, or a certificate has just arrived with its import. */
export const isUnderWay = (variant: VariantAnswer) =>
  ['queued', 'sent', 'removing'].includes(channelOf(variant)?.state ?? '') || variant.certifications.some(isUnchecked);

/** Selected variants. */
export interface ChosenAction {
  chosen: ChosenVariants;
  count: number;
  onDone: () => void;
}

export interface VariantList extends VariantPageAnswer {
  view: VariantsView;
}

export function variantListQuery(brandId: number, view: VariantsView) {
  const query = toListQuery(view);
  return queryOptions({
    queryKey: [...variantKeys.lists(brandId), query],
    // Together with what was asked: it may be shown while the answer to another question is on its way.
    queryFn: async ({ signal }): Promise<VariantList> => ({
      ...(await callApi(listVariants, { params: { brandId }, query, signal })),
      view,
    }),
    // The rows one has are better than none while the next ones are on their way.
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => refreshAfter(state, ({ results }) => results.some(isUnderWay)),
  });
}

/** How many of what the search and the filter let through are in each state. */
export function variantStatesQuery(brandId: number, view: VariantsView) {
  const query = toStatesQuery(view);
  return queryOptions({
    queryKey: [...variantKeys.states(brandId), query],
    queryFn: ({ signal }) => callApi(countVariantStates, { params: { brandId }, query, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    // The list does without the numbers.
    retry: false,
    refetchInterval: ({ state }) => refreshAfter(state, ({ on_its_way }) => on_its_way > 0),
  });
}

/** Saves what the list shows, all pages of it. */
export function exportShownVariants(brandId: number, view: VariantsView, rows: number | undefined): ExportList {
  return exportFilteredVariants(brandId, toExportQuery(view), rows);
}

export function exportFilteredVariants(
  brandId: number,
  filter: Omit<VariantExportQuery, 'format'>,
  rows: number | undefined,
): ExportList {
  return (format, under) =>
    download(
      exportVariants,
      { params: { brandId }, query: { format, ...filter } },
      { ...under, fileName: `product-variants.${format}`, rows },
    );
}
