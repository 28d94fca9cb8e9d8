import type { Member, OwnInvitation } from '@brand-portal/contract/members';
import { audit } from '../../audit/audit.ts';
import { type Db, inTransaction } from '../../db/database.ts';
import { AppError } from '../../lib/errors.ts';
import { isDeletedAccount } from '../identity/users.ts';
import { deleteInvitation, listInvitationsOf } from './invitations.queries.ts';
import { activateMember, lockMember, lockOwners } from './members.queries.ts';
import { removeMember } from './members.ts';

/** Signing in with the invited e-mail proves the same as its link. */
export async function listOwnInvitations(db: Db, userId: number): Promise<{ results: OwnInvitation[] }> {
  const rows = await listInvitationsOf(db, userId);
  const results = rows.map(({ first_name, last_name, email, ...invitation }) => ({
    ...invitation,
    invited_by: email === null || isDeletedAccount({ email }) ? '' : [first_name, last_name].filter(Boolean).join(' ') || email,
  }));
  return { results };
}

export function acceptInvitation(db: Db, userId: number, brandId: number): Promise<void> {
  return inTransaction(db, async (db) => {
    requireInvited(await lockMember(db, brandId, userId));
    const open = await listInvitationsOf(db, userId);
    if (!open.some(({ brand_id }) => brand_id === brandId)) throw noInvitation();
    await activateMember(db, brandId, userId);
    await deleteInvitation(db, brandId, userId);
    const details = { member_id: userId, by: 'accepted' };
    await audit(db, { brandId, userId, action: 'member.activated', details });
  });
}

export function declineInvitation(db: Db, userId: number, brandId: number): Promise<void> {
  return inTransaction(db, async (db) => {
    // Owners first, then the membership: the same lock order as in every change of members.
    await lockOwners(db, brandId);
    requireInvited(await lockMember(db, brandId, userId));
    await removeMember(db, userId, brandId, userId);
  });
}

function requireInvited(member: Member | undefined): void {
  if (member?.status !== 'invited') throw noInvitation();
}

function noInvitation(): AppError {
  return new AppError('invitation_invalid', 'There is no such invitation any more.');
}
