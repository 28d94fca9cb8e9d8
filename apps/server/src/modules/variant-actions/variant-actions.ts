import { MAX_CHOSEN_ROWS } from '@brand-portal/contract/exports';
import type { VariantAction, VariantActionResult } from '@brand-portal/contract/variant-actions';
import { RESTORABLE_DAYS } from '@brand-portal/contract/variant-actions';
import type { Db } from '../../db/database.ts';
import { invalidFields, selectionChanged } from '../../errors.ts';
import { audit } from '../audit/audit.ts';
import { requireTrial } from '../publishing/publishing.ts';
import { listVariantIds, requireFilterKey } from '../variants/variants.ts';
import { inBrand } from '../writes/brand-lock.ts';
import { softDeleteVariants } from '../writes/deletions.ts';
import { publishVariants, unpublishVariants, variantsWithIds } from '../writes/variants.ts';
import { listChanging, listFirstNames, listKnownIds } from './variant-actions.queries.ts';

const AUDITED = {
  publish: 'variants.published',
  unpublish: 'variants.unpublished',
  delete: 'variants.deleted',
} as const;

/**
 * One transaction under the brand's lock, so concurrent changes come before or after it. The matches of a filter are read first, because
 * the writes change what the filter tests.
 */
export async function actOnVariants(
  db: Db,
  userId: number,
  brandId: number,
  { action, ids: given, filter, except_ids = [], expected, filter_key: key }: VariantAction,
): Promise<VariantActionResult> {
  if (!given === !filter) throw invalidFields({ ids: 'or filter is required, but not both' });
  if (given && expected !== undefined) throw invalidFields({ expected: 'belongs to a filter' });
  if (given && key !== undefined) throw invalidFields({ filter_key: 'belongs to a filter' });
  if (filter) requireFilterKey(brandId, filter, key);
  return inBrand(db, brandId, async (db) => {
    if (action === 'publish') await requireTrial(db, brandId);
    const asked = given && [...new Set(given)];
    const ids = asked
      ? await listKnownIds(db, brandId, asked)
      : await listVariantIds(db, brandId, filter ?? {}, except_ids);
    if (expected !== undefined && expected !== ids.length) throw selectionChanged(ids.length);
    const published = action === 'delete' ? undefined : action === 'publish';
    const variantIds = await listChanging(db, brandId, ids, published);
    const names = await listFirstNames(db, brandId, variantIds);
    const { changed, deletionId } = await change(db, { action, userId, brandId, ids: variantIds });
    const notFound = asked ? asked.length - ids.length : 0;
    const unchanged = ids.length - changed;
    const details = {
      ...{ changed, unchanged, not_found: notFound, names },
      ...(filter && { filter, except: except_ids.length }),
      ...(deletionId !== null && { deletion_id: deletionId }),
    };
    if (changed > 0) await audit(db, { brandId, userId, action: AUDITED[action], details, variantIds });
    const skipped = [
      { reason: 'not_found' as const, count: notFound },
      {
        reason: action === 'publish' ? ('already_published' as const) : ('already_unpublished' as const),
        count: unchanged,
      },
    ].filter(({ count }) => count > 0);
    const isUndoable = action === 'unpublish' && changed > 0 && changed <= MAX_CHOSEN_ROWS;
    return { changed, skipped, deletion_id: deletionId, ...(isUndoable && { unpublished_ids: variantIds }) };
  });
}

interface Change {
  readonly action: VariantAction['action'];
  readonly userId: number;
  readonly brandId: number;
  /** The variants that it changes. */
  readonly ids: readonly number[];
}

async function change(
  db: Db,
  { action, userId, brandId, ids }: Change,
): Promise<{ changed: number; deletionId: number | null }> {
  if (ids.length === 0) return { changed: 0, deletionId: null };
  if (action === 'delete') {
    const deletionId = await softDeleteVariants(db, brandId, { userId, ids, days: RESTORABLE_DAYS });
    return { changed: ids.length, deletionId };
  }
  const write = action === 'publish' ? publishVariants : unpublishVariants;
  return { changed: await write(db, brandId, variantsWithIds(ids)), deletionId: null };
}
