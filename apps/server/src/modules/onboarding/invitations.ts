import type { Brand, CreateBrand } from '@brand-portal/contract/brands';
import { DEFAULT_LANGUAGE, type Language } from '@brand-portal/contract/constants';
import type { InviteMember, Member } from '@brand-portal/contract/members';
import { type Db, inTransaction } from '../../db/database.ts';
import { alreadyMember, userNotFound } from '../../errors.ts';
import { audit } from '../audit/audit.ts';
import { createBrand, getBrand } from '../brands/brands.ts';
import { addMember, requireRole } from '../brands/memberships.ts';
import { getOrCreateUser } from '../identity/users.ts';
import { invitationLink, issueToken } from './invitation-tokens.ts';
import { upsertInvitation } from './invitations.queries.ts';
import { cancelInvitation, queueAddedNotice, queueInvitation } from './mail-jobs.queries.ts';
import { refuseTooManyMails } from './mail-limits.ts';
import { lockMember } from './members.queries.ts';
import { type Actor, getMember } from './members.ts';
import { toMailAddress, toPersonName } from './people.ts';

export function inviteMember(db: Db, actor: Actor, brandId: number, invitation: InviteMember): Promise<Member> {
  return inTransaction(db, async (db) => {
    if (invitation.role === 'owner' && actor !== null) await requireRole(db, brandId, actor, 'owner');
    return bringIn(db, actor, brandId, { ...invitation, email: toMailAddress(invitation.email, 'email') });
  });
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
    await bringIn(db, actor, brandId, { email, role: 'owner', ...(language && { language }) });
    return getBrand(db, brandId);
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
    await cancelInvitation(db, { brand_id: brandId, user_id: memberId });
    const issued = await issueToken(db, brandId, memberId);
    if (!issued) throw new Error('An invitation vanished while it was locked');
    await audit(db, { brandId, userId: null, action: 'invitation.link_made', details: { member_id: memberId } });
    return invitationLink(publicUrl, issued.token);
  });
}

async function renewInvitation(db: Db, actor: Actor, brandId: number, memberId: number): Promise<void> {
  const member = await lockMember(db, brandId, memberId);
  if (!member) throw userNotFound();
  if (member.status === 'active') throw alreadyMember();
  const invitation = { brand_id: brandId, user_id: memberId, language: DEFAULT_LANGUAGE, invited_by: actor };
  await upsertInvitation(db, invitation);
}

/** Whoever has an account is in at once and is told so; everyone else gets a link with which to make one. */
async function bringIn(db: Db, actor: Actor, brandId: number, invitation: InviteMember): Promise<Member> {
  const { role, language = DEFAULT_LANGUAGE } = invitation;
  const user = await getOrCreateUser(db, {
    email: invitation.email,
    first_name: toPersonName(invitation.first_name),
    last_name: toPersonName(invitation.last_name),
    ...(invitation.language && { language: invitation.language }),
  });
  if (actor !== null) await refuseTooManyMails(db, brandId, user.id);
  const ids = { brand_id: brandId, user_id: user.id };
  const hasAccount = user.provider_subject !== null;
  const status = hasAccount ? 'active' : 'invited';
  await addMember(db, { brandId, userId: user.id, role, status });
  if (hasAccount) {
    await queueAddedNotice(db, { ...ids, language, added_by: actor });
  } else {
    await upsertInvitation(db, { ...ids, language, invited_by: actor });
    await queueInvitation(db, ids);
  }
  const action = hasAccount ? 'member.added' : 'member.invited';
  await audit(db, { brandId, userId: actor, action, details: { member_id: user.id, email: user.email, role } });
  return getMember(db, brandId, user.id);
}
