import type { Db } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import { countRecentActions } from '../audit/audit.ts';

/** Each of these sends one mail. What is told about a membership is counted apart: it must not stop invitations. */
const INVITATIONS = ['member.invited', 'member.added', 'invitation.resent'];
const NOTICES = ['member.role_changed', 'member.removed'];
const MAILS_TO_ONE_PERSON = 5;
const MAILS_OF_ONE_BRAND = 100;

/**
 * An admin, or whoever got hold of an admin's session, must not flood people with our mail. Counted by what the audit log
 * has of the last hour, so that removing someone and inviting them again starts nothing anew.
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

/** For what must not be refused because of its mail: beyond the limit it is done without one. */
export async function mayBeMailed(db: Db, brandId: number, memberId: number): Promise<boolean> {
  const sent = await countRecentActions(db, { brandId, memberId, actions: NOTICES });
  return sent.to_member < MAILS_TO_ONE_PERSON && sent.in_brand < MAILS_OF_ONE_BRAND;
}
