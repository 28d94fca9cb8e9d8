import { type Static, Type } from 'typebox';
import { BrandParams } from './brands.ts';
import { LONGEST_SEARCH } from './constants.ts';
import { type AnswerOf, endpoint } from './endpoint.ts';
import { EXPORT_FILE_TYPES, ExportFormat } from './exports.ts';
import { Id } from './paging.ts';

const tag = 'certificates';

export const CERTIFICATE_STATUSES = ['validated', 'pending', 'invalid'] as const;
export const CertificateStatus = Type.Enum(CERTIFICATE_STATUSES);
export type CertificateStatus = Static<typeof CertificateStatus>;

/**
 * Why a certificate has its status. On the wire and in the database a reason is its code, or `code:detail`: `expired:2026-01-31`,
 * `rejected:The holder is another company`. The browser translates the code; an operator's own words stay as they are.
 */
const CERTIFICATE_REASONS = [
  'listed',
  'approved',
  'no_registry',
  'pattern',
  'not_listed',
  'not_active',
  'expired',
  'rejected',
] as const;
type CertificateReason = (typeof CERTIFICATE_REASONS)[number];

const Reason = Type.String({
  description:
    'Why it has that status: `listed` (in the registry; with the day until which it is valid), `approved` or `rejected` (by the operator; with their words), `no_registry`, `pattern` (the id does not have its documented form), `not_listed`, `not_active`, `expired` (with the day). A detail follows a colon: `expired:2026-01-31`. Empty: not checked yet.',
});

/** Nothing where there is no reason, or one that only another server knows. */
export function parseReason(reason: unknown): { code: CertificateReason; detail: string } | undefined {
  if (typeof reason !== 'string') return undefined;
  const colon = reason.indexOf(':');
  const name = colon === -1 ? reason : reason.slice(0, colon);
  const code = CERTIFICATE_REASONS.find((known) => known === name);
  return code && { code, detail: colon === -1 ? '' : reason.slice(colon + 1) };
}

/** A certificate as the badge of one variant shows it. */
export const VariantCertification = Type.Object({
  certification_name: Type.String(),
  certifying_body_name: Type.String(),
  status: CertificateStatus,
  reason: Reason,
  external_certificate_id: Type.String(),
});
export type VariantCertification = Static<typeof VariantCertification>;
export type VariantCertificationAnswer = AnswerOf<VariantCertification, 'reason'>;

/** A certificate as the brand's certificates page lists it. */
export const BrandCertification = Type.Object({
  id: Id,
  certificate_id: Type.String(),
  certifying_body_code: Type.String(),
  certifying_body_name: Type.String(),
  certification_name: Type.String(),
  overall_status: CertificateStatus,
  reason: Reason,
});
export type BrandCertification = Static<typeof BrandCertification>;
export type BrandCertificationAnswer = AnswerOf<BrandCertification, 'id' | 'reason'>;

export const CatalogueItem = Type.Object({ id: Id, name: Type.String() });
export type CatalogueItem = Static<typeof CatalogueItem>;

export const listCatalogue = endpoint({
  method: 'GET',
  path: '/api/v1/certifications/',
  summary: 'The certifications that the product supports',
  tag,
  access: 'signed_in',
  status: 200,
  response: Type.Array(CatalogueItem),
});

export const listBrandCertifications = endpoint({
  method: 'GET',
  path: '/api/v1/brands/:brandId/certifications/',
  summary: "The brand's certificates with their validation status",
  tag,
  access: 'viewer',
  params: BrandParams,
  status: 200,
  response: Type.Array(BrandCertification),
  responseKind: 'rows',
  errors: ['brand_not_found'],
});

/** Columns that the list can be sorted by; without one, certificates come by certification and id. */
const CERTIFICATE_COLUMNS = ['certificate_id', 'certifying_body_name', 'certification_name', 'overall_status'] as const;
export type CertificateColumn = (typeof CERTIFICATE_COLUMNS)[number];
export type CertificateOrdering = CertificateColumn | `-${CertificateColumn}`;
const CERTIFICATE_ORDERINGS = CERTIFICATE_COLUMNS.flatMap((name): CertificateOrdering[] => [name, `-${name}`]);

/** What one reads in the row, without case and accents. */
function toSearchKey(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

type SearchedCertificate = Pick<BrandCertification, 'certificate_id' | 'certifying_body_name' | 'certification_name'>;

/** Whether a certificate has every word of the search somewhere. The page and its export must agree. */
export function createCertificateSearch(search: string): (certificate: SearchedCertificate) => boolean {
  const words = toSearchKey(search).split(/\s+/).filter(Boolean);
  return ({ certificate_id, certifying_body_name, certification_name }) => {
    if (words.length === 0) return true;
    const key = toSearchKey(`${certificate_id} ${certifying_body_name} ${certification_name}`);
    return words.every((word) => key.includes(word));
  };
}

export const CertificateExportQuery = Type.Object({
  format: ExportFormat,
  search: Type.Optional(Type.String({ maxLength: LONGEST_SEARCH })),
  ordering: Type.Optional(Type.Enum(CERTIFICATE_ORDERINGS)),
});
export type CertificateExportQuery = Static<typeof CertificateExportQuery>;

export const exportCertificates = endpoint({
  method: 'GET',
  path: '/api/v1/brands/:brandId/certificates/export/',
  summary: 'What the list of certificates shows as a file',
  tag,
  access: 'viewer',
  params: BrandParams,
  query: CertificateExportQuery,
  status: 200,
  responseKind: 'file',
  fileTypes: EXPORT_FILE_TYPES,
  errors: ['brand_not_found'],
});

export const countCertifiedVariants = endpoint({
  method: 'GET',
  path: '/api/v1/brands/:brandId/certifications/:certificateId/variants/',
  summary: "How many of the brand's variants have a certificate",
  tag,
  access: 'viewer',
  params: Type.Object({ brandId: Id, certificateId: Id }),
  status: 200,
  response: Type.Object({ count: Type.Integer({ minimum: 0 }) }),
  errors: ['brand_not_found'],
});

export const deleteBrandCertification = endpoint({
  method: 'DELETE',
  path: '/api/v1/brands/:brandId/certifications/:certificateId/',
  summary: 'Remove a certificate from the brand and from all its variants: one with a mistyped id, say',
  tag,
  access: 'editor',
  params: Type.Object({ brandId: Id, certificateId: Id }),
  status: 204,
  errors: ['brand_not_found', 'not_found'],
});
