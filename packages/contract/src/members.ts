import { type Static, Type } from 'typebox';
import { BrandParams } from './brands.ts';
import { LANGUAGES } from './constants.ts';
import { endpoint } from './endpoint.ts';
import { Id } from './paging.ts';
import { EmailAddress, PersonName } from './people.ts';
import { Role } from './roles.ts';

const tag = 'members';

export const MemberStatus = Type.Enum(['active', 'invited']);
export type MemberStatus = Static<typeof MemberStatus>;

export const Member = Type.Object({
  id: Id,
  email: Type.String(),
  first_name: Type.String(),
  last_name: Type.String(),
  role: Role,
  status: MemberStatus,
});
export type Member = Static<typeof Member>;

export const InviteMember = Type.Object({
  email: EmailAddress,
  role: Role,
  first_name: Type.Optional(PersonName),
  last_name: Type.Optional(PersonName),
  language: Type.Optional(Type.Enum(LANGUAGES, { description: 'Of the invitation mail; English when absent.' })),
});
export type InviteMember = Static<typeof InviteMember>;

/** What becomes of the API keys and the feed URL that a person created, when they leave or are no longer an admin. */
export const KEYS_OF_MEMBER = ['revoke', 'keep'] as const;
export type KeysOfMember = (typeof KEYS_OF_MEMBER)[number];
const KeysQuery = Type.Object({
  keys: Type.Optional(
    Type.Enum([...KEYS_OF_MEMBER], {
      description: 'The API keys and the feed URL that the person created: revoked, unless this is "keep". Owners get an email.',
    }),
  ),
});

const MemberParams = Type.Object({ brandId: Id, memberId: Id });

export const listMembers = endpoint({
  method: 'GET',
  path: '/api/v1/brands/:brandId/members/',
  summary: 'The members of the brand, the invited included',
  tag,
  access: 'admin',
  params: BrandParams,
  status: 200,
  response: Type.Object({ results: Type.Array(Member) }),
  errors: ['brand_not_found'],
});

export const inviteMember = endpoint({
  method: 'POST',
  path: '/api/v1/brands/:brandId/members/',
  summary: 'Invite someone by e-mail; someone who has an account accepts it when signed in',
  tag,
  access: 'admin',
  params: BrandParams,
  body: InviteMember,
  status: 201,
  response: Member,
  errors: ['brand_not_found', 'already_member'],
});

export const updateMember = endpoint({
  method: 'PATCH',
  path: '/api/v1/brands/:brandId/members/:memberId/',
  summary: "Change a member's role; only an owner may make or unmake owners",
  tag,
  access: 'admin',
  params: MemberParams,
  body: Type.Object({ role: Role }),
  query: KeysQuery,
  status: 200,
  response: Member,
  errors: ['brand_not_found', 'user_not_found', 'last_owner'],
});

export const removeMember = endpoint({
  method: 'DELETE',
  path: '/api/v1/brands/:brandId/members/:memberId/',
  summary: 'Remove a member, or withdraw an invitation',
  tag,
  access: 'admin',
  inInactive: true,
  params: MemberParams,
  query: KeysQuery,
  status: 204,
  errors: ['brand_not_found', 'user_not_found', 'last_owner'],
});

export const resendInvitation = endpoint({
  method: 'POST',
  path: '/api/v1/brands/:brandId/members/:memberId/resend/',
  summary: 'Send the invitation again with a new link; the old link stops working',
  tag,
  access: 'admin',
  params: MemberParams,
  status: 204,
  errors: ['brand_not_found', 'user_not_found', 'already_member'],
});

export const leaveBrand = endpoint({
  method: 'POST',
  path: '/api/v1/brands/:brandId/leave/',
  summary: 'Leave the brand',
  tag,
  access: 'viewer',
  inInactive: true,
  keys: false,
  params: BrandParams,
  query: KeysQuery,
  status: 204,
  errors: ['brand_not_found', 'last_owner'],
});

export const Notifications = Type.Object({
  certificate_mails: Type.Boolean({
    description: 'Whether mails tell of certificates that end soon or are no longer valid.',
  }),
});
export type Notifications = Static<typeof Notifications>;

export const getNotifications = endpoint({
  method: 'GET',
  path: '/api/v1/brands/:brandId/notifications/',
  summary: 'Which mails about the brand whoever is signed in gets; only owners and admins get any',
  tag,
  access: 'admin',
  params: BrandParams,
  status: 200,
  response: Notifications,
  errors: ['brand_not_found', 'user_not_found'],
});

export const updateNotifications = endpoint({
  method: 'PATCH',
  path: '/api/v1/brands/:brandId/notifications/',
  summary: 'Turn mails about the brand on or off for whoever is signed in',
  tag,
  access: 'admin',
  inInactive: true,
  params: BrandParams,
  body: Notifications,
  status: 200,
  response: Notifications,
  errors: ['brand_not_found', 'user_not_found'],
});

/** A brand that has invited the signed-in user. */
export const OwnInvitation = Type.Object({
  brand_id: Id,
  brand_name: Type.String(),
  role: Role,
  invited_by: Type.String({ description: 'Name or e-mail of whoever invited; empty where that is not known.' }),
});
export type OwnInvitation = Static<typeof OwnInvitation>;

export const listOwnInvitations = endpoint({
  method: 'GET',
  path: '/api/v1/users/me/invitations/',
  summary: 'The brands that have invited whoever is signed in',
  tag,
  access: 'signed_in',
  status: 200,
  response: Type.Object({ results: Type.Array(OwnInvitation) }),
});

export const acceptInvitation = endpoint({
  method: 'POST',
  path: '/api/v1/users/me/invitations/:brandId/accept/',
  summary: 'Join a brand that has invited you',
  tag,
  access: 'signed_in',
  params: BrandParams,
  status: 204,
  errors: ['invitation_invalid'],
});

export const declineInvitation = endpoint({
  method: 'POST',
  path: '/api/v1/users/me/invitations/:brandId/decline/',
  summary: 'Decline the invitation of a brand',
  tag,
  access: 'signed_in',
  params: BrandParams,
  status: 204,
  errors: ['invitation_invalid'],
});
