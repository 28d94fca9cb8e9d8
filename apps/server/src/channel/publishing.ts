import type { ProductVariant } from '@brand-portal/contract/variants';
import { audit } from '../audit/audit.ts';
import { getBrandIdOfVariant, getVariant } from '../catalog/variants/variants.ts';
import type { Db } from '../db/database.ts';
import { requireTrial } from '../people/brands/brands.ts';
import { inBrand } from '../writes/brand-lock.ts';
import { publishVariants, unpublishVariants, variantWithId } from '../writes/variants.ts';

/** Idempotent: a double click or a retry changes nothing. */
export async function publishVariant(db: Db, userId: number, variantId: number, published: boolean): Promise<ProductVariant> {
  const brandId = await getBrandIdOfVariant(db, variantId, userId);
  return inBrand(db, brandId, async (db) => {
    if (published) await requireTrial(db, brandId);
    const change = published ? publishVariants : unpublishVariants;
    const changed = await change(db, brandId, variantWithId(variantId));
    const variant = await getVariant(db, brandId, variantId);
    if (changed > 0) {
      const action = published ? 'variant.published' : 'variant.unpublished';
      await audit(db, { brandId, userId, action, details: { variant_id: variantId, gtin: variant.gtin } });
    }
    return variant;
  });
}
