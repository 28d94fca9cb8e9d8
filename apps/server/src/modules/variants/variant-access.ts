import type { Db } from '../../db/database.ts';
import { variantNotFound } from '../../errors.ts';
import { findBrandOfVariant } from './variants.queries.ts';

/** A variant of a brand that one is no member of looks the same as one that does not exist. */
export async function getBrandIdOfVariant(db: Db, variantId: number, userId: number): Promise<number> {
  const brandId = await findBrandOfVariant(db, variantId, userId);
  if (brandId === undefined) throw variantNotFound();
  return brandId;
}
