import type { SetupPassword } from '@brand-portal/contract/onboarding';
import { isUnambiguousEmail } from '@brand-portal/contract/people';
import { type Role, roleIncludes } from '@brand-portal/contract/roles';
import { audit } from '../../audit/audit.ts';
import { type Db, inTransaction } from '../../db/database.ts';
import { AppError, emailNotSupported } from '../../lib/errors.ts';
import { hashSecretToken } from '../identity/secret-tokens.ts';
import { linkAccount } from '../identity/users.ts';
import type { IdentityDirectory } from './identity-directory.ts';
import { checkPassword } from './identity-directory.ts';
import { deleteHeldInvitation, deleteInvitation, type HeldInvitation, returnSetupLease, takeSetupLease } from './invitations.queries.ts';
import { activateMember, deleteMember, lockMember, lockOwners, updateMemberRole } from './members.queries.ts';
import { addMember } from './memberships.ts';
import { toPersonName } from './people.ts';
import { STAFF_SETUP } from './staff-invitations.ts';
import { getOpenInvitation, invitationInvalid } from './verification.ts';

type Held = Omit<HeldInvitation, 'brandId'>;

interface Account {
  readonly subject: string;
  readonly firstName: string;
  readonly lastName: string;
}

/**
 * Creates the account, then the membership, if it is of a brand. The provider is called outside of transactions. If that fails, the invitation stays valid. If
 * only the response is lost, the next attempt finds the account and continues.
 */
export async function setupPassword(
  db: Db,
  directory: IdentityDirectory,
  { token, password, first_name, last_name }: SetupPassword,
): Promise<{ email: string }> {
  const invitation = await getOpenInvitation(db, token);
  const { email, verified, brand_id: brandId, user_id: userId } = invitation;
  if (!verified) throw new AppError('email_not_verified', 'Please verify your e-mail address first.');
  // Invited before such addresses were refused.
  if (!isUnambiguousEmail(email)) throw emailNotSupported();
  checkPassword(password);

  const { takeLease, returnLease, activate } = brandId === null ? STAFF_SETUP : memberSetup(brandId);
  const lease = await takeLease(db, hashSecretToken(token));
  if (!lease) {
    // Used in the meantime, or being used in another tab.
    await getOpenInvitation(db, token);
    throw new AppError('setup_in_progress', 'Your account is being set up already. Please wait a moment.');
  }
  const held = { userId, lease };
  const names = {
    firstName: toPersonName(first_name ?? invitation.first_name),
    lastName: toPersonName(last_name ?? invitation.last_name),
  };
  try {
    const { subject } = await directory.createOrUpdateUser({ email, password, ...names });
    await activate(db, held, { subject, ...names });
  } catch (error) {
    // If this fails too, the lease expires. The first error is reported.
    await returnLease(db, held).catch(() => undefined);
    throw error;
  }
  return { email };
}

const memberSetup = (brandId: number) => ({
  takeLease: takeSetupLease,
  returnLease: (db: Db, held: Held) => returnSetupLease(db, { brandId, ...held }),
  activate: (db: Db, held: Held, account: Account) => activateInvited(db, { brandId, ...held }, account),
});

function activateInvited(db: Db, held: HeldInvitation, account: Account): Promise<void> {
  const { brandId, userId } = held;
  return inTransaction(db, async (db) => {
    // Owners first (the account's user may be one), then membership, then invitation: the same lock order as when a member is removed, to
    // avoid deadlocks.
    await lockOwners(db, brandId);
    const member = await lockMember(db, brandId, userId);
    const usedUp = await deleteHeldInvitation(db, held);
    // Withdrawn while the provider was called. (Or accepted by a sign-in at the same time: nothing left to do.)
    if (!member || (!usedUp && member.status !== 'active')) throw invitationInvalid();
    const user = await linkAccount(db, userId, account);
    if (user.id === userId) {
      await activateMember(db, brandId, userId);
    } else {
      await deleteMember(db, brandId, userId);
      await joinAs(db, brandId, user.id, member.role);
    }
    const details = { member_id: user.id, by: 'setup_password' };
    await audit(db, { brandId, userId: user.id, action: 'member.activated', details });
  });
}

/** For a user who may be a member or invited already, by another address. The higher role counts. */
async function joinAs(db: Db, brandId: number, userId: number, role: Role): Promise<void> {
  const member = await lockMember(db, brandId, userId);
  if (!member) return addMember(db, { brandId, userId, role, status: 'active' });
  if (!roleIncludes(member.role, role)) await updateMemberRole(db, brandId, userId, role);
  await activateMember(db, brandId, userId);
  await deleteInvitation(db, brandId, userId);
}
