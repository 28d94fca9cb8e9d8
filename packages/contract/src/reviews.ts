import { type Static, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Id } from './paging.ts';

const tag = 'reviews';

export const MAX_REVIEW_NOTE_LENGTH = 400;
/** The queue is answered oldest first, at most this many; one call can decide as many. */
export const MAX_REVIEWED_AT_ONCE = 100;

/** A certificate that platform staff must review, because no registry of its certification is loaded. */
export const WaitingCertificate = Type.Object({
  brand_id: Id,
  brand_name: Type.String(),
  id: Id,
  certificate_id: Type.String(),
  certification_name: Type.String(),
  certifying_body_name: Type.String(),
  since: Type.String({ description: 'The day since which it waits.' }),
  variants: Type.Integer({ minimum: 0 }),
});
export type WaitingCertificate = Static<typeof WaitingCertificate>;

export const ReviewQueue = Type.Object({
  results: Type.Array(WaitingCertificate, { description: 'The longest waiting first, 100 at the most.' }),
  count: Type.Integer({ minimum: 0, description: 'How many wait.' }),
});
export type ReviewQueue = Static<typeof ReviewQueue>;

export const listReviews = endpoint({
  method: 'GET',
  path: '/api/v1/platform/reviews/',
  summary: 'Certificates of all brands that wait for a review',
  tag,
  access: 'staff',
  status: 200,
  response: ReviewQueue,
});

export const ReviewMany = Type.Object({
  verdict: Type.Enum(['approved', 'rejected']),
  note: Type.String({
    minLength: 1,
    maxLength: MAX_REVIEW_NOTE_LENGTH,
    pattern: '\\S',
    description: 'Why; members read it.',
  }),
  expires_on: Type.Optional(Type.String({ maxLength: 10, description: 'Last day of an approval, such as 2027-01-31.' })),
  certificates: Type.Array(Type.Object({ brand_id: Id, id: Id }), { minItems: 1, maxItems: MAX_REVIEWED_AT_ONCE }),
});
export type ReviewMany = Static<typeof ReviewMany>;

export const ReviewResult = Type.Object({
  decided: Type.Integer({ minimum: 0 }),
  skipped: Type.Integer({ minimum: 0, description: 'Those that no longer waited.' }),
});
export type ReviewResult = Static<typeof ReviewResult>;

export const reviewMany = endpoint({
  method: 'POST',
  path: '/api/v1/platform/reviews/',
  summary: 'Approve or reject certificates that wait',
  tag,
  access: 'staff',
  body: ReviewMany,
  status: 200,
  response: ReviewResult,
});
