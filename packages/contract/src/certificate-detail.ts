import { type Static, Type } from 'typebox';
import { ListedCertification } from './certificates.ts';
import { endpoint } from './endpoint.ts';
import { Id } from './paging.ts';

/** One certificate with all its details, and what a member can do with it. */

const tag = 'certificates';

/** `replaced`: it replaced another certificate; the events of that one come before. */
export const CERTIFICATE_EVENTS = [
  ...(['added', 'status_changed', 'approved', 'rejected', 'review_withdrawn'] as const),
  ...(['replaced', 'variant_removed', 'link_changed'] as const),
] as const;
export type CertificateEventKind = (typeof CERTIFICATE_EVENTS)[number];

const CertificateEvent = Type.Object({
  kind: Type.Enum([...CERTIFICATE_EVENTS]),
  at: Type.String({ format: 'date-time' }),
  by: Type.Union([Type.String(), Type.Null()], { description: 'Name or e-mail address. Null: nobody, or not known.' }),
  import: Type.Union([Type.Object({ id: Id, file_name: Type.String() }), Type.Null()]),
  certificate_id: Type.Union([Type.String(), Type.Null()], {
    description: 'Of an event of a certificate that this one replaced: its id. Null: of this one.',
  }),
  detail: Type.String({
    description: 'The new status, the words of a review, the id that was replaced, or the GTIN of a variant.',
  }),
  reason: Type.String({ description: 'Of a new status: why, as in the list.' }),
});
export type CertificateEvent = Static<typeof CertificateEvent>;

const Day = Type.Union([Type.String({ format: 'date' }), Type.Null()]);

export const CertificateDetail = Type.Interface([ListedCertification], {
  created_at: Type.String({ format: 'date-time' }),
  link: Type.String({ description: 'Its page at the issuer; empty where nobody has said it.' }),
  sending_variants: Type.Integer({
    minimum: 0,
    description: 'How many of its published variants wait to be sent to the channel, or for its verdict.',
  }),
  queued_variants: Type.Integer({ minimum: 0, description: 'How many of these wait to be sent.' }),
  may_edit: Type.Boolean({ description: 'Whether the caller may change it.' }),
  registry: Type.Union(
    [
      Type.Object({
        loaded_at: Type.String({ format: 'date-time' }),
        entry: Type.Union([Type.Object({ active: Type.Boolean(), expires_on: Day }), Type.Null()]),
      }),
      Type.Null(),
    ],
    {
      description: 'Of its certification, where one is loaded; `entry`: what it says of the certificate, if it has it.',
    },
  ),
  near_miss: Type.Union([Type.String(), Type.Null()], {
    description: 'Of one that the registry does not list: the only active entry of the registry that differs in one character.',
  }),
  timeline: Type.Array(CertificateEvent, { description: 'Newest first, the last 50 of them.' }),
});
export type CertificateDetail = Static<typeof CertificateDetail>;

const params = Type.Object({ brandId: Id, certificateId: Id });

export const getCertificateDetail = endpoint({
  method: 'GET',
  path: '/api/v1/brands/:brandId/certifications/:certificateId/',
  summary: 'One certificate with its registry entry, the variants that it backs and its history',
  tag,
  access: 'viewer',
  params,
  status: 200,
  response: CertificateDetail,
  errors: ['brand_not_found', 'certificate_not_found'],
});

export const updateCertificate = endpoint({
  method: 'PATCH',
  path: '/api/v1/brands/:brandId/certifications/:certificateId/',
  summary: 'Say where a certificate is found at its issuer',
  description: 'By the rules of the import. An empty link takes it back. Published variants are sent to the channel again.',
  tag,
  access: 'editor',
  params,
  body: Type.Object({ link: Type.String({ maxLength: 20_000 }) }),
  status: 200,
  response: CertificateDetail,
  errors: ['brand_not_found', 'certificate_not_found'],
});

export const replaceCertificate = endpoint({
  method: 'POST',
  path: '/api/v1/brands/:brandId/certifications/:certificateId/replace/',
  summary: 'Give all variants of a certificate another one of the same certification, such as its renewal',
  description:
    'By the rules of the import. The replaced one is removed, and its history goes on with the new one, which is the answer. Published variants are sent to the channel again. A valid certificate is not replaced by one that is not valid (409 `certificate_not_valid`), unless that is confirmed.',
  tag,
  access: 'editor',
  params,
  body: Type.Object({
    certificate_id: Type.String({ maxLength: 20_000 }),
    confirmed: Type.Optional(Type.Boolean({ description: 'Also if the new one is not valid.' })),
  }),
  status: 200,
  response: CertificateDetail,
  errors: ['brand_not_found', 'certificate_not_found', 'certificate_not_valid'],
});
