import type { Role } from '@brand-portal/contract/roles';
import type { Db } from '../../db/database.ts';
import { variantNotFound } from '../../errors.ts';
import { requireRole } from '../members/memberships.ts';
import { findBrandOfVariant } from './variants.queries.ts';

/** For paths that name a variant and no brand. */
export async function requireRoleForVariant(db: Db, variantId: number, userId: number, required: Role): Promise<void> {
  await requireRole(db, await getBrandIdOfVariant(db, variantId, userId), userId, required);
}

/** A variant of a brand that one is no member of looks the same as one that does not exist. */
export async function getBrandIdOfVariant(db: Db, variantId: number, userId: number): Promise<number> {
  const brandId = await findBrandOfVariant(db, variantId, userId);
  if (brandId === undefined) throw variantNotFound();
  return brandId;
}
