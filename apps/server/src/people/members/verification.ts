import type { VerificationStatus } from '@brand-portal/contract/onboarding';
import { fullName } from '@brand-portal/contract/people';
import { audit } from '../../audit/audit.ts';
import { type Db, inTransaction } from '../../db/database.ts';
import { AppError } from '../../lib/errors.ts';
import { hashSecretToken } from '../identity/secret-tokens.ts';
import { findOpenInvitation, type OpenInvitation, updateEmailVerified } from './invitations.queries.ts';
import { mailInvitationAgain } from './invitations.ts';
import { findOpenStaffInvitation, updateStaffVerified } from './staff-invitations.queries.ts';

/** One response for unknown, used, replaced, withdrawn and expired links: the remedy is the same for all of them. */
export async function getOpenInvitation(db: Db, token: string): Promise<OpenInvitation> {
  const tokenHash = hashSecretToken(token);
  const invitation = (await findOpenInvitation(db, tokenHash)) ?? (await findOpenStaffInvitation(db, tokenHash));
  if (!invitation) throw invitationInvalid();
  return invitation;
}

export async function getStatus(db: Db, token: string): Promise<VerificationStatus> {
  return toStatus(await getOpenInvitation(db, token));
}

/** Opening the link proves that the e-mail is theirs. Idempotent. */
export function verify(db: Db, token: string): Promise<VerificationStatus> {
  return inTransaction(db, async (db) => {
    const invitation = await getOpenInvitation(db, token);
    const { brand_id: brandId, user_id: userId } = invitation;
    if (brandId === null) {
      await updateStaffVerified(db, hashSecretToken(token));
      return toStatus({ ...invitation, verified: true });
    }
    if (invitation.is_copied) {
      await mailInvitationAgain(db, brandId, userId);
      return { ...toStatus(invitation), mailed: true };
    }
    if (await updateEmailVerified(db, hashSecretToken(token))) {
      await audit(db, { brandId, userId, action: 'invitation.email_verified', details: { member_id: userId } });
    }
    return toStatus({ ...invitation, verified: true });
  });
}

export function invitationInvalid(): AppError {
  return new AppError('invitation_invalid', 'The verification token is invalid or has expired.');
}

function toStatus(invitation: OpenInvitation): VerificationStatus {
  const { brand_id, verified, email, first_name, last_name, brand_name, role } = invitation;
  const names = { name: fullName(invitation), first_name, last_name };
  const isStaff = brand_id === null && { is_staff: true as const };
  return { verified, member: { email, ...names, parent_company: brand_name, role, ...isStaff } };
}
