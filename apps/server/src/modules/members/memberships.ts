import type { MemberStatus } from '@brand-portal/contract/members';
import { type Role, roleIncludes } from '@brand-portal/contract/roles';
import type { Db } from '../../db/database.ts';
import { brandNotFound, permissionDenied } from '../../errors.ts';
import { findMembership, insertMembership } from './memberships.queries.ts';

/** A brand one is no member of looks the same as one that does not exist. */
export async function requireRole(db: Db, brandId: number, userId: number, required: Role): Promise<void> {
  const membership = await findMembership(db, brandId, userId);
  if (!membership) throw brandNotFound();
  if (!roleIncludes(membership.role, required)) throw permissionDenied();
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
