import { type Static, Type } from 'typebox';
import { BrandParams } from './brands.ts';
import { CONNECTION_STATES, type ConnectionState } from './channel.ts';
import { endpoint } from './endpoint.ts';
import { MAX_DISMISSED } from './import.ts';
import { Id } from './paging.ts';

/** Google would refuse the product. */
export const BLOCKING_REASONS = ['restricted_gtin'] as const;
/** Google accepts the product, but may not show all of it. */
export const REMARKS = ['no_image', 'no_description', 'not_displayed', 'prefix_outlier'] as const;
export const READINESS_REASONS = [...BLOCKING_REASONS, ...REMARKS] as const;
export type ReadinessReason = (typeof READINESS_REASONS)[number];

/**
 * Why variants need attention: what the portal can tell before they are sent, and what the channel answered. `unreachable`: several attempts
 * to send or withdraw them failed.
 */
export const VARIANT_REASONS = [...READINESS_REASONS, 'refused', 'partly_live', 'unreachable'] as const;
export type VariantReason = (typeof VARIANT_REASONS)[number];

const count = Type.Integer({ minimum: 0 });
const CountedAt = Type.Optional(
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description:
      'Only of brands with more than 100,000 variants, whose remarks are counted again some minutes after a change: when they were counted last. Null: not yet.',
  }),
);
const ReasonCount = Type.Object({ reason: Type.Enum([...VARIANT_REASONS]), count });

export const Readiness = Type.Object({
  ready: count,
  ready_with_remarks: count,
  blocked: count,
  published: Type.Integer({ minimum: 0, description: 'Of all of these: how many are published already.' }),
  reasons: Type.Array(ReasonCount, { description: 'Those that some variants have.' }),
  counted_at: CountedAt,
});
export type Readiness = Static<typeof Readiness>;

export const getReadiness = endpoint({
  method: 'GET',
  path: '/api/v1/brands/:brandId/readiness/',
  summary: 'Whether Google would take the variants of a brand, before they are sent',
  tag: 'publishing',
  access: 'viewer',
  params: BrandParams,
  query: Type.Object({ variant_id: Type.Optional(Id) }),
  status: 200,
  response: Readiness,
  errors: ['brand_not_found'],
});

export const ChannelIssueGroup = Type.Object({
  type: Type.String({ description: "Google's name of the issue." }),
  severity: Type.Enum(['error', 'warning', 'info']),
  title: Type.String(),
  description: Type.String({ description: 'How to resolve it, in the words of Google.' }),
  resolution: Type.String(),
  count,
});
export type ChannelIssueGroup = Static<typeof ChannelIssueGroup>;

const NoticedIds = Type.Array(Id, { maxItems: MAX_DISMISSED });

export const Attention = Type.Object({
  connection: Type.Enum([...CONNECTION_STATES]),
  brand_name_differs: Type.Boolean({ description: 'The brand has another name here than at Google.' }),
  variants: Type.Array(ReasonCount),
  issues: Type.Array(ChannelIssueGroup),
  certificates: Type.Object({ invalid: count, ends_soon: count, pending: count }),
  imports: Type.Object(
    {
      failed: Type.Integer({ minimum: 0, description: 'Without failed checks.' }),
      rejected_rows: Type.Integer({ minimum: 0, description: 'Those with rejected rows that were not corrected.' }),
      ids: Type.Object(
        { failed: NoticedIds, rejected_rows: NoticedIds },
        { description: `Which they are, the newest first: at most ${MAX_DISMISSED} of each.` },
      ),
    },
    { description: 'Of the last 30 days, until they are dismissed.' },
  ),
  counted_at: CountedAt,
});
export type Attention = Static<typeof Attention>;

export const getAttention = endpoint({
  method: 'GET',
  path: '/api/v1/brands/:brandId/attention/',
  summary: 'What of a brand needs somebody to look at it',
  tag: 'publishing',
  access: 'viewer',
  params: BrandParams,
  status: 200,
  response: Attention,
  errors: ['brand_not_found'],
});

type BrokenConnection = Exclude<ConnectionState, 'connected'>;
const BROKEN_CONNECTIONS = CONNECTION_STATES.filter((state): state is BrokenConnection => state !== 'connected');

const BrandAttention = Type.Object({
  brand_id: Id,
  name: Type.String(),
  connection: Type.Union([Type.Enum(BROKEN_CONNECTIONS), Type.Null()], {
    description: 'Why published variants are not sent to Google. Null if they are, or if none is published.',
  }),
  refused: count,
  certificates: Type.Integer({ minimum: 0, description: 'Certificates that are not valid.' }),
  ends_soon: Type.Integer({
    minimum: 0,
    description: 'Certificates that end soon, as the list of certificates filters them.',
  }),
  imports: count,
});

export type BrandAttention = Static<typeof BrandAttention>;

export const listAttention = endpoint({
  method: 'GET',
  path: '/api/v1/users/me/attention/',
  summary: 'Those of my brands that need somebody to look at them',
  tag: 'publishing',
  access: 'signed_in',
  status: 200,
  response: Type.Object({ results: Type.Array(BrandAttention) }),
  errors: [],
});
