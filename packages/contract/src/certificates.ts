import { type Static, Type } from 'typebox';
import { BrandParams } from './brands.ts';
import { endpoint } from './endpoint.ts';
import { Id } from './paging.ts';

const tag = 'certificates';

export const CERTIFICATE_STATUSES = ['validated', 'pending', 'invalid'] as const;
export const CertificateStatus = Type.Enum(CERTIFICATE_STATUSES);
export type CertificateStatus = Static<typeof CertificateStatus>;

/** A certificate as the badge of one variant shows it. */
export const VariantCertification = Type.Object({
  certification_name: Type.String(),
  certifying_body_name: Type.String(),
  status: CertificateStatus,
  reason: Type.String({ description: 'Why it has that status; empty where there is nothing to say.' }),
  external_certificate_id: Type.String(),
});
export type VariantCertification = Static<typeof VariantCertification>;

/** A certificate as the brand's certificates page lists it. */
export const BrandCertification = Type.Object({
  certificate_id: Type.String(),
  certifying_body_code: Type.String(),
  certifying_body_name: Type.String(),
  certification_name: Type.String(),
  overall_status: CertificateStatus,
  reason: Type.String({ description: 'Why it has that status; empty where there is nothing to say.' }),
});
export type BrandCertification = Static<typeof BrandCertification>;

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
  errors: ['brand_not_found'],
});
