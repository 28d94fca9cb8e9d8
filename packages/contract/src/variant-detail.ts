import { type Static, Type } from 'typebox';
import { READINESS_REASONS } from './attention.ts';
import { VariantCertification } from './certificates.ts';
import { endpoint } from './endpoint.ts';
import { Id } from './paging.ts';
import { EDITABLE_FIELDS, mapFields } from './variant-fields.ts';
import { MAX_SHOWN_CERTIFICATES, ProductVariant } from './variants.ts';

/** One variant with all its details: shown, edited, or added by hand. */

const tag = 'variants';

/** Longer than any valid value, so that the import's rules report a value that is too long, in their own words. */
const Entered = Type.String({ maxLength: 20_000 });
const EnteredFields = Type.Object(mapFields(EDITABLE_FIELDS, () => Type.Optional(Entered)));
export type EnteredFields = Static<typeof EnteredFields>;

export const COUNTRY_STATUSES = ['approved', 'pending', 'disapproved'] as const;

const VariantIssue = Type.Object({
  type: Type.String({ description: "Google's name of the issue." }),
  severity: Type.Enum(['error', 'warning', 'info']),
  title: Type.String(),
  description: Type.String({ description: 'How to resolve it, in the words of Google.' }),
  attribute: Type.String(),
  resolution: Type.String(),
  countries: Type.Array(Type.String(), { description: 'None: everywhere.' }),
  since: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
});
export type VariantIssue = Static<typeof VariantIssue>;

const VariantCertificate = Type.Interface([VariantCertification], {
  id: Id,
  expires_on: Type.Union([Type.String({ format: 'date' }), Type.Null()]),
});
export type VariantCertificate = Static<typeof VariantCertificate>;

/** `all_published`: all variants of the brand were published at once. `sent` and `judged` are about the channel. */
export const TIMELINE_KINDS = [
  ...(['created', 'imported', 'import_undone', 'edited', 'published', 'unpublished', 'all_published'] as const),
  ...(['deleted', 'restored', 'certificate_added', 'certificate_removed', 'sent', 'judged'] as const),
] as const;
export type TimelineKind = (typeof TIMELINE_KINDS)[number];

const TimelineEvent = Type.Object({
  kind: Type.Enum([...TIMELINE_KINDS]),
  at: Type.String({ format: 'date-time' }),
  by: Type.Union([Type.String(), Type.Null()], { description: 'Name or e-mail address. Null: nobody, or not known.' }),
  import: Type.Union([Type.Object({ id: Id, file_name: Type.String() }), Type.Null()]),
  changes: Type.Array(Type.Object({ field: Type.String(), from: Type.String(), to: Type.String() }), {
    description: 'What was changed. Long texts are cut.',
  }),
  detail: Type.String({ description: 'The state that the channel gave it, or the certificate that it is about.' }),
});
export type TimelineEvent = Static<typeof TimelineEvent>;

export const VariantDetail = Type.Interface([ProductVariant], {
  ...mapFields(EDITABLE_FIELDS, () => Type.String()),
  version: Type.Integer({
    minimum: 1,
    description: 'Goes up with every change of the fields above and the name, also when an import is undone.',
  }),
  may_edit: Type.Boolean({ description: 'Whether the caller may change it.' }),
  countries: Type.Array(Type.Object({ country: Type.String(), status: Type.Enum([...COUNTRY_STATUSES]) })),
  issues: Type.Array(VariantIssue),
  retry_at: Type.Optional(
    Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'If the channel could not be reached: when it is sent or withdrawn again.',
    }),
  ),
  readiness: Type.Array(Type.Enum([...READINESS_REASONS])),
  certificates: Type.Array(VariantCertificate, { description: `The newest ${MAX_SHOWN_CERTIFICATES} of them.` }),
  certificate_count: Type.Optional(Type.Integer({ minimum: 0, description: 'All of them, shown or not.' })),
  timeline: Type.Array(TimelineEvent, { description: 'Newest first, the last 50 of them.' }),
});
export type VariantDetail = Static<typeof VariantDetail>;

export const VariantParams = Type.Object({ brandId: Id, variantId: Id });

export const getVariantDetail = endpoint({
  method: 'GET',
  path: '/api/v1/brands/:brandId/variants/:variantId/',
  summary: 'One variant with its certificates, its state at the channel and its history',
  tag,
  access: 'viewer',
  params: VariantParams,
  status: 200,
  response: VariantDetail,
  errors: ['brand_not_found', 'variant_not_found'],
});

export const updateVariant = endpoint({
  method: 'PATCH',
  path: '/api/v1/brands/:brandId/variants/:variantId/',
  summary: 'Change fields of a variant, by the rules of the import',
  description:
    'Fields that are not given stay as they are. `variant_changed`: somebody has changed it since that version; `context` has the current values.',
  tag,
  access: 'editor',
  params: VariantParams,
  body: Type.Interface([EnteredFields], { version: Type.Integer({ minimum: 1 }) }),
  status: 200,
  response: VariantDetail,
  errors: ['brand_not_found', 'variant_not_found', 'variant_changed'],
});

export const createVariant = endpoint({
  method: 'POST',
  path: '/api/v1/brands/:brandId/variants/',
  summary: 'Add one variant by hand, by the rules of the import',
  description: '`gtin_exists`: the brand has a variant with this GTIN; `context` names it.',
  tag,
  access: 'editor',
  params: Type.Object({ brandId: Id }),
  body: Type.Interface([EnteredFields], { gtin: Entered, name: Entered }),
  status: 201,
  response: VariantDetail,
  errors: ['brand_not_found', 'gtin_exists', 'quota_exceeded'],
});

export const addVariantCertificate = endpoint({
  method: 'POST',
  path: '/api/v1/brands/:brandId/variants/:variantId/certificates/',
  summary: 'Give a variant a certificate, by the rules of the import',
  description:
    'The certification by its name or an alias. A certificate that the brand has already is used; one that the variant has already changes nothing.',
  tag,
  access: 'editor',
  params: VariantParams,
  body: Type.Object({ certification_name: Entered, certificate_id: Entered }),
  status: 201,
  response: VariantDetail,
  errors: ['brand_not_found', 'variant_not_found'],
});

export const removeVariantCertificate = endpoint({
  method: 'DELETE',
  path: '/api/v1/brands/:brandId/variants/:variantId/certificates/:certificateId/',
  summary: 'Take a certificate away from one variant; others keep it',
  tag,
  access: 'editor',
  params: Type.Object({ brandId: Id, variantId: Id, certificateId: Id }),
  status: 204,
  errors: ['brand_not_found', 'variant_not_found', 'not_found'],
});
