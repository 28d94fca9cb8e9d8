import {
  type BrandCertificationAnswer,
  type CertificateColumn,
  type CertificateExportQuery,
  createCertificateSearch,
} from '@brand-portal/contract/certificates';

export interface CertificateSort {
  id: string;
  desc: boolean;
}

interface Narrowing {
  search: string;
  sort: CertificateSort | null;
  language: string;
}

/** The certificates that have every word of the search somewhere, in the chosen order; otherwise in the server's. */
export function arrangeCertificates(
  certificates: readonly BrandCertificationAnswer[],
  { search, sort, language }: Narrowing,
): readonly BrandCertificationAnswer[] {
  const found = search.trim() === '' ? certificates : certificates.filter(createCertificateSearch(search));
  if (!sort) return found;
  const column = sort.id as CertificateColumn;
  // CU-9 before CU-10, and letters as the language has them.
  const { compare } = new Intl.Collator(language, { numeric: true });
  return found.toSorted((a, b) => (sort.desc ? -1 : 1) * compare(a[column], b[column]));
}

/** The same for the server. */
export function toExportQuery({ search, sort }: Omit<Narrowing, 'language'>): Omit<CertificateExportQuery, 'format'> {
  const column = sort?.id as CertificateColumn;
  return {
    ...(search.trim() !== '' && { search }),
    ...(sort && ({ ordering: sort.desc ? `-${column}` : column } as const)),
  };
}
