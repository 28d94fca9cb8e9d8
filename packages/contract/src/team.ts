import { type Static, Type } from 'typebox';
import { BrandParams } from './brands.ts';
import { LANGUAGES, MAX_SEARCH_LENGTH } from './constants.ts';
import { endpoint } from './endpoint.ts';
import { Member } from './members.ts';
import { Id, PageNumber, PageSize } from './paging.ts';
import { ROLES, Role } from './roles.ts';

const tag = 'members';

export const TEAM_STATES = ['active', 'invited', 'expired'] as const;
export type TeamState = (typeof TEAM_STATES)[number];

export const TEAM_COLUMNS = ['name', 'role', 'state', 'last_seen'] as const;
export type TeamColumn = (typeof TEAM_COLUMNS)[number];
export type TeamOrdering = TeamColumn | `-${TeamColumn}`;
export const TEAM_ORDERINGS = TEAM_COLUMNS.flatMap((name): TeamOrdering[] => [name, `-${name}`]);

export const TeamMember = Type.Interface([Member], {
  state: Type.Enum([...TEAM_STATES], { description: 'expired: invited, and the link no longer works.' }),
  last_seen_at: Type.Union([Type.String(), Type.Null()], {
    description: 'When they last used this brand, to within ten minutes; null: never.',
  }),
  expires_at: Type.Union([Type.String(), Type.Null()], {
    description: 'Of an invitation: until when its link works; null until the mail is sent.',
  }),
  is_last_owner: Type.Boolean({ description: 'The brand needs them: they can neither go nor lose the role.' }),
});
export type TeamMember = Static<typeof TeamMember>;

export const TeamQuery = Type.Object({
  page: PageNumber,
  page_size: PageSize,
  search: Type.Optional(Type.String({ maxLength: MAX_SEARCH_LENGTH, description: 'Words, each in name or address.' })),
  role: Type.Optional(Type.Enum([...ROLES])),
  state: Type.Optional(Type.Enum([...TEAM_STATES])),
  ordering: Type.Optional(Type.Enum(TEAM_ORDERINGS, { description: 'Without it: members before the invited, owners first, by name.' })),
});
export type TeamQuery = Static<typeof TeamQuery>;

export const TeamPage = Type.Object({ results: Type.Array(TeamMember), count: Type.Integer({ minimum: 0 }) });
export type TeamPage = Static<typeof TeamPage>;

export const listTeam = endpoint({
  method: 'GET',
  path: '/api/v1/brands/:brandId/team/',
  summary: 'One page of the members and the invited of a brand',
  tag,
  access: 'admin',
  params: BrandParams,
  query: TeamQuery,
  status: 200,
  response: TeamPage,
  errors: ['brand_not_found'],
});

/** A brand may send 100 invitations an hour. */
export const MAX_INVITED_AT_ONCE = 100;

export const InvitePeople = Type.Object({
  emails: Type.Array(Type.String({ maxLength: 500 }), { minItems: 1, maxItems: MAX_INVITED_AT_ONCE }),
  role: Role,
  language: Type.Optional(Type.Enum(LANGUAGES, { description: 'Of the mails; English when absent.' })),
});
export type InvitePeople = Static<typeof InvitePeople>;

export const InvitationOutcome = Type.Enum(['invited', 'already_member', 'already_invited', 'invalid', 'rate_limited']);
export type InvitationOutcome = Static<typeof InvitationOutcome>;

export const invitePeople = endpoint({
  method: 'POST',
  path: '/api/v1/brands/:brandId/team/invitations/',
  summary: 'Invite several people at once; each address has its own result',
  description: 'Two spellings of one address count once. An address that cannot be invited does not stop the others.',
  tag,
  access: 'admin',
  params: BrandParams,
  body: InvitePeople,
  status: 200,
  response: Type.Object({ results: Type.Array(Type.Object({ email: Type.String(), outcome: InvitationOutcome })) }),
  errors: ['brand_not_found'],
});

export const InvitationLink = Type.Object({
  link: Type.String(),
  expires_at: Type.String(),
});
export type InvitationLink = Static<typeof InvitationLink>;

export const createInvitationLink = endpoint({
  method: 'POST',
  path: '/api/v1/brands/:brandId/team/:memberId/link/',
  summary: 'A link to an invitation, to be handed over; one that was made before stops working',
  description:
    'It proves nothing about the address: whoever opens it can have the invitation mailed there again, and only the link in a mail lets somebody in.',
  tag,
  access: 'admin',
  params: Type.Object({ brandId: Id, memberId: Id }),
  status: 200,
  response: InvitationLink,
  errors: ['brand_not_found', 'user_not_found', 'already_member'],
});
