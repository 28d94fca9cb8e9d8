import {
  addVariantCertificate,
  createVariant,
  getVariantDetail,
  removeVariantCertificate,
  updateVariant,
  type VariantDetail,
} from '@brand-portal/contract/variant-detail';
import type { EditableField } from '@brand-portal/contract/variant-fields';
import type { VariantAnswer } from '@brand-portal/contract/variants';
import { type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query';
import { callApi } from '../../lib/api-client.ts';
import { refreshAfter } from '../../lib/refresh-after.ts';
import { useSingleMutation } from '../../lib/use-single-mutation.ts';
import { brandKeys, useRefreshBrand } from '../brands/brands-queries.ts';
import { isInProgress, type VariantList, variantKeys } from './variants-queries.ts';

export function variantDetailQuery(brandId: number, variantId: number) {
  return queryOptions({
    queryKey: variantKeys.detail(brandId, variantId),
    queryFn: ({ signal }): Promise<VariantDetail> => callApi(getVariantDetail, { params: { brandId, variantId }, signal }),
    // Somebody may have changed it since.
    staleTime: 0,
    refetchInterval: ({ state }) => refreshAfter(state, isInProgress),
  });
}

export type VariantValues = Record<EditableField | 'gtin', string>;

interface Saved {
  /** Absent: adds a variant. */
  variant: { readonly id: number; readonly version: number } | undefined;
  values: Partial<VariantValues>;
}

export function useSaveVariant(brandId: number) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: ({ variant, values: { gtin = '', ...fields } }: Saved) =>
      variant
        ? callApi(updateVariant, {
            params: { brandId, variantId: variant.id },
            body: { version: variant.version, ...fields },
          })
        : callApi(createVariant, { params: { brandId }, body: { gtin, name: '', ...fields } }),
    onSuccess: (detail) => showAnswer(queryClient, brandId, detail),
    onError: useRefreshBrand(brandId),
  });
}

/** The panel shows the answer at once, and the row its name; other affected data is refetched. */
function showAnswer(queryClient: QueryClient, brandId: number, detail: VariantDetail | undefined): void {
  if (detail) {
    queryClient.setQueryData(variantKeys.detail(brandId, detail.id), detail);
    const update = (row: VariantAnswer) => (row.id === detail.id ? { ...row, name: detail.name } : row);
    queryClient.setQueriesData<VariantList>(
      { queryKey: variantKeys.lists(brandId) },
      (list) => list && { ...list, results: list.results.map(update) },
    );
  }
  void queryClient.invalidateQueries({ queryKey: brandKeys.detail(brandId) });
}

export function useAddVariantCertificate(brandId: number, variantId: number) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: (body: { certification_name: string; certificate_id: string }) =>
      callApi(addVariantCertificate, { params: { brandId, variantId }, body }),
    onSuccess: (detail) => showAnswer(queryClient, brandId, detail),
    onError: useRefreshBrand(brandId),
  });
}

export function useRemoveVariantCertificate(brandId: number, variantId: number) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: (certificateId: number) => callApi(removeVariantCertificate, { params: { brandId, variantId, certificateId } }),
    onSuccess: (_answer, certificateId) => {
      queryClient.setQueryData<VariantDetail>(
        variantKeys.detail(brandId, variantId),
        (detail) => detail && { ...detail, certificates: detail.certificates.filter(({ id }) => id !== certificateId) },
      );
      void queryClient.invalidateQueries({ queryKey: brandKeys.detail(brandId) });
    },
    onError: useRefreshBrand(brandId),
  });
}
