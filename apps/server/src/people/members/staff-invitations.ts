import { type Db, inTransaction } from '../../db/database.ts';
import { AppError } from '../../lib/errors.ts';
import { createSecretToken, hashSecretToken } from '../identity/secret-tokens.ts';
import { getOrCreateUser, getUserByEmail, linkAccount, setStaff } from '../identity/users.ts';
import { INVITATION_DAYS, invitationLink } from './invitation-tokens.ts';
import { toMailAddress } from './people.ts';
import {
  deleteHeldStaffInvitation,
  deleteStaffInvitation,
  returnStaffLease,
  takeStaffLease,
  upsertStaffInvitation,
} from './staff-invitations.queries.ts';
import { invitationInvalid } from './verification.ts';

export { INVITATION_DAYS };

/** Somebody without an account gets a link to make one, which the operator passes on. */
export function grantStaff(db: Db, publicUrl: string, address: string): Promise<{ email: string; link: string | undefined }> {
  return inTransaction(db, async (db) => {
    const user = await getOrInviteUser(db, address);
    await setStaff(db, user.id, true);
    if (user.provider_subject !== null) return { email: user.email, link: undefined };
    const token = createSecretToken();
    await upsertStaffInvitation(db, { userId: user.id, tokenHash: hashSecretToken(token), days: INVITATION_DAYS });
    return { email: user.email, link: invitationLink(publicUrl, token) };
  });
}

export function revokeStaff(db: Db, address: string): Promise<{ email: string }> {
  return inTransaction(db, async (db) => {
    const { id, email } = await getUserByEmail(db, address);
    await setStaff(db, id, false);
    await deleteStaffInvitation(db, id);
    return { email };
  });
}

async function getOrInviteUser(db: Db, address: string) {
  try {
    return await getUserByEmail(db, address);
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'user_not_found')) throw error;
    return getOrCreateUser(db, { email: toMailAddress(address, 'email'), first_name: '', last_name: '' });
  }
}

/** See `setupPassword`. */
export const STAFF_SETUP = {
  takeLease: takeStaffLease,
  returnLease: (db: Db, { userId, lease }: { userId: number; lease: Date }) => returnStaffLease(db, userId, lease),
  activate: (
    db: Db,
    { userId, lease }: { userId: number; lease: Date },
    account: { subject: string; firstName: string; lastName: string },
  ): Promise<void> =>
    inTransaction(db, async (db) => {
      // The right was taken back while the provider was called.
      if (!(await deleteHeldStaffInvitation(db, userId, lease))) throw invitationInvalid();
      const user = await linkAccount(db, userId, account);
      // The account is another user's, who has another address there.
      if (user.id === userId) return;
      await setStaff(db, userId, false);
      await setStaff(db, user.id, true);
    }),
};
