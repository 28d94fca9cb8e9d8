import { type Static, Type } from 'typebox';
import { LANGUAGES } from './constants.ts';
import { endpoint } from './endpoint.ts';
import { User } from './identity.ts';
import { Id } from './paging.ts';
import { PersonName } from './people.ts';

const tag = 'account';

/** How the account's password is changed: on the embedded provider's page, by a mail from the provider, or outside the portal. */
export const PASSWORD_CHANGES = ['page', 'mail', 'none'] as const;
export type PasswordChange = (typeof PASSWORD_CHANGES)[number];

export const Account = Type.Interface([User], {
  language: Type.Union([Type.Enum(LANGUAGES), Type.Null()], { description: 'Mails are written in it.' }),
  password_change: Type.Enum(PASSWORD_CHANGES),
});
export type Account = Static<typeof Account>;

export const UpdateAccount = Type.Object(
  {
    first_name: Type.Optional(PersonName),
    last_name: Type.Optional(PersonName),
    language: Type.Optional(Type.Enum(LANGUAGES)),
  },
  { minProperties: 1 },
);
export type UpdateAccount = Static<typeof UpdateAccount>;

export const getAccount = endpoint({
  method: 'GET',
  path: '/api/v1/users/me/account/',
  summary: 'What whoever is signed in can change of their account',
  tag,
  access: 'signed_in',
  status: 200,
  response: Account,
});

export const updateAccount = endpoint({
  method: 'PATCH',
  path: '/api/v1/users/me/account/',
  summary: 'Change name or language; from then on the name is no longer taken over from the identity provider',
  tag,
  access: 'signed_in',
  body: UpdateAccount,
  status: 200,
  response: Account,
});

/** Read from the browser's user agent; null where it is not recognised. */
export const Device = Type.Object({
  browser: Type.Union([Type.String(), Type.Null()]),
  system: Type.Union([Type.String(), Type.Null()]),
});
export type Device = Static<typeof Device>;

export const Session = Type.Object({
  id: Id,
  device: Device,
  address: Type.String({ description: 'The network address that it was last used from.' }),
  created_at: Type.String({ format: 'date-time' }),
  last_used_at: Type.String({ format: 'date-time', description: 'To the minute.' }),
  is_current: Type.Boolean({ description: 'The session of this call.' }),
});
export type Session = Static<typeof Session>;

export const listSessions = endpoint({
  method: 'GET',
  path: '/api/v1/users/me/sessions/',
  summary: 'Where whoever is signed in is signed in, the last used first',
  tag,
  access: 'signed_in',
  status: 200,
  response: Type.Object({ results: Type.Array(Session) }),
});

export const endSession = endpoint({
  method: 'DELETE',
  path: '/api/v1/users/me/sessions/:sessionId/',
  summary: 'End one session: its next call is refused',
  tag,
  access: 'signed_in',
  params: Type.Object({ sessionId: Id }),
  status: 204,
  errors: ['session_not_found'],
});

export const endOtherSessions = endpoint({
  method: 'POST',
  path: '/api/v1/users/me/sessions/end-others/',
  summary: 'End all sessions but that of this call',
  tag,
  access: 'signed_in',
  status: 204,
});

export const Notice = Type.Object({ brand_id: Id, brand_name: Type.String(), certificate_mails: Type.Boolean() });
export type Notice = Static<typeof Notice>;

export const listNotices = endpoint({
  method: 'GET',
  path: '/api/v1/users/me/notifications/',
  summary: 'The brands that whoever is signed in gets mails about; turned on and off brand by brand',
  tag,
  access: 'signed_in',
  status: 200,
  response: Type.Object({ results: Type.Array(Notice) }),
});

export const mailPasswordLink = endpoint({
  method: 'POST',
  path: '/api/v1/users/me/password-mail/',
  summary: 'Have the identity provider mail a link to change the password by',
  tag,
  access: 'signed_in',
  status: 204,
  errors: ['provider_unavailable', 'not_found'],
});

export const deleteAccount = endpoint({
  method: 'POST',
  path: '/api/v1/users/me/delete/',
  summary: 'Delete the account of whoever is signed in',
  description:
    'Memberships and sessions end. What was done stays in the history of the brands, without name and address. Refused with `account_owns_brands` where a brand would be left without an owner: `brands` in `context` names them.',
  tag,
  access: 'signed_in',
  body: Type.Object({ email: Type.String({ maxLength: 254, description: 'Their own address, to confirm it.' }) }),
  status: 204,
  errors: ['account_owns_brands'],
});
