import { type BrandContents, type DeletedBrand, RESTORABLE_DAYS } from '@brand-portal/contract/brands';
import { audit } from '../../audit/audit.ts';
import type { Db } from '../../db/database.ts';
import { brandNotFound } from '../../lib/errors.ts';
import { inAnyBrand, inBrand, JOB_WAIT, MEMBER_WAIT } from '../../writes/brand-lock.ts';
import { queueAllPublished, withdrawAllDeliveries } from '../../writes/deliveries.ts';
import { type BrandByBrand, scheduleWork, setDueWork, workBrandByBrand } from '../../writes/due-work.ts';
import { countContents, findDeletion, listDeletedBrandsOf, updateDeletedAt } from './brands.queries.ts';
import { deleteBrand, getBrand } from './brands.ts';

/** Excludes writers, and those who only keep the brand. */
const DELETION = { ...MEMBER_WAIT, forDeletion: true };

/** What would be deleted with the brand. */
export function getBrandContents(db: Db, brandId: number): Promise<BrandContents> {
  return countContents(db, brandId);
}

/**
 * Soft delete. Every call about the brand answers 404; its invitations, feeds and imports end; its products are withdrawn from the channel
 * at once. The rows stay while an owner can still restore the brand.
 */
export function markBrandDeleted(db: Db, userId: number, brandId: number): Promise<void> {
  const markDeleted = async (db: Db) => {
    await updateDeletedAt(db, brandId, true);
    await withdrawAllDeliveries(db, brandId);
    await scheduleWork(db, brandId, 'purge_brand', { inSeconds: RESTORABLE_DAYS * 86_400 });
    const { name } = await getBrand(db, brandId);
    await audit(db, { brandId, userId, action: 'brand.deleted', details: { name } });
  };
  return inBrand(db, brandId, markDeleted, DELETION);
}

export async function listDeletedBrands(db: Db, userId: number): Promise<{ results: DeletedBrand[] }> {
  const brands = await listDeletedBrandsOf(db, userId, RESTORABLE_DAYS);
  return {
    results: brands.map(({ restorable_until, ...brand }) => ({
      ...brand,
      restorable_until: restorable_until.toISOString(),
    })),
  };
}

/** Only owners may. Published variants are sent to the channel again. */
export async function restoreBrand(db: Db, userId: number, brandId: number): Promise<void> {
  // Checked before locking, so that a caller without access cannot block the brand's writers.
  await requireRestorable(db, userId, brandId);
  const restore = async (db: Db) => {
    await requireRestorable(db, userId, brandId);
    await updateDeletedAt(db, brandId, false);
    await queueAllPublished(db, brandId);
    await setDueWork(db, brandId, 'purge_brand', undefined);
    await audit(db, { brandId, userId, action: 'brand.restored', details: {} });
  };
  return inAnyBrand(db, brandId, restore, DELETION);
}

async function requireRestorable(db: Db, userId: number, brandId: number): Promise<void> {
  const own = await listDeletedBrandsOf(db, userId, RESTORABLE_DAYS);
  if (!own.some(({ id }) => id === brandId)) throw brandNotFound();
}

/** Deletes the brands that can no longer be restored. Returns how many. */
export function purgeBrands(db: Db, options?: BrandByBrand): Promise<number> {
  const purge = async (db: Db, brandId: number) => {
    const deletion = await findDeletion(db, brandId, RESTORABLE_DAYS);
    if (deletion?.is_over) {
      await deleteBrand(db, null, brandId);
      return 1;
    }
    // Restored, purged, or restored and deleted again since the list was read.
    await setDueWork(db, brandId, 'purge_brand', deletion?.restorable_until);
    return 0;
  };
  const step = (brandId: number) => inAnyBrand(db, brandId, (db) => purge(db, brandId), JOB_WAIT);
  return workBrandByBrand(db, 'purge_brand', step, options);
}
