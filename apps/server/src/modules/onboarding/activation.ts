import { type Db, inTransaction } from '../../db/database.ts';
import { audit } from '../audit/audit.ts';
import { deleteInvitationsOf } from './invitations.queries.ts';
import { activateInvitedMembers, listInvitedBrandIds } from './members.queries.ts';

/**
 * Someone who signs in with the verified e-mail that an invitation went to has proved what its link would have proved.
 * Called at every sign-in, so the usual case, nothing to do, is one look at an index.
 */
export async function activateInvitedMemberships(db: Db, userId: number): Promise<void> {
  const invited = await listInvitedBrandIds(db, userId);
  if (invited.length === 0) return;
  await inTransaction(db, async (db) => {
    const brandIds = await activateInvitedMembers(db, userId);
    await deleteInvitationsOf(db, userId);
    for (const brandId of brandIds) {
      const details = { member_id: userId, by: 'sign_in' };
      await audit(db, { brandId, userId, action: 'member.activated', details });
    }
  });
}
