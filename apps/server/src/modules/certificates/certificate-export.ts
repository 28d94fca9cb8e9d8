import {
  type CertificateColumn,
  type CertificateExportQuery,
  createCertificateSearch,
} from '@brand-portal/contract/certificates';
import type { Language } from '@brand-portal/contract/constants';
import type { Db } from '../../db/database.ts';
import { type ExportFile, toExportFile } from '../../xlsx/export-file.ts';
import {
  countCertificates,
  type ListedCertificate,
  listCertificatesById,
  listSortedIds,
} from './certificates.queries.ts';
import { readCertificates } from './certificates.ts';

const BATCH = 1_000;
const COLUMNS = {
  certificate_id: 24,
  certification_name: 28,
  certifying_body_name: 40,
  certificate_status: 16,
  certificate_reason: 28,
  certificate_expires_on: 16,
};
const SHEETS: Readonly<Record<Language, string>> = { en: 'Certificates', es: 'Certificados' };

/** What the list of certificates shows, read in batches as fast as it is downloaded. */
export async function exportCertificates(
  db: Db,
  brandId: number,
  { format, search = '', ordering }: CertificateExportQuery,
  language: Language,
): Promise<ExportFile> {
  const isFound = createCertificateSearch(search);
  const source = ordering
    ? readSorted(db, brandId, await listSortedIds(db, brandId, toOrder(ordering)))
    : readCertificates(db, brandId);
  async function* batches() {
    for await (const batch of source) yield batch.filter(isFound);
  }
  const total = search.trim() === '' ? await countCertificates(db, brandId) : undefined;
  const exported = {
    name: 'certificates',
    sheet: SHEETS[language],
    columns: COLUMNS,
    batches: batches(),
    toRows,
    total,
  };
  return toExportFile(exported, format, language);
}

function toOrder(ordering: NonNullable<CertificateExportQuery['ordering']>) {
  return { column: ordering.replace(/^-/, '') as CertificateColumn, descending: ordering.startsWith('-') };
}

async function* readSorted(db: Db, brandId: number, ids: readonly number[]): AsyncGenerator<ListedCertificate[]> {
  for (let start = 0; start < ids.length; start += BATCH) {
    const wanted = ids.slice(start, start + BATCH);
    const found = new Map((await listCertificatesById(db, brandId, wanted)).map((row) => [row.id, row]));
    // One that was removed meanwhile is not there any more.
    yield wanted.flatMap((id) => found.get(id) ?? []);
  }
}

function toRows(certificate: ListedCertificate): string[][] {
  const { certificate_id, certification_name, certifying_body_name, overall_status, reason, expires_on } = certificate;
  return [[certificate_id, certification_name, certifying_body_name, overall_status, reason, expires_on ?? '']];
}
