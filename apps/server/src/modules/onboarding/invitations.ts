import type { Brand, CreateBrand } from '@brand-portal/contract/brands';
import { DEFAULT_LANGUAGE, type Language } from '@brand-portal/contract/constants';
import type { InviteMember, Member } from '@brand-portal/contract/members';
import { type Db, inTransaction } from '../../db/database.ts';
import { codeOfDatabaseError } from '../../db/pg-errors.ts';
import { AppError, brandNotFound } from '../../errors.ts';
import { audit } from '../audit/audit.ts';
import { createBrand, getBrand } from '../brands/brands.ts';
import { addMember, requireRole } from '../brands/memberships.ts';
import { getOrCreateUser } from '../identity/users.ts';
import { invitationLink, issueToken } from './invitation-tokens.ts';
import { upsertInvitation } from './invitations.queries.ts';
import { cancelInvitation, queueAddedNotice, queueInvitation } from './mail-jobs.queries.ts';
import { refuseTooManyMails } from './mail-limits.ts';
import { lockMember } from './members.queries.ts';
import { alreadyMember, getMember } from './members.ts';
import { toMailAddress, toPersonName } from './people.ts';

/** Nobody where the operator's command line does it, which may do everything. */
type Actor = number | null;

export function inviteMember(db: Db, actor: Actor, brandId: number, invitation: InviteMember): Promise<Member> {
  return inTransaction(db, async (db) => {
    if (invitation.role === 'owner' && actor !== null) await requireRole(db, brandId, actor, 'owner');
    return bringIn(db, actor, brandId, invitation);
  });
}

/** A brand is never without someone who is, or is invited to be, its owner. */
export function createBrandWithOwner(
  db: Db,
  actor: Actor,
  { owner_email, language, ...fields }: CreateBrand & { language?: Language },
): Promise<Brand> {
  return inTransaction(db, async (db) => {
    const brandId = await createBrand(db, actor, fields);
    await bringIn(db, actor, brandId, { email: owner_email, role: 'owner', ...(language && { language }) });
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
  if (!member) throw new AppError('user_not_found', 'User not found');
  if (member.status === 'active') throw alreadyMember();
  const invitation = { brand_id: brandId, user_id: memberId, language: DEFAULT_LANGUAGE, invited_by: actor };
  await upsertInvitation(db, invitation);
}

/** Whoever has an account is in at once and is told so; everyone else gets a link with which to make one. */
async function bringIn(db: Db, actor: Actor, brandId: number, invitation: InviteMember): Promise<Member> {
  const { role, language = DEFAULT_LANGUAGE } = invitation;
  const user = await getOrCreateUser(db, {
    email: toMailAddress(invitation.email),
    first_name: toPersonName(invitation.first_name),
    last_name: toPersonName(invitation.last_name),
  });
  if (actor !== null) await refuseTooManyMails(db, brandId, user.id);
  const ids = { brand_id: brandId, user_id: user.id };
  const hasAccount = user.provider_subject !== null;
  const status = hasAccount ? 'active' : 'invited';
  await addMember(db, { brandId, userId: user.id, role, status }).catch((error: unknown) => {
    throw explainRefusal(error);
  });
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

/** The database decides who is a member already and which brands exist; here it is only put into words. */
function explainRefusal(error: unknown): unknown {
  const code = codeOfDatabaseError(error);
  if (code === 'already_member') return alreadyMember();
  if (code === 'brand_not_found') return brandNotFound();
  return error;
}
