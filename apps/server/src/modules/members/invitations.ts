import type { Brand, CreateBrand } from '@brand-portal/contract/brands';
import { DEFAULT_LANGUAGE, type Language } from '@brand-portal/contract/constants';
import type { InviteMember, Member } from '@brand-portal/contract/members';
import { emailKey } from '@brand-portal/contract/people';
import type { InvitationLink, InvitationOutcome, InvitePeople } from '@brand-portal/contract/team';
import { type Db, inTransaction } from '../../db/database.ts';
import { codeOfDatabaseError } from '../../db/pg-errors.ts';
import { AppError, alreadyMember, userNotFound } from '../../errors.ts';
import { cancelJob, type Jobs, queueJob } from '../../jobs/queue.ts';
import { audit } from '../audit/audit.ts';
import { createBrand, getBrand } from '../brands/brands.ts';
import { getOrCreateUser, getUserByEmail } from '../identity/users.ts';
import { invitationLink, issueCopiedLink, issueToken } from './invitation-tokens.ts';
import { deleteLongExpiredInvitations, insertMissingInvitation, upsertInvitation } from './invitations.queries.ts';
import { refuseTooManyMails } from './mail-limits.ts';
import { lockMember } from './members.queries.ts';
import { type Actor, getMember } from './members.ts';
import { addMember, requireRole } from './memberships.ts';
import { toMailAddress, toPersonName } from './people.ts';

interface Invitation extends InviteMember {
  readonly isByOperator: boolean;
}

export function inviteMember(db: Db, actor: Actor, brandId: number, invitation: InviteMember): Promise<Member> {
  return inTransaction(db, async (db) => {
    if (invitation.role === 'owner' && actor !== null) await requireRole(db, brandId, actor, 'owner');
    const email = toMailAddress(invitation.email, 'email');
    return addOrInviteMember(db, actor, brandId, { ...invitation, email, isByOperator: actor === null });
  });
}

/** Each address by itself: one that cannot be invited does not stop the others. */
export async function invitePeople(
  db: Db,
  actor: number,
  brandId: number,
  { emails, role, language }: InvitePeople,
): Promise<{ results: { email: string; outcome: InvitationOutcome }[] }> {
  if (role === 'owner') await requireRole(db, brandId, actor, 'owner');
  const addresses = new Map(emails.map((email) => [emailKey(email.trim()), email.trim()]));
  const results = [];
  for (const email of addresses.values()) {
    const outcome = await inviteMember(db, actor, brandId, { email, role, ...(language && { language }) }).then(
      () => 'invited' as const,
      (error: unknown) => toOutcome(db, brandId, email, error),
    );
    results.push({ email, outcome });
  }
  return { results };
}

/** What stops one invitation; everything else stops them all. */
async function toOutcome(db: Db, brandId: number, email: string, error: unknown): Promise<InvitationOutcome> {
  const code = error instanceof AppError ? error.code : codeOfDatabaseError(error);
  if (code === 'validation_failed') return 'invalid';
  if (code === 'rate_limited') return 'rate_limited';
  if (code !== 'already_member') throw error;
  const { id } = await getUserByEmail(db, email);
  return (await getMember(db, brandId, id)).status === 'active' ? 'already_member' : 'already_invited';
}

/** A brand is never without someone who is, or is invited to be, its owner. */
export function createBrandWithOwner(
  db: Db,
  actor: Actor,
  { owner_email, language, ...fields }: CreateBrand & { language?: Language },
): Promise<Brand> {
  return inTransaction(db, async (db) => {
    const email = toMailAddress(owner_email, 'owner_email');
    const brandId = await createBrand(db, actor, fields);
    await addOrInviteMember(db, actor, brandId, {
      email,
      role: 'owner',
      isByOperator: true,
      ...(language && { language }),
    });
    return getBrand(db, brandId);
  });
}

/** By the platform's staff, who need not be members. */
export function inviteOwner(db: Db, actor: Actor, brandId: number, ownerEmail: string): Promise<Member> {
  return inTransaction(db, async (db) => {
    const email = toMailAddress(ownerEmail, 'email');
    return addOrInviteMember(db, actor, brandId, { email, role: 'owner', isByOperator: true });
  });
}

/** The link of the mail before stops working at once; the new mail follows within moments. */
export function resendInvitation(db: Db, actor: Actor, brandId: number, memberId: number): Promise<void> {
  return inTransaction(db, async (db) => {
    await renewInvitation(db, actor, brandId, memberId);
    if (actor !== null) await refuseTooManyMails(db, brandId, memberId);
    await queueInvitation(db, { brand_id: brandId, user_id: memberId });
    await audit(db, { brandId, userId: actor, action: 'invitation.resent', details: { member_id: memberId } });
  });
}

