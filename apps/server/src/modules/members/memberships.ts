import type { MemberStatus } from '@brand-portal/contract/members';
import { type Role, roleIncludes } from '@brand-portal/contract/roles';
import type { Db } from '../../db/database.ts';
import { type AppError, brandNotFound, permissionDenied } from '../../errors.ts';
import {
  findMembership,
  findSessionAndMembership,
  insertMembership,
  listAdministrators,
  type Membership,
  updateLastSeen,
} from './memberships.queries.ts';

export { findMembership, findSessionAndMembership, type Membership };

/** A brand one is no member of looks the same as one that does not exist. */
export async function requireRole(db: Db, brandId: number, userId: number, required: Role): Promise<void> {
  await checkRole(db, brandId, await findMembership(db, brandId, userId), required);
}

/** The same for a call of theirs, with the membership that was found for it. The call counts as their last use of the brand. */
export async function admitMember(
  db: Db,
  { brandId, userId, membership }: { brandId: number; userId: number; membership: Membership | undefined },
  required: Role,
): Promise<void> {
  const { is_back } = await checkRole(db, brandId, membership, required);
  // A database that takes no writes still answers reads.
  if (is_back) await updateLastSeen(db, brandId, userId).catch(() => undefined);
}

async function checkRole(db: Db, brandId: number, membership: Membership | undefined, required: Role) {
  if (!membership) throw brandNotFound();
  if (!roleIncludes(membership.role, required)) throw await denied(db, brandId, membership.role, required);
  return membership;
}

/** Says what the member is, what it takes, and who of the brand could do it or give them that role. */
async function denied(db: Db, brandId: number, role: Role, required: Role): Promise<AppError> {
  const ask = await listAdministrators(db, brandId);
  return permissionDenied({ role, required_role: required, ...(ask.length > 0 && { ask: ask.join(', ') }) });
}

export async function hasRole(db: Db, brandId: number, userId: number, required: Role): Promise<boolean> {
  const membership = await findMembership(db, brandId, userId);
  return membership !== undefined && roleIncludes(membership.role, required);
}

interface NewMember {
  readonly brandId: number;
  readonly userId: number;
  readonly role: Role;
  readonly status: MemberStatus;
}

/** Someone who is a member already is refused by the table's key, as `already_member`. */
export function addMember(db: Db, { brandId, userId, role, status }: NewMember): Promise<void> {
  return insertMembership(db, { brand_id: brandId, user_id: userId, role, status });
}
