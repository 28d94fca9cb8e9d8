import { countRecentActions } from '../../audit/audit.ts';
import type { Db } from '../../db/database.ts';
import { AppError } from '../../lib/errors.ts';

/** Each of these actions sends one mail. Mails about memberships are counted separately, so that they do not block invitations. */
const INVITATIONS = ['member.invited', 'member.added', 'invitation.resent'];
const NOTICES = ['member.role_changed', 'member.removed'];
const MAILS_TO_ONE_PERSON = 5;
const MAILS_OF_ONE_BRAND = 100;

/**
 * Keeps an admin, or someone with a stolen admin session, from flooding people with mail. Counts the last hour of the audit log, so
 * removing and inviting someone again does not reset the limit.
 */
export async function refuseTooManyMails(db: Db, brandId: number, memberId: number): Promise<void> {
  const sent = await countRecentActions(db, { brandId, memberId, actions: INVITATIONS });
  if (sent.to_member >= MAILS_TO_ONE_PERSON) {
    throw new AppError('rate_limited', 'This person has been sent several emails already. Please wait an hour.');
  }
  if (sent.in_brand >= MAILS_OF_ONE_BRAND) {
    throw new AppError('rate_limited', 'This brand has invited many people already. Please wait an hour.');
  }
}

/** For actions that must not fail because of their mail: beyond the limit no mail is sent. */
export async function mayBeMailed(db: Db, brandId: number, memberId: number): Promise<boolean> {
  const sent = await countRecentActions(db, { brandId, memberId, actions: NOTICES });
  return sent.to_member < MAILS_TO_ONE_PERSON && sent.in_brand < MAILS_OF_ONE_BRAND;
}
