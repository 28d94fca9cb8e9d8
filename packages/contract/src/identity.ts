import { type Static, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Id } from './paging.ts';

const tag = 'identity';

export const User = Type.Object({
  id: Id,
  first_name: Type.String(),
  last_name: Type.String(),
  email: Type.String(),
  is_staff: Type.Optional(Type.Boolean({ description: 'Only of platform staff.' })),
});
export type User = Static<typeof User>;

export const LoginResponse = Type.Object({ access: Type.String(), refresh: Type.String(), user: User });
export type LoginResponse = Static<typeof LoginResponse>;

/** The configuration that the page needs to sign in; also embedded in `index.html`. */
export const RuntimeConfig = Type.Object({
  domain: Type.String({ description: "The identity provider's domain; empty when not configured." }),
  client_id: Type.String({ description: 'The client registered there; empty when not configured.' }),
  audience: Type.Optional(Type.String()),
  support_email: Type.String(),
});
export type RuntimeConfig = Static<typeof RuntimeConfig>;

const ProviderToken = Type.Object({ token: Type.String({ minLength: 1, maxLength: 8192 }) });
const RefreshToken = Type.Object({ refresh: Type.String({ minLength: 1, maxLength: 512 }) });

export const logIn = endpoint({
  method: 'POST',
  path: '/api/v1/auth0/login/',
  summary: "Exchange the identity provider's access token for the product's own tokens",
  tag,
  access: 'public',
  body: ProviderToken,
  status: 200,
  response: LoginResponse,
  errors: ['provider_token_rejected', 'email_not_verified', 'email_not_supported', 'provider_unavailable'],
});

export const syncUser = endpoint({
  method: 'POST',
  path: '/api/v1/auth0/sync/',
  summary: "Take the user's name and e-mail over from the identity provider",
  tag,
  access: 'signed_in',
  body: ProviderToken,
  status: 200,
  response: User,
  errors: ['provider_token_rejected', 'email_not_verified', 'email_not_supported', 'provider_unavailable'],
});

export const refreshAccessToken = endpoint({
  method: 'POST',
  path: '/api/v1/auth/token/refresh/',
  summary: 'Get a new access token for a refresh token',
  tag,
  access: 'public',
  body: RefreshToken,
  status: 200,
  response: Type.Object({ access: Type.String() }),
  errors: ['refresh_token_invalid'],
});

export const logOut = endpoint({
  method: 'POST',
  path: '/api/v1/auth/logout/',
  summary: 'Revoke a refresh token; answers the same for one that is unknown',
  tag,
  access: 'public',
  body: RefreshToken,
  status: 204,
});

export const logOutEverywhere = endpoint({
  method: 'POST',
  path: '/api/v1/auth/logout-everywhere/',
  summary: 'Revoke every refresh token of the signed-in user; at the embedded identity provider, end their sessions too',
  tag,
  access: 'signed_in',
  status: 204,
});

export const getCurrentUser = endpoint({
  method: 'GET',
  path: '/api/v1/users/me/',
  summary: 'The signed-in user',
  tag,
  access: 'signed_in',
  status: 200,
  response: User,
});

export const getProviderUser = endpoint({
  method: 'GET',
  path: '/api/v1/auth0/user/',
  summary: 'The signed-in user as last taken over from the identity provider',
  tag,
  access: 'signed_in',
  status: 200,
  response: Type.Object({
    sub: Type.String(),
    email: Type.String(),
    email_verified: Type.Boolean(),
    first_name: Type.String(),
    last_name: Type.String(),
  }),
});

export const getRuntimeConfig = endpoint({
  method: 'GET',
  path: '/api/v1/auth0/config/',
  summary: 'The public configuration of sign-in',
  tag,
  access: 'public',
  status: 200,
  response: RuntimeConfig,
});
