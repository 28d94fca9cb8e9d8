import { type Static, Type } from 'typebox';
import { BrandParams } from './brands.ts';
import { endpoint } from './endpoint.ts';
import { Id } from './paging.ts';
import type { Role } from './roles.ts';

const tag = 'keys';

/** Prefix of every key, so that secret scanners recognise it. */
export const KEY_START = 'bp_';
export const MAX_KEY_NAME_LENGTH = 100;
/** No owner: what only owners may do cannot be done with a key. */
export const KEY_ROLES = ['viewer', 'editor', 'admin'] as const satisfies readonly Role[];
export const KeyRole = Type.Enum(KEY_ROLES);
export type KeyRole = Static<typeof KeyRole>;

/** In days; null: never expires. */
export const KEY_LIFETIMES = [30, 90, 365, null] as const;
export type KeyLifetime = (typeof KEY_LIFETIMES)[number];

export const KEY_STATES = ['active', 'expired', 'revoked'] as const;
export type KeyState = (typeof KEY_STATES)[number];

const Moment = Type.Union([Type.String({ format: 'date-time' }), Type.Null()]);

export const ApiKey = Type.Object({
  id: Id,
  name: Type.String(),
  role: KeyRole,
  prefix: Type.String({ description: 'The first characters of the key, to recognise it by.' }),
  state: Type.Enum(KEY_STATES),
  created_by: Type.String({ description: 'Name or e-mail of whoever made it; empty where their account is gone.' }),
  creator_id: Type.Union([Id, Type.Null()], { description: 'The person who created it. Null: not known.' }),
  maker_left: Type.Boolean({
    description: 'Whoever made it is no longer a member of the brand, and may know the key.',
  }),
  created_at: Type.String({ format: 'date-time' }),
  expires_at: Moment,
  last_used_at: Moment,
  revoked_at: Moment,
});
export type ApiKey = Static<typeof ApiKey>;

export const NewApiKey = Type.Interface([ApiKey], {
  key: Type.String({ description: 'Told this once: only its hash is kept.' }),
});
export type NewApiKey = Static<typeof NewApiKey>;

export const CreateApiKey = Type.Object({
  name: Type.String({ minLength: 1, maxLength: MAX_KEY_NAME_LENGTH }),
  role: KeyRole,
  expires_in_days: Type.Union([Type.Enum([30, 90, 365]), Type.Null()], {
    description: 'Null: it does not expire. An admin key must expire.',
  }),
});
export type CreateApiKey = Static<typeof CreateApiKey>;

export const listApiKeys = endpoint({
  method: 'GET',
  path: '/api/v1/brands/:brandId/api-keys/',
  summary: "The brand's API keys, live ones first, then the newest",
  tag,
  access: 'viewer',
  keys: false,
  params: BrandParams,
  status: 200,
  response: Type.Object({ results: Type.Array(ApiKey) }),
  errors: ['brand_not_found'],
});

export const createApiKey = endpoint({
  method: 'POST',
  path: '/api/v1/brands/:brandId/api-keys/',
  summary: 'Make an API key; the answer is the only one that has it',
  tag,
  access: 'admin',
  keys: false,
  params: BrandParams,
  body: CreateApiKey,
  status: 201,
  response: NewApiKey,
  errors: ['brand_not_found', 'too_many_keys'],
});

export const revokeApiKey = endpoint({
  method: 'DELETE',
  path: '/api/v1/brands/:brandId/api-keys/:keyId/',
  summary: 'Revoke an API key: its next call is refused',
  description: 'Also revokes the feed URL, if it was created with this key.',
  tag,
  access: 'admin',
  inInactive: true,
  keys: false,
  params: Type.Object({ brandId: Id, keyId: Id }),
  status: 204,
  errors: ['brand_not_found', 'api_key_not_found'],
});
