import type { ProductVariant } from '@brand-portal/contract/variants';
import { type Db, inTransaction } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import { audit } from '../audit/audit.ts';
import { getBrand } from '../brands/brands.ts';
import { getBrandIdOfVariant } from '../variants/variant-access.ts';
import { getVariant } from '../variants/variants.ts';
import { insertDeliveryJob, lockBrand, updateAllToPublished, updatePublished } from './publishing.queries.ts';

/** Publishing what is published, or the reverse, changes nothing: a double click or a retry does no harm. */
export function publishVariant(db: Db, userId: number, variantId: number, published: boolean): Promise<ProductVariant> {
  return inTransaction(db, async (db) => {
    const brandId = await getBrandIdOfVariant(db, variantId, userId);
    if (published) await requireTrial(db, brandId);
    const changed = await updatePublished(db, brandId, variantId, published);
    const variant = await getVariant(db, brandId, variantId);
    if (changed) {
      const action = published ? 'variant.published' : 'variant.unpublished';
      await audit(db, { brandId, userId, action, details: { variant_id: variantId, gtin: variant.gtin } });
      await insertDeliveryJob(db, brandId);
    }
    return variant;
  });
}

export function publishAllVariants(db: Db, userId: number, brandId: number): Promise<{ published: number }> {
  return inTransaction(db, async (db) => {
    await lockBrand(db, brandId);
    await requireTrial(db, brandId);
    const published = await updateAllToPublished(db, brandId);
    if (published > 0) {
      await audit(db, { brandId, userId, action: 'variant.all_published', details: { published } });
      await insertDeliveryJob(db, brandId);
    }
    return { published };
  });
}

/** For whoever publishes as a part of something larger; committed with it. */
export function queueDelivery(db: Db, brandId: number): Promise<void> {
  return insertDeliveryJob(db, brandId);
}

/** What is published may always be taken back; publishing is for brands that have opted in. */
async function requireTrial(db: Db, brandId: number): Promise<void> {
  const { opted_in_for_trial } = await getBrand(db, brandId);
  if (!opted_in_for_trial) throw new AppError('trial_required', 'The brand must start its free trial first.');
}
