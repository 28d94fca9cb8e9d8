import { type Static, Type } from 'typebox';
import { BrandParams } from './brands.ts';
import { endpoint } from './endpoint.ts';
import { Id } from './paging.ts';

/**
 * partner: through the account of the portal's operator, a data partner of Google. own: through the
 * brand's own account.
 */
export const CONNECTION_KINDS = ['partner', 'own'] as const;
export type ConnectionKind = (typeof CONNECTION_KINDS)[number];

/**
 * `waiting`: the link with the brand's Google account is not approved yet. `refused`: Google reports a problem with the
 * account or the link.
 */
export const CONNECTION_STATES = ['not_connected', 'waiting', 'connected', 'refused'] as const;
export type ConnectionState = (typeof CONNECTION_STATES)[number];

export const ChannelConnection = Type.Object({
  state: Type.Enum(CONNECTION_STATES),
  kind: Type.Union([Type.Enum(CONNECTION_KINDS), Type.Null()]),
  account: Type.Union([Type.String(), Type.Null()], { description: "The brand's own account; null for a partner's." }),
  client_id: Type.Union([Type.String(), Type.Null()]),
  countries: Type.Array(Type.String()),
  language: Type.Union([Type.String(), Type.Null()]),
  registered_name: Type.Union([Type.String(), Type.Null()], { description: 'The brand as Google knows it.' }),
  refusal: Type.String({ description: "Google's own words where the state is refused; otherwise empty." }),
});
export type ChannelConnection = Static<typeof ChannelConnection>;

export const getChannelConnection = endpoint({
  method: 'GET',
  path: '/api/v1/brands/:brandId/channel/',
  summary: "The brand's connection to Google",
  tag: 'publishing',
  access: 'viewer',
  params: BrandParams,
  status: 200,
  response: ChannelConnection,
  errors: ['brand_not_found'],
});

export const FEED_STATES = ['none', 'active', 'revoked'] as const;

const Moment = Type.Union([Type.String({ format: 'date-time' }), Type.Null()]);
export const ChannelFeed = Type.Object({
  state: Type.Enum(FEED_STATES),
  created_at: Moment,
  creator_id: Type.Union([Id, Type.Null()], { description: 'The person or API key that created it. Null: not known.' }),
  maker_left: Type.Boolean({ description: 'Whoever created it is no longer a member, or is not known.' }),
  revoked_at: Moment,
  last_fetched_at: Moment,
});
export type ChannelFeed = Static<typeof ChannelFeed>;

export const NewChannelFeed = Type.Object({
  tsv_url: Type.String({ description: 'Told this once: only a hash of its token is kept.' }),
  xml_url: Type.String(),
});
export type NewChannelFeed = Static<typeof NewChannelFeed>;

const FEED_PATH = '/api/v1/brands/:brandId/channel/feed/';

export const getChannelFeed = endpoint({
  method: 'GET',
  path: FEED_PATH,
  summary: "Whether the brand's supplemental feed can be fetched, and when it was",
  tag: 'publishing',
  access: 'viewer',
  params: BrandParams,
  status: 200,
  response: ChannelFeed,
  errors: ['brand_not_found'],
});

export const createChannelFeed = endpoint({
  method: 'POST',
  path: FEED_PATH,
  summary: "Make the brand's supplemental feed, or renew it",
  description: 'Answers its addresses, which hold a secret. Former addresses stop working.',
  tag: 'publishing',
  access: 'admin',
  keys: true,
  params: BrandParams,
  status: 201,
  response: NewChannelFeed,
  errors: ['brand_not_found'],
});

export const revokeChannelFeed = endpoint({
  method: 'DELETE',
  path: FEED_PATH,
  summary: "Revoke the brand's supplemental feed",
  tag: 'publishing',
  access: 'admin',
  inInactive: true,
  keys: true,
  params: BrandParams,
  status: 204,
  errors: ['brand_not_found'],
});
