import { createBrand } from '@brand-portal/contract/brands';
import * as endpoints from '@brand-portal/contract/members';
import * as team from '@brand-portal/contract/team';
import type { Db } from '../../db/database.ts';
import type { Route } from '../../http/route.ts';
import { copyInvitationLink, createBrandWithOwner, inviteMember, invitePeople, resendInvitation } from './invitations.ts';
import { getNotifications, listMembers, removeMember, updateMemberRole, updateNotifications } from './members.ts';
import { acceptInvitation, declineInvitation, listOwnInvitations } from './own-invitations.ts';
import { listTeam } from './team.queries.ts';

interface Dependencies {
  readonly db: Db;
  readonly publicUrl: string;
}

export function registerMemberRoutes(route: Route, { db, publicUrl }: Dependencies): void {
  // Here and not among the brands' routes, because it also invites the owner.
  route(createBrand, ({ body, userId }) => createBrandWithOwner(db, userId, body));

  route(endpoints.listMembers, ({ params }) => listMembers(db, params.brandId));

  route(endpoints.inviteMember, ({ params, body, userId }) => inviteMember(db, userId, params.brandId, body));

  route(endpoints.updateMember, ({ params, body, query, userId }) =>
    updateMemberRole(db, userId, params.brandId, params.memberId, { ...body, ...query }),
  );

  route(endpoints.removeMember, ({ params, query, userId }) => removeMember(db, userId, params.brandId, params.memberId, query.keys));

  route(endpoints.resendInvitation, ({ params, userId }) => resendInvitation(db, userId, params.brandId, params.memberId));

  route(team.listTeam, ({ params, query }) => listTeam(db, params.brandId, query));

  route(team.invitePeople, ({ params, body, userId }) => invitePeople(db, userId, params.brandId, body));

  route(team.createInvitationLink, ({ params: { brandId, memberId }, userId }) =>
    copyInvitationLink(db, publicUrl, { actor: userId, brandId, memberId }),
  );

  route(endpoints.leaveBrand, ({ params, query, userId }) => removeMember(db, userId, params.brandId, userId, query.keys));

  route(endpoints.getNotifications, ({ params, userId }) => getNotifications(db, params.brandId, userId));

  route(endpoints.updateNotifications, ({ params, userId, body }) => updateNotifications(db, params.brandId, userId, body));

  route(endpoints.listOwnInvitations, ({ userId }) => listOwnInvitations(db, userId));

  route(endpoints.acceptInvitation, ({ params, userId }) => acceptInvitation(db, userId, params.brandId));

  route(endpoints.declineInvitation, ({ params, userId }) => declineInvitation(db, userId, params.brandId));
}
