import {
  CERTIFICATE_FILTERS,
  CERTIFICATE_ORDERINGS,
  type CertificateColumn,
  type CertificateFilter,
  type CertificateListQuery,
  type CertificateOrdering,
  type ListedCertificationAnswer,
} from '@brand-portal/contract/certificates';
import { type ListView, listAddress, oneOf, useListView } from '../../lib/list-view.ts';

type CertificateFilters = {
  status: CertificateFilter | 'all';
  /** Empty: problems first. */
  ordering: CertificateOrdering | '';
};

/** The part of the brand's certificates that the page shows. */
export type CertificatesView = ListView & CertificateFilters;

const address = listAddress<CertificateFilters>((params) => ({
  status: oneOf<CertificatesView['status']>(CERTIFICATE_FILTERS, params.get('status'), 'all'),
  ordering: oneOf<CertificatesView['ordering']>(CERTIFICATE_ORDERINGS, params.get('ordering'), ''),
}));

export const useCertificatesView = () => useListView(address);

/** The whole list, without paging. */
export function toExportQuery({ search, status, ordering }: CertificatesView) {
  return {
    ...(search === '' ? {} : { search }),
    ...(status === 'all' ? {} : { status }),
    ...(ordering === '' ? {} : { ordering }),
  };
}

export function toListQuery(view: CertificatesView): CertificateListQuery {
  return { page: view.page, page_size: view.pageSize, ...toExportQuery(view) };
}

/** Whether a search or filter is set. */
export function isNarrowed({ search, status }: CertificatesView): boolean {
  return search !== '' || status !== 'all';
}

/** The visible texts of a row, without case and accents. */
function toSearchKey(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

/** For a server that can only list all certificates: searches, filters, sorts and pages in the browser. */
export function arrangeCertificates(
  certificates: readonly ListedCertificationAnswer[],
  { search, status, ordering, page, pageSize }: CertificatesView,
): { results: ListedCertificationAnswer[]; count: number } {
  const words = toSearchKey(search).split(/\s+/).filter(Boolean);
  const found = certificates.filter((certificate) => {
    const { certificate_id, certifying_body_name, certification_name, overall_status } = certificate;
    const key = toSearchKey(`${certificate_id} ${certifying_body_name} ${certification_name}`);
    return (status === 'all' || overall_status === status) && words.every((word) => key.includes(word));
  });
  if (ordering !== '') {
    const column = ordering.replace(/^-/, '') as CertificateColumn;
    const sign = ordering.startsWith('-') ? -1 : 1;
    // Numeric: CU-9 before CU-10.
    const { compare } = new Intl.Collator(undefined, { numeric: true });
    found.sort((a, b) => sign * compare(a[column] ?? '', b[column] ?? ''));
  }
  return { results: found.slice((page - 1) * pageSize, page * pageSize), count: found.length };
}
