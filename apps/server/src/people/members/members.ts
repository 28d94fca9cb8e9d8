import type { KeysOfMember, Member, Notifications } from '@brand-portal/contract/members';
import { type Role, roleIncludes } from '@brand-portal/contract/roles';
import { audit } from '../../audit/audit.ts';
import { type Db, inTransaction } from '../../db/database.ts';
import { AppError, userNotFound } from '../../lib/errors.ts';
import { queueJob } from '../../queue/queue.ts';
import { getBrand } from '../brands/brands.ts';
import { settleKeys } from './former-keys.ts';
import { mayBeMailed } from './mail-limits.ts';
import * as queries from './members.queries.ts';
import { requireRole } from './memberships.ts';

/** Null: the operator's command line, which may do everything. */
export type Actor = number | null;

export async function listMembers(db: Db, brandId: number): Promise<{ results: Member[] }> {
  await getBrand(db, brandId);
  return { results: await queries.listMembers(db, brandId) };
}

export async function getMember(db: Db, brandId: number, memberId: number): Promise<Member> {
  const member = await queries.findMember(db, brandId, memberId);
  if (!member) throw userNotFound();
  return member;
}

export function updateMemberRole(
  db: Db,
  actor: Actor,
  brandId: number,
  memberId: number,
  { role, keys = 'revoke' }: { readonly role: Role; readonly keys?: KeysOfMember | undefined },
): Promise<Member> {
  return inTransaction(db, async (db) => {
    const { member, isLastOwner, ownersToTell } = await lockForChange(db, brandId, memberId);
    if (member.role === role) return member;
    if ((member.role === 'owner' || role === 'owner') && actor !== null) await requireRole(db, brandId, actor, 'owner');
    if (isLastOwner) throw lastOwner();
    await queries.updateMemberRole(db, brandId, memberId, role);
    const isTold = await mayBeTold(db, actor, brandId, member);
    if (roleIncludes(member.role, 'admin') && !roleIncludes(role, 'admin')) {
      const owners = ownersToTell(actor);
      await settleKeys(db, { actor, brandId, member, change: 'demoted', keys, owners });
    }
    if (isTold) {
      // Replaces a queued mail: only the latest change is reported.
      const key = `role:${brandId}:${memberId}`;
      await queueJob(db, 'send_role_notice', { brand_id: brandId, user_id: memberId, changed_by: actor }, { key });
    }
    const details = { member_id: memberId, from: member.role, to: role };
    await audit(db, { brandId, userId: actor, action: 'member.role_changed', details });
    return getMember(db, brandId, memberId);
  });
}

/** Also withdraws the invitation. People who leave or decline are their own actor. */
export function removeMember(db: Db, actor: Actor, brandId: number, memberId: number, keys: KeysOfMember = 'revoke'): Promise<void> {
  return inTransaction(db, async (db) => {
    const { member, isLastOwner, ownersToTell } = await lockForChange(db, brandId, memberId);
    const isOthers = actor !== null && actor !== memberId;
    if (member.role === 'owner' && isOthers) await requireRole(db, brandId, actor, 'owner');
    // Nobody must keep an invitation. Platform staff see that the brand has no owner, and name another.
    const isDeclined = member.status === 'invited' && actor === memberId;
    if (isLastOwner && !isDeclined) throw lastOwner();
    await queries.deleteMember(db, brandId, memberId);
    if (member.status === 'active') {
      const change = actor === memberId ? 'left' : 'removed';
      await settleKeys(db, { actor, brandId, member, change, keys, owners: ownersToTell(actor) });
    }
    if (await mayBeTold(db, actor, brandId, member)) {
      const { name } = await getBrand(db, brandId);
      await queueJob(db, 'send_removed_notice', { user_id: memberId, brand_name: name, removed_by: actor });
    }
    const details = { member_id: memberId, email: member.email, role: member.role, status: member.status };
    await audit(db, { brandId, userId: actor, action: 'member.removed', details });
  });
}

/** The recipients of mails about the brand's certificates. */
export function listMailedAdmins(db: Db, brandId: number): Promise<number[]> {
  return queries.listMailedAdmins(db, brandId);
}

export async function getNotifications(db: Db, brandId: number, userId: number): Promise<Notifications> {
  const notifications = await queries.findNotifications(db, brandId, userId);
  if (!notifications) throw userNotFound();
  return notifications;
}

export function updateNotifications(db: Db, brandId: number, userId: number, notifications: Notifications): Promise<Notifications> {
  return inTransaction(db, async (db) => {
    await queries.updateNotifications(db, brandId, userId, notifications);
    await audit(db, { brandId, userId, action: 'member.notifications_changed', details: notifications });
    return getNotifications(db, brandId, userId);
  });
}

/** Whether they get a mail: not about their own actions, and not before they have accepted. */
async function mayBeTold(db: Db, actor: Actor, brandId: number, member: Member): Promise<boolean> {
  return member.status === 'active' && member.id !== actor && (await mayBeMailed(db, brandId, member.id));
}

/**
 * Locks the owners, then reads them: if two owners demote each other at the same time, the second one sees the change of the first, and
 * is refused.
 */
async function lockForChange(db: Db, brandId: number, memberId: number) {
  const owners = await queries.lockOwners(db, brandId);
  const member = await queries.lockMember(db, brandId, memberId);
  if (!member) throw userNotFound();
  // An invited owner does not count as a replacement for an active one, but does for another invited one.
  const others = owners.filter((owner) => owner.user_id !== memberId);
  const successors = member.status === 'active' ? others.filter((owner) => owner.status === 'active') : others;
  const ownersToTell = (actor: Actor) =>
    others.filter(({ user_id, status }) => status === 'active' && user_id !== actor).map(({ user_id }) => user_id);
  return { member, isLastOwner: member.role === 'owner' && successors.length === 0, ownersToTell };
}

function lastOwner(): AppError {
  return new AppError('last_owner', 'A brand needs an owner: name another one first.');
}
