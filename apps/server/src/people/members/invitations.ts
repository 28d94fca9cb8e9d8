import type { Brand, CreateBrand } from '@brand-portal/contract/brands';
import { DEFAULT_LANGUAGE, type Language } from '@brand-portal/contract/constants';
import type { InviteMember, Member } from '@brand-portal/contract/members';
import { emailKey } from '@brand-portal/contract/people';
import type { InvitationLink, InvitationOutcome, InvitePeople } from '@brand-portal/contract/team';
import { audit } from '../../audit/audit.ts';
import { type Db, inTransaction } from '../../db/database.ts';
import { codeOfDatabaseError } from '../../db/pg-errors.ts';
import { AppError, alreadyMember, userNotFound } from '../../lib/errors.ts';
import { cancelJob, type Jobs, queueJob } from '../../queue/queue.ts';
import { createBrand, getBrand, refuseOtherLogo, refuseSameBrand } from '../brands/brands.ts';
import { getOrCreateUser, getUserByEmail } from '../identity/users.ts';
import { invitationLink, issueCopiedLink, issueToken } from './invitation-tokens.ts';
import { deleteLongExpiredInvitations, insertMissingInvitation, upsertInvitation } from './invitations.queries.ts';
import { refuseTooManyMails } from './mail-limits.ts';
import { lockMember } from './members.queries.ts';
import { type Actor, getMember } from './members.ts';
import { addMember, requireRole } from './memberships.ts';
import { toMailAddress, toPersonName } from './people.ts';
import { deleteExpiredStaffInvitations } from './staff-invitations.queries.ts';

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

/** Each address separately: one that cannot be invited does not stop the others. */
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

/** Errors of a single invitation. Any other error stops all of them. */
async function toOutcome(db: Db, brandId: number, email: string, error: unknown): Promise<InvitationOutcome> {
  const code = error instanceof AppError ? error.code : codeOfDatabaseError(error);
  if (code === 'validation_failed') return 'invalid';
  if (code === 'rate_limited') return 'rate_limited';
  if (code !== 'already_member') throw error;
  const { id } = await getUserByEmail(db, email);
  return (await getMember(db, brandId, id)).status === 'active' ? 'already_member' : 'already_invited';
}

/** A new brand has an owner, or someone invited as owner, who may decline. */
export function createBrandWithOwner(
  db: Db,
  actor: Actor,
  { owner_email, language, ...fields }: CreateBrand & { language?: Language },
): Promise<Brand> {
  return inTransaction(db, async (db) => {
    const email = toMailAddress(owner_email, 'owner_email');
    refuseOtherLogo(fields.logo ?? '');
    await refuseSameBrand(db, fields.name, email);
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

/** For platform staff, who need not be members. */
export function inviteOwner(db: Db, actor: Actor, brandId: number, ownerEmail: string): Promise<Member> {
  return inTransaction(db, async (db) => {
    const email = toMailAddress(ownerEmail, 'email');
    return addOrInviteMember(db, actor, brandId, { email, role: 'owner', isByOperator: true });
  });
}

/** The link of the previous mail stops working at once. The new mail is queued. */
export function resendInvitation(db: Db, actor: Actor, brandId: number, memberId: number): Promise<void> {
  return inTransaction(db, async (db) => {
    await renewInvitation(db, actor, brandId, memberId);
    if (actor !== null) await refuseTooManyMails(db, brandId, memberId);
    await queueInvitation(db, { brand_id: brandId, user_id: memberId });
    await audit(db, { brandId, userId: actor, action: 'invitation.resent', details: { member_id: memberId } });
  });
}

/** For an operator who passes the link on without mail. */
export function createInvitationLink(db: Db, publicUrl: string, brandId: number, memberId: number): Promise<string> {
  return inTransaction(db, async (db) => {
    await renewInvitation(db, null, brandId, memberId);
    // A mail that is still being retried would replace the operator's link.
    await cancelJob(db, invitationKey({ brand_id: brandId, user_id: memberId }));
    const issued = await issueToken(db, brandId, memberId);
    if (!issued) throw new Error('The locked invitation was not found');
    await audit(db, { brandId, userId: null, action: 'invitation.link_made', details: { member_id: memberId } });
    return invitationLink(publicUrl, issued.token);
  });
}

/**
 * For an admin who passes the link on. It does not verify the e-mail: otherwise an admin could create an account with somebody else's
 * address, and the next brand that invites that address would admit the wrong person.
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

/** Requested by the person who opened a link that an admin passed on. */
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
 * People join only with their consent: with an account they accept after signing in, without one they create it by the link. Only the
 * operator adds people with an account directly, and they get a mail.
 */
async function addOrInviteMember(db: Db, actor: Actor, brandId: number, invitation: Invitation): Promise<Member> {
  const { email, role, language = DEFAULT_LANGUAGE, isByOperator } = invitation;
  // Without the name: each brand has its own name for a person.
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

/** Replaces a queued mail of the same invitation. */
function queueInvitation(db: Db, job: Jobs['send_invitation']): Promise<void> {
  return queueJob(db, 'send_invitation', job, { key: invitationKey(job) });
}

function invitationKey({ brand_id, user_id }: Jobs['send_invitation']): string {
  return `invitation:${brand_id}:${user_id}`;
}

/** Returns how many rows were deleted. */
export async function purgeInvitations(db: Db): Promise<number> {
  return (await deleteLongExpiredInvitations(db)) + (await deleteExpiredStaffInvitations(db));
}
