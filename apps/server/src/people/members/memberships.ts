import type { MemberStatus } from '@brand-portal/contract/members';
import { type Role, roleIncludes } from '@brand-portal/contract/roles';
import type { Db } from '../../db/database.ts';
import { type AppError, brandNotFound, permissionDenied } from '../../lib/errors.ts';
import {
  findKeyRights,
  findMembership,
  findSessionAndMembership,
  insertMembership,
  listNames,
  type Membership,
  updateLastSeen,
} from './memberships.queries.ts';

export { findMembership, findSessionAndMembership, type Membership };

/** For people who are not members, the brand is not found. */
export async function requireRole(db: Db, brandId: number, userId: number, required: Role): Promise<void> {
  await checkRole(db, brandId, await findMembership(db, brandId, userId), required);
}

/** The same for a call, with the membership that was read for it, which it returns. Stores when they were last seen in the brand. */
export async function admitMember(
  db: Db,
  { brandId, userId, membership }: { brandId: number; userId: number; membership: Membership | undefined },
  required: Role,
): Promise<Membership> {
  const admitted = await checkRole(db, brandId, membership, required);
  // A read-only database must still answer reads.
  if (admitted.is_back) await updateLastSeen(db, brandId, userId).catch(() => undefined);
  return admitted;
}

async function checkRole(db: Db, brandId: number, membership: Membership | undefined, required: Role) {
  if (!membership) throw brandNotFound();
  if (!roleIncludes(membership.role, required)) throw await denied(db, brandId, membership.role, required);
  return membership;
}

/** Says which role they have, which one is required, and who could do it or give it to them. Only an owner makes owners. */
async function denied(db: Db, brandId: number, role: Role, required: Role): Promise<AppError> {
  const ask = await listNames(db, brandId, required === 'owner' ? ['owner'] : ['owner', 'admin']);
  return permissionDenied({ role, required_role: required, ...(ask.length > 0 && { ask: ask.join(', ') }) });
}

/** Of a member or of an API key. */
export async function hasRole(db: Db, brandId: number, userId: number, required: Role): Promise<boolean> {
  const rights = await findRights(db, brandId, userId);
  return rights !== undefined && roleIncludes(rights.role, required);
}

/** Whether an editor's call that changes the brand's data would be let through. */
export async function mayEdit(db: Db, brandId: number, userId: number): Promise<boolean> {
  const rights = await findRights(db, brandId, userId);
  return rights !== undefined && roleIncludes(rights.role, 'editor') && rights.brand_status !== 'inactive';
}

async function findRights(db: Db, brandId: number, userId: number) {
  return (await findMembership(db, brandId, userId)) ?? (await findKeyRights(db, brandId, userId));
}

interface NewMember {
  readonly brandId: number;
  readonly userId: number;
  readonly role: Role;
  readonly status: MemberStatus;
}

/** An existing member violates the primary key, which is reported as `already_member`. */
export function addMember(db: Db, { brandId, userId, role, status }: NewMember): Promise<void> {
  return insertMembership(db, { brand_id: brandId, user_id: userId, role, status });
}
