import {
  type CertificateDetail,
  getCertificateDetail,
  replaceCertificate,
  updateCertificate,
} from '@brand-portal/contract/certificate-detail';
import {
  countCertifiedVariants,
  deleteBrandCertification,
  exportCertificates,
  type ListedCertificationAnswer,
  listBrandCertifications,
  listCatalogue,
} from '@brand-portal/contract/certificates';
import { CATALOGUE_FRESHNESS_MS } from '@brand-portal/contract/constants';
import { type CoverageAnswer, exportCoverage, getCoverage } from '@brand-portal/contract/coverage';
import type { BodyOf } from '@brand-portal/contract/endpoint';
import { hashKey, keepPreviousData, type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query';
import { callApi } from '../../lib/api-client.ts';
import { download, type ExportList } from '../../lib/download.ts';
import { refreshAfter } from '../../lib/refresh-after.ts';
import { useSingleMutation } from '../../lib/use-single-mutation.ts';
import { brandKeys, useRefreshBrand } from '../brands/brands-queries.ts';
import { isUnchecked } from './certificate-reason.exported.tsx';
import { arrangeCertificates, type CertificatesView, toExportQuery, toListQuery } from './certificates-view.ts';

/**
 * A brand's certificates are below the brand's key: invalidating the brand, as after an import, includes them. The
 * catalogue is shared by all brands.
 */
const certificateKeys = {
  ofBrand: (brandId: number) => [...brandKeys.detail(brandId), 'certificates'] as const,
  lists: (brandId: number) => [...certificateKeys.ofBrand(brandId), 'list'] as const,
  detail: (brandId: number, certificateId: number) => [...certificateKeys.ofBrand(brandId), 'detail', certificateId] as const,
  catalogue: ['certifications'] as const,
};

export interface CertificateList {
  results: ListedCertificationAnswer[];
  count: number;
  view: CertificatesView;
}

export function certificateListQuery(brandId: number, view: CertificatesView) {
  const query = toListQuery(view);
  return queryOptions({
    queryKey: [...certificateKeys.lists(brandId), query],
    // Includes the view it answers: the list may be shown while another view is loading.
    queryFn: async ({ signal }): Promise<CertificateList> => {
      const answer = await callApi(listBrandCertifications, { params: { brandId }, query, signal });
      const list = Array.isArray(answer) ? arrangeCertificates(answer, view) : answer;
      return { ...list, view };
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      refreshAfter(state, ({ results }) => results.some(({ overall_status: status, reason }) => isUnchecked({ status, reason }))),
  });
}

/** Exports the filtered list, all pages of it. */
export function exportShownCertificates(brandId: number, view: CertificatesView, rows: number | undefined): ExportList {
  return (format, under) =>
    download(
      exportCertificates,
      { params: { brandId }, query: { format, apostrophe: true, ...toExportQuery(view) } },
      { ...under, fileName: `certificates.${format}`, rows },
    );
}

export function certificateDetailQuery(brandId: number, certificateId: number) {
  return queryOptions({
    queryKey: certificateKeys.detail(brandId, certificateId),
    queryFn: ({ signal }): Promise<CertificateDetail> => callApi(getCertificateDetail, { params: { brandId, certificateId }, signal }),
    // Somebody may have changed it since.
    staleTime: 0,
    refetchInterval: ({ state }) =>
      refreshAfter(
        state,
        ({ overall_status: status, reason, sending_variants: sending }) => isUnchecked({ status, reason }) || sending > 0,
      ),
  });
}

/**
 * Refetches everything of the brand except a removed certificate: its panel may still be closing, and so may the dialog,
 * which would say that no variant loses it.
 */
function refreshBrandWithout(queryClient: QueryClient, brandId: number, certificateId: number): void {
  const { queryKey: variants } = certifiedVariantsQuery(brandId, certificateId);
  const gone = [certificateKeys.detail(brandId, certificateId), variants].map((key) => hashKey(key));
  const predicate = ({ queryHash }: { queryHash: string }) => !gone.includes(queryHash);
  void queryClient.invalidateQueries({ queryKey: brandKeys.detail(brandId), predicate });
}

/** The panel shows the answer at once; lists and variants are refetched. */
export function useReplaceCertificate(brandId: number, certificateId: number) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: (body: BodyOf<typeof replaceCertificate>) => callApi(replaceCertificate, { params: { brandId, certificateId }, body }),
    onSuccess: (renewed) => {
      if (renewed) queryClient.setQueryData(certificateKeys.detail(brandId, renewed.id), renewed);
      refreshBrandWithout(queryClient, brandId, certificateId);
    },
    onError: useRefreshBrand(brandId),
  });
}

/** The panel shows the answer at once; the server sends the variants to the channel again. */
export function useUpdateCertificate(brandId: number, certificateId: number) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: (link: string) => callApi(updateCertificate, { params: { brandId, certificateId }, body: { link } }),
    onSuccess: (updated) => {
      if (updated) queryClient.setQueryData(certificateKeys.detail(brandId, certificateId), updated);
      refreshBrandWithout(queryClient, brandId, certificateId);
    },
    onError: useRefreshBrand(brandId),
  });
}

/** The variants that lose a certificate if it is removed. */
export function certifiedVariantsQuery(brandId: number, certificateId: number) {
  return queryOptions({
    queryKey: [...certificateKeys.ofBrand(brandId), certificateId, 'variants'],
    queryFn: ({ signal }) => callApi(countCertifiedVariants, { params: { brandId, certificateId }, signal }),
    staleTime: 0,
  });
}

/** The row disappears with the answer; variants, which show it too, are refetched. */
export function useRemoveCertificate(brandId: number) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: (certificateId: number) => callApi(deleteBrandCertification, { params: { brandId, certificateId } }),
    onSuccess: (_answer, certificateId) => {
      queryClient.setQueriesData<CertificateList>({ queryKey: certificateKeys.lists(brandId) }, (list) => {
        const results = list?.results.filter(({ id }) => id !== certificateId);
        if (!list || !results || results.length === list.results.length) return list;
        return { ...list, results, count: list.count - 1 };
      });
      refreshBrandWithout(queryClient, brandId, certificateId);
    },
    onError: useRefreshBrand(brandId),
  });
}

/** The certifications that an import may use. */
export function catalogueQuery() {
  return queryOptions({
    queryKey: certificateKeys.catalogue,
    queryFn: ({ signal }) => callApi(listCatalogue, { signal }),
    staleTime: CATALOGUE_FRESHNESS_MS,
    // Cached as long as it is fresh, even while no dialog uses it.
    gcTime: CATALOGUE_FRESHNESS_MS,
  });
}

/** A large brand whose coverage is counted for the first time. */
export const isNotCounted = ({ counted_at }: CoverageAnswer) => counted_at === null;

export function coverageQuery(brandId: number) {
  return queryOptions({
    queryKey: [...brandKeys.detail(brandId), 'coverage'],
    queryFn: ({ signal }) => callApi(getCoverage, { params: { brandId }, signal }),
    refetchInterval: ({ state }) => refreshAfter(state, isNotCounted),
  });
}

export function exportMissing(brandId: number, rows: number): ExportList {
  return (format, under) =>
    download(
      exportCoverage,
      { params: { brandId }, query: { format, apostrophe: true } },
      { ...under, fileName: `coverage.${format}`, rows },
    );
}
