import { type Static, Type } from 'typebox';
import { BrandParams } from './brands.ts';
import { MAX_SEARCH_LENGTH } from './constants.ts';
import { type AnswerOf, endpoint } from './endpoint.ts';
import { DigitsExportQuery, EXPORT_FILE_TYPES } from './exports.ts';
import { Id, MAX_PAGE_SIZE, OptionalPageNumber, Page } from './paging.ts';

const tag = 'certificates';

export const CERTIFICATE_STATUSES = ['validated', 'pending', 'invalid'] as const;
export const CertificateStatus = Type.Enum(CERTIFICATE_STATUSES);
export type CertificateStatus = Static<typeof CertificateStatus>;

/**
 * Why a certificate has its status. In the API and in the database a reason is its code, or `code:detail`:
 * `expired:2026-01-31`, `rejected:The holder is another company`. The browser translates the code and shows the detail
 * as it is.
 */
const CERTIFICATE_REASONS = ['listed', 'approved', 'no_registry', 'pattern', 'not_listed', 'not_active', 'expired', 'rejected'] as const;
export type CertificateReason = (typeof CERTIFICATE_REASONS)[number];

const Reason = Type.String({
  description:
    'Why it has that status: `listed` (in the registry; with the day until which it is valid), `approved` or `rejected` (by the operator; with their words), `no_registry`, `pattern` (the id does not have its documented form), `not_listed`, `not_active`, `expired` (with the day). A detail follows a colon: `expired:2026-01-31`. Empty: not checked yet.',
});

/** Undefined where there is no reason, or an unknown one from another server. */
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
  keys: true,
  status: 200,
  response: Type.Array(CatalogueItem),
});

/** A certificate that ends within this many days is marked as ending soon. */
export const ENDS_SOON_DAYS = 60;

/** By the day in UTC, like the list's filter, so that a panel never contradicts a list. */
export function endsSoon(lastDay: string, now = Date.now()): boolean {
  return Date.parse(lastDay) <= now + ENDS_SOON_DAYS * 86_400_000;
}

const Count = Type.Integer({ minimum: 0 });

/** A row of the paged list. */
export const ListedCertification = Type.Interface([BrandCertification], {
  expires_on: Type.Union([Type.String({ format: 'date' }), Type.Null()], {
    description: 'Its last day, where one is known.',
  }),
  variants: Count,
  live_variants: Type.Integer({
    minimum: 0,
    description: 'How many of them the channel shows, in some countries at least.',
  }),
});
export type ListedCertification = Static<typeof ListedCertification>;
export type ListedCertificationAnswer = AnswerOf<ListedCertification, 'id' | 'reason' | 'expires_on' | 'variants' | 'live_variants'>;

/** Columns to sort the list by; the default order is problems first. */
export const CERTIFICATE_COLUMNS = [
  ...(['certificate_id', 'certifying_body_name', 'certification_name', 'overall_status', 'expires_on'] as const),
] as const;
export type CertificateColumn = (typeof CERTIFICATE_COLUMNS)[number];
export type CertificateOrdering = CertificateColumn | `-${CertificateColumn}`;
export const CERTIFICATE_ORDERINGS = CERTIFICATE_COLUMNS.flatMap((name): CertificateOrdering[] => [name, `-${name}`]);

export const CERTIFICATE_FILTERS = [...CERTIFICATE_STATUSES, 'ends_soon'] as const;
export type CertificateFilter = (typeof CERTIFICATE_FILTERS)[number];

const Narrowing = Type.Object({
  search: Type.Optional(Type.String({ maxLength: MAX_SEARCH_LENGTH, description: 'Words, each in id, certifying body or certification.' })),
  status: Type.Optional(Type.Enum([...CERTIFICATE_FILTERS], { description: `ends_soon: valid, and ends within ${ENDS_SOON_DAYS} days.` })),
  ordering: Type.Optional(
    Type.Enum(CERTIFICATE_ORDERINGS, {
      description: 'Without it: invalid, then pending, then validated ones; each by the day they end.',
    }),
  ),
});

export const CertificateListQuery = Type.Interface([Narrowing], {
  // No defaults: the validator would add them to a request that has no paging.
  page: Type.Optional(OptionalPageNumber),
  page_size: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PAGE_SIZE })),
});
export type CertificateListQuery = Static<typeof CertificateListQuery>;

export const CertificatePage = Page(ListedCertification);
export type CertificatePage = Static<typeof CertificatePage>;

export const listBrandCertifications = endpoint({
  method: 'GET',
  path: '/api/v1/brands/:brandId/certifications/',
  summary: "The brand's certificates with their validation status",
  description: 'Without parameters: all of them, by certification and id. With any: one page of them.',
  tag,
  access: 'viewer',
  params: BrandParams,
  query: CertificateListQuery,
  status: 200,
  response: Type.Union([Type.Array(BrandCertification), CertificatePage]),
  responseKind: 'rows',
  errors: ['brand_not_found'],
});

export const CertificateExportQuery = Type.Interface([Narrowing, DigitsExportQuery], {});
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
  response: Type.Object({ count: Count }),
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
  errors: ['brand_not_found', 'certificate_not_found'],
});
