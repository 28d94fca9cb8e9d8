import { type CertificateExportQuery, type CertificateReason, parseReason } from '@brand-portal/contract/certificates';
import type { Language } from '@brand-portal/contract/constants';
import type { Db } from '../../db/database.ts';
import { ofThisRead } from '../../db/reads.ts';
import { type ExportFile, toExportFile } from '../../files/xlsx/export-file.ts';
import { type BackedCertificate, listBackedCertificates, listCertificateIds } from './certificates.ts';

const BATCH = 1_000;
const COLUMNS = {
  certificate_id: 24,
  certification_name: 28,
  certifying_body_name: 40,
  certificate_status: 16,
  certificate_reason: 60,
  certificate_expires_on: 16,
  certificate_link: 32,
  variants: 12,
  live_variants: 12,
};
const SHEETS: Readonly<Record<Language, string>> = { en: 'Certificates', es: 'Certificados' };

interface ReasonFacts {
  /** A day, or the words of a review; may be empty. */
  readonly detail: string;
  readonly certification: string;
  readonly body: string;
}

type ReasonTexts = Readonly<Record<CertificateReason | 'unchecked', (facts: ReasonFacts) => string>>;

/** In the words of the screens. Days are written as in the other columns. */
const REASONS: Readonly<Record<Language, ReasonTexts>> = {
  en: {
    unchecked: () => 'Not checked yet.',
    listed: ({ detail }) => `The registry lists it as active${detail && ` until ${detail}`}.`,
    approved: ({ detail }) => `Approved by our team: ${detail}`,
    no_registry: ({ detail, certification }) =>
      `${detail ? `Waiting since ${detail}: there` : 'There'} is no registry of ${certification} to check it against, so our team will review it.`,
    pattern: ({ body }) => `The ID does not have the form used by ${body}. Check it for typing errors.`,
    not_listed: ({ certification }) => `The registry of ${certification} does not list it. Check the ID for typing errors.`,
    not_active: ({ certification }) => `The registry of ${certification} lists it as no longer active.`,
    expired: ({ detail }) => `It expired on ${detail}.`,
    rejected: ({ detail }) => `Rejected by our team: ${detail}`,
  },
  es: {
    unchecked: () => 'Sin comprobar.',
    listed: ({ detail }) => `El registro lo incluye como activo${detail && ` hasta el ${detail}`}.`,
    approved: ({ detail }) => `Aprobado por nuestro equipo: ${detail}`,
    no_registry: ({ detail, certification }) =>
      `${detail ? `En espera desde el ${detail}: no` : 'No'} hay un registro de ${certification} con el que comprobarlo, así que nuestro equipo lo revisará.`,
    pattern: ({ body }) => `El ID no tiene el formato utilizado por ${body}. Revisa si hay errores de escritura.`,
    not_listed: ({ certification }) => `El registro de ${certification} no lo incluye. Revisa si hay errores en el ID.`,
    not_active: ({ certification }) => `El registro de ${certification} indica que ya no está activo.`,
    expired: ({ detail }) => `Venció el ${detail}.`,
    rejected: ({ detail }) => `Rechazado por nuestro equipo: ${detail}`,
  },
};

/** Exports the list of certificates. Reads in batches with backpressure. */
export async function exportCertificates(
  db: Db,
  brandId: number,
  { format, apostrophe, ...query }: CertificateExportQuery,
  language: Language,
): Promise<ExportFile> {
  const { ids } = await listCertificateIds(db, brandId, query);
  async function* batches() {
    for (let start = 0; start < ids.length; start += BATCH)
      yield await listBackedCertificates(db, brandId, ids.slice(start, start + BATCH));
  }
  const exported = {
    name: 'certificates',
    sheet: SHEETS[language],
    columns: COLUMNS,
    batches: ofThisRead(batches()),
    toRows: (certificate: BackedCertificate) => [toRow(certificate, REASONS[language])],
    total: ids.length,
  };
  return toExportFile(exported, { format, apostrophe }, language);
}

function toRow(certificate: BackedCertificate, texts: ReasonTexts): Record<keyof typeof COLUMNS, string> {
  const { certificate_id, certification_name, certifying_body_name, overall_status, expires_on, link } = certificate;
  const { code, detail } = parseReason(certificate.reason) ?? { code: undefined, detail: '' };
  const facts = { detail, certification: certification_name, body: certifying_body_name };
  const reason = code ? texts[code](facts) : overall_status === 'pending' ? texts.unchecked(facts) : '';
  return {
    certificate_id,
    certification_name,
    certifying_body_name,
    certificate_status: overall_status,
    certificate_reason: reason,
    certificate_expires_on: expires_on ?? '',
    certificate_link: link,
    variants: String(certificate.variants),
    live_variants: String(certificate.live_variants),
  };
}
