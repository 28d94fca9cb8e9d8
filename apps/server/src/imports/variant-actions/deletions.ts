import type { Language } from '@brand-portal/contract/constants';
import type { RestoreResult } from '@brand-portal/contract/variant-action-results';
import { type Deletion, RESTORABLE_DAYS } from '@brand-portal/contract/variant-actions';
import { audit } from '../../audit/audit.ts';
import type { Db } from '../../db/database.ts';
import { AppError } from '../../lib/errors.ts';
import { listPeople, toNamedPerson } from '../../people/members/actors.ts';
import { inAnyBrand, JOB_WAIT } from '../../writes/brand-lock.ts';
import { purgeBrandDeletions, restoreVariants } from '../../writes/deletions.ts';
import { type BrandByBrand, takeDueWork, workBrandByBrand } from '../../writes/due-work.ts';
import { findDeletion, listDeletionRecords, listFirstNames } from './variant-actions.queries.ts';

const RESTORABLE = { days: RESTORABLE_DAYS };
const MAX_LISTED = 100;

export async function listDeletions(db: Db, brandId: number, language: Language): Promise<{ results: Deletion[]; count: number }> {
  const { count, records } = await listDeletionRecords(db, brandId, { ...RESTORABLE, take: MAX_LISTED });
  const people = await listPeople(
    db,
    brandId,
    records.map(({ user_id }) => user_id),
  );
  const results = records.map((deletion) => ({
    id: deletion.id,
    deleted_by: toNamedPerson(people, deletion.user_id, language),
    created_at: deletion.created_at.toISOString(),
    variants: deletion.variants,
    first_variants: deletion.first_variants,
    restored_at: deletion.restored_at?.toISOString() ?? null,
    restorable: deletion.restored_at === null,
  }));
  return { results, count };
}

/** Whether it exists and can still be restored, or was. */
export async function requireDeletion(db: Db, brandId: number, deletionId: number) {
  const deletion = await findDeletion(db, brandId, deletionId, RESTORABLE);
  if (!deletion) throw new AppError('deletion_not_found', 'There is no such deletion, or it can no longer be restored.');
  return deletion;
}

/** Idempotent: a deletion that was restored before has nothing left to restore. Call it under the brand's lock. */
export async function restoreDeletion(
  db: Db,
  { brandId, userId, deletionId }: { readonly brandId: number; readonly userId: number | null; readonly deletionId: number },
): Promise<RestoreResult> {
  const deletion = await requireDeletion(db, brandId, deletionId);
  if (deletion.restored_at) return { restored: 0, kept: 0 };
  const variantIds = await restoreVariants(db, brandId, deletionId);
  const restored = variantIds.length;
  const result = { restored, kept: deletion.variants - restored };
  await audit(db, {
    brandId,
    userId,
    action: 'variants.restored',
    details: { deletion_id: deletionId, ...result, names: await listFirstNames(db, brandId, variantIds) },
    variantIds,
  });
  return result;
}

/** Returns how many deletions were purged. */
export function purgeDeletions(db: Db, options?: BrandByBrand): Promise<number> {
  const purge = async (db: Db, brandId: number) => {
    if (!(await takeDueWork(db, brandId, 'purge_deletions'))) return 0;
    return purgeBrandDeletions(db, brandId, RESTORABLE_DAYS);
  };
  const step = (brandId: number) => inAnyBrand(db, brandId, (db) => purge(db, brandId), JOB_WAIT);
  return workBrandByBrand(db, 'purge_deletions', step, options);
}
