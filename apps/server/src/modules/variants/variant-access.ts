import { type Role, roleIncludes } from '@brand-portal/contract/roles';
import type { Db } from '../../db/database.ts';
import { permissionDenied, variantNotFound } from '../../errors.ts';
import { findVariantMembership, type VariantMembership } from './variants.queries.ts';

/** For paths that name a variant and no brand. */
export async function requireRoleForVariant(db: Db, variantId: number, userId: number, required: Role): Promise<void> {
  const { role } = await getMembership(db, variantId, userId);
  if (!roleIncludes(role, required)) throw permissionDenied();
}

export async function getBrandIdOfVariant(db: Db, variantId: number, userId: number): Promise<number> {
  return (await getMembership(db, variantId, userId)).brand_id;
}

/** A variant of a brand that one is no member of looks the same as one that does not exist. */
async function getMembership(db: Db, variantId: number, userId: number): Promise<VariantMembership> {
  const membership = await findVariantMembership(db, variantId, userId);
  if (!membership) throw variantNotFound();
  return membership;
}
