import type { CertificateExportQuery } from '@brand-portal/contract/certificates';
import type { Language } from '@brand-portal/contract/constants';
import type { Db } from '../../db/database.ts';
import { type ExportFile, toExportFile } from '../../xlsx/export-file.ts';
import { listCertificatesById, type StoredCertificate } from './certificates.queries.ts';
import { listCertificateIds } from './certificates.ts';

const BATCH = 1_000;
const COLUMNS = {
  certificate_id: 24,
  certification_name: 28,
  certifying_body_name: 40,
  certificate_status: 16,
  certificate_reason: 28,
  certificate_expires_on: 16,
  certificate_link: 32,
};
const SHEETS: Readonly<Record<Language, string>> = { en: 'Certificates', es: 'Certificados' };

/** Exports the list of certificates. Reads in batches with backpressure. */
export async function exportCertificates(
  db: Db,
  brandId: number,
  { format, ...query }: CertificateExportQuery,
  language: Language,
): Promise<ExportFile> {
  const { ids } = await listCertificateIds(db, brandId, query);
  async function* batches() {
    for (let start = 0; start < ids.length; start += BATCH)
      yield await listCertificatesById(db, brandId, ids.slice(start, start + BATCH));
  }
  const exported = {
    name: 'certificates',
    sheet: SHEETS[language],
    columns: COLUMNS,
    batches: batches(),
    toRows,
    total: ids.length,
  };
  return toExportFile(exported, format, language);
}

function toRows(certificate: StoredCertificate): string[][] {
  const { certificate_id, certification_name, certifying_body_name, overall_status, reason, expires_on, link } =
    certificate;
  return [[certificate_id, certification_name, certifying_body_name, overall_status, reason, expires_on ?? '', link]];
}
