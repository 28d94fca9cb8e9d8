import { type BrandCertification, listBrandCertifications, listCatalogue } from '@brand-portal/contract/certificates';
import { CATALOGUE_FRESHNESS_MS } from '@brand-portal/contract/constants';
import { queryOptions } from '@tanstack/react-query';
import { callApi } from '../../lib/api-client.ts';
import { brandKeys } from '../brands/brands-queries.ts';

/** A validation takes a moment after its import. */
const CHECK_EVERY_MS = 3_000;

/** A brand's certificates hang below the brand: what makes the brand stale, such as an import, includes them. The catalogue is everybody's. */
const certificateKeys = {
  ofBrand: (brandId: number) => [...brandKeys.detail(brandId), 'certificates'] as const,
  catalogue: ['certifications'] as const,
};

export function brandCertificatesQuery(brandId: number) {
  return queryOptions({
    queryKey: certificateKeys.ofBrand(brandId),
    queryFn: ({ signal }) => callApi(listBrandCertifications, { params: { brandId }, signal }),
    refetchInterval: ({ state }) => state.data?.some(isUnchecked) && CHECK_EVERY_MS,
  });
}

function isUnchecked({ overall_status, reason }: BrandCertification): boolean {
  return overall_status === 'pending' && reason === '';
}

/** The certifications that an import may name. */
export function catalogueQuery() {
  return queryOptions({
    queryKey: certificateKeys.catalogue,
    queryFn: ({ signal }) => callApi(listCatalogue, { signal }),
    staleTime: CATALOGUE_FRESHNESS_MS,
  });
}
