import { type BrandContents, type DeletedBrand, RESTORABLE_DAYS } from '@brand-portal/contract/brands';
import { type Db, inTransaction } from '../../db/database.ts';
import { brandNotFound } from '../../errors.ts';
import { audit } from '../audit/audit.ts';
import { lockBrandForDeletion, lockBrandIfThere, MEMBERS_WAIT } from '../writes/brand-lock.ts';
import { queueAllPublished, withdrawAllDeliveries } from '../writes/deliveries.ts';
import { listBrandsWithWork, noteDueWork, setDueWork } from '../writes/due-work.ts';
import { countContents, findDeletion, listDeletedBrandsOf, updateDeletedAt } from './brands.queries.ts';
import { deleteBrand, getBrand } from './brands.ts';

/** How much goes with the brand. */
export function getBrandContents(db: Db, brandId: number): Promise<BrandContents> {
  return countContents(db, brandId);
}

/**
 * To its members the brand is gone: every call about it answers 404, invitations, feeds and imports end. What the channel has is
 * withdrawn at once. Rows stay for the days in which an owner can restore it.
 */
export function markBrandDeleted(db: Db, userId: number, brandId: number): Promise<void> {
  return inTransaction(db, async (db) => {
    await lockBrandForDeletion(db, brandId, MEMBERS_WAIT);
    // A second click, or another owner, was faster.
    if (await findDeletion(db, brandId, RESTORABLE_DAYS)) throw brandNotFound();
    await updateDeletedAt(db, brandId, true);
    await withdrawAllDeliveries(db, brandId);
    await noteDueWork(db, brandId, 'purge_brand', { inSeconds: RESTORABLE_DAYS * 86_400 });
    const { name } = await getBrand(db, brandId);
    await audit(db, { brandId, userId, action: 'brand.deleted', details: { name } });
  });
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

/** By an owner. What was published is sent to the channel again. */
export function restoreBrand(db: Db, userId: number, brandId: number): Promise<void> {
  return inTransaction(db, async (db) => {
    // Before the lock: whoever names somebody else's brand must not hold up its writers.
    await requireRestorable(db, userId, brandId);
    await lockBrandForDeletion(db, brandId, MEMBERS_WAIT);
    await requireRestorable(db, userId, brandId);
    await updateDeletedAt(db, brandId, false);
    await queueAllPublished(db, brandId);
    await setDueWork(db, brandId, 'purge_brand', undefined);
    await audit(db, { brandId, userId, action: 'brand.restored', details: {} });
  });
}

async function requireRestorable(db: Db, userId: number, brandId: number): Promise<void> {
  const own = await listDeletedBrandsOf(db, userId, RESTORABLE_DAYS);
  if (!own.some(({ id }) => id === brandId)) throw brandNotFound();
}

/** How many brands can no longer be restored, and are deleted for good. */
export async function purgeBrands(db: Db): Promise<number> {
  let purged = 0;
  for (const brandId of await listBrandsWithWork(db, 'purge_brand')) {
    await inTransaction(db, async (db) => {
      await lockBrandIfThere(db, brandId);
      const deletion = await findDeletion(db, brandId, RESTORABLE_DAYS);
      // Restored, gone, or restored and deleted again since we looked.
      if (!deletion?.is_over) return setDueWork(db, brandId, 'purge_brand', deletion?.restorable_until);
      await deleteBrand(db, null, brandId);
      purged += 1;
    });
  }
  return purged;
}
