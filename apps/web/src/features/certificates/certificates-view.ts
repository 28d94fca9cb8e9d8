import type { BrandCertificationAnswer } from '@brand-portal/contract/certificates';

/** Columns that the rows can be sorted by. */
type CertificateColumn = 'certificate_id' | 'certifying_body_name' | 'certification_name' | 'overall_status';

export interface CertificateSort {
  id: string;
  desc: boolean;
}

interface Narrowing {
  search: string;
  sort: CertificateSort | null;
  language: string;
}

/** What one reads in the row, without case and accents. */
function toKey(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

/** The certificates that have every word of the search somewhere, in the chosen order; otherwise in the server's. */
export function arrangeCertificates(
  certificates: readonly BrandCertificationAnswer[],
  { search, sort, language }: Narrowing,
): readonly BrandCertificationAnswer[] {
  const words = toKey(search).split(/\s+/).filter(Boolean);
  const found =
    words.length === 0
      ? certificates
      : certificates.filter(({ certificate_id, certifying_body_name, certification_name }) => {
          const key = toKey(`${certificate_id} ${certifying_body_name} ${certification_name}`);
          return words.every((word) => key.includes(word));
        });
  if (!sort) return found;
  const column = sort.id as CertificateColumn;
  // CU-9 before CU-10, and letters as the language has them.
  const { compare } = new Intl.Collator(language, { numeric: true });
  return found.toSorted((a, b) => (sort.desc ? -1 : 1) * compare(a[column], b[column]));
}