/** For an operator who hands the link over by other means than mail. */
export function createInvitationLink(db: Db, publicUrl: string, brandId: number, memberId: number): Promise<string> {
  return inTransaction(db, async (db) => {
    await renewInvitation(db, null, brandId, memberId);
    // Otherwise a mail that is being tried again and again would replace the link that the operator hands over.
    await cancelJob(db, invitationKey({ brand_id: brandId, user_id: memberId }));
    const issued = await issueToken(db, brandId, memberId);
    if (!issued) throw new Error('An invitation vanished while it was locked');
    await audit(db, { brandId, userId: null, action: 'invitation.link_made', details: { member_id: memberId } });
    return invitationLink(publicUrl, issued.token);
  });
}

/**
 * For an admin who hands the link over. An admin is not trusted with what the mail proves: with that, an account of somebody else's
 * address could be made, and the next brand that invites it would let the wrong person in.
 */
export function copyInvitationLink(
  db: Db,
  publicUrl: string,
  { actor, brandId, memberId }: { actor: number; brandId: number; memberId: number },
): Promise<InvitationLink> {
  return inTransaction(db, async (db) => {
    await lockInvited(db, brandId, memberId);
    const ids = { brand_id: brandId, user_id: memberId };
    await insertMissingInvitation(db, { ...ids, language: DEFAULT_LANGUAGE, invited_by: actor });
    const { token, expires_at } = await issueCopiedLink(db, brandId, memberId);
    await audit(db, { brandId, userId: actor, action: 'invitation.link_made', details: { member_id: memberId } });
    return { link: invitationLink(publicUrl, token), expires_at: expires_at.toISOString() };
  });
}

/** Asked for by whoever opened a link that was handed over. */
export async function mailInvitationAgain(db: Db, brandId: number, memberId: number): Promise<void> {
  await refuseTooManyMails(db, brandId, memberId);
  await queueInvitation(db, { brand_id: brandId, user_id: memberId });
  await audit(db, { brandId, userId: null, action: 'invitation.resent', details: { member_id: memberId, by: 'link' } });
}

async function lockInvited(db: Db, brandId: number, memberId: number): Promise<void> {
  const member = await lockMember(db, brandId, memberId);
  if (!member) throw userNotFound();
  if (member.status === 'active') throw alreadyMember();
}

async function renewInvitation(db: Db, actor: Actor, brandId: number, memberId: number): Promise<void> {
  await lockInvited(db, brandId, memberId);
  const ids = { brand_id: brandId, user_id: memberId };
  await upsertInvitation(db, { ...ids, language: DEFAULT_LANGUAGE, invited_by: actor });
}

/**
 * Nobody joins unasked: someone with an account accepts when signed in, everyone else by the link with which they make one. Only
 * those who run the installation put people with an account into a brand at once; they are told by mail.
 */
async function addOrInviteMember(db: Db, actor: Actor, brandId: number, invitation: Invitation): Promise<Member> {
  const { email, role, language = DEFAULT_LANGUAGE, isByOperator } = invitation;
  // Without the name: what one brand calls somebody is not for the others.
  const user = await getOrCreateUser(db, { email, first_name: '', last_name: '' });
  if (actor !== null) await refuseTooManyMails(db, brandId, user.id);
  const ids = { brand_id: brandId, user_id: user.id };
  const joins = isByOperator && user.provider_subject !== null;
  await addMember(db, { brandId, userId: user.id, role, status: joins ? 'active' : 'invited' });
  if (joins) {
    await queueJob(db, 'send_added_notice', { ...ids, language, added_by: actor });
  } else {
    const names = { first_name: toPersonName(invitation.first_name), last_name: toPersonName(invitation.last_name) };
    await upsertInvitation(db, { ...ids, ...names, language, invited_by: actor });
    await queueInvitation(db, ids);
  }
  const action = joins ? 'member.added' : 'member.invited';
  await audit(db, { brandId, userId: actor, action, details: { member_id: user.id, email: user.email, role } });
  return getMember(db, brandId, user.id);
}

/** One that still waits for the same invitation is replaced. */
function queueInvitation(db: Db, job: Jobs['send_invitation']): Promise<void> {
  return queueJob(db, 'send_invitation', job, { key: invitationKey(job) });
}

function invitationKey({ brand_id, user_id }: Jobs['send_invitation']): string {
  return `invitation:${brand_id}:${user_id}`;
}

/** How many rows were past their time. */
export function purgeInvitations(db: Db): Promise<number> {
  return deleteLongExpiredInvitations(db);
}
