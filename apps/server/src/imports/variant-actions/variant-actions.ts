import { MAX_CHOSEN_ROWS } from '@brand-portal/contract/exports';
import type { VariantActionResult } from '@brand-portal/contract/variant-action-results';
import type { VariantAction } from '@brand-portal/contract/variant-actions';
import { RESTORABLE_DAYS } from '@brand-portal/contract/variant-actions';
import { audit } from '../../audit/audit.ts';
import { listVariantIds, requireFilterKey } from '../../catalog/variants/variants.ts';
import type { Db } from '../../db/database.ts';
import { withSettings } from '../../db/statements.ts';
import { invalidFields, selectionChanged } from '../../lib/errors.ts';
import { requireTrial } from '../../people/brands/brands.ts';
import { softDeleteVariants } from '../../writes/deletions.ts';
import { publishVariants, unpublishVariants, variantsWithIds } from '../../writes/variants.ts';
import { type ActionKind, acceptAction, actionSource } from '../actions.ts';
import type { ImportRun, Source } from '../source.ts';
import type { Uploader } from '../upload.ts';
import { restoreDeletion } from './deletions.ts';
import { listChanging, listFirstNames, listKnownIds } from './variant-actions.queries.ts';

/** Bulk changes without a file, carried out by the same job as imports: a large one outlives its call, and the server. */

interface Change {
  readonly userId: number | null;
  readonly brandId: number;
  /** The variants that it changes. */
  readonly ids: readonly number[];
}

interface Effect {
  readonly audited: string;
  /** Variants that have it already are skipped. */
  readonly published?: boolean;
  readonly skipped?: VariantActionResult['skipped'][number]['reason'];
  /** Returns how many it changed. */
  readonly apply: (db: Db, change: Change) => Promise<{ readonly changed: number; readonly deletionId?: number }>;
}

const EFFECTS: Readonly<Record<VariantAction['action'], Effect>> = {
  publish: {
    audited: 'variants.published',
    published: true,
    skipped: 'already_published',
    apply: async (db, { brandId, ids }) => ({ changed: await publishVariants(db, brandId, variantsWithIds(ids)) }),
  },
  unpublish: {
    audited: 'variants.unpublished',
    published: false,
    skipped: 'already_unpublished',
    apply: async (db, { brandId, ids }) => ({ changed: await unpublishVariants(db, brandId, variantsWithIds(ids)) }),
  },
  delete: {
    audited: 'variants.deleted',
    apply: async (db, { brandId, userId, ids }) => ({
      changed: ids.length,
      deletionId: await softDeleteVariants(db, brandId, { userId, ids, days: RESTORABLE_DAYS }),
    }),
  },
};

export async function acceptSelection(
  db: Db,
  uploader: Uploader,
  { action, ids, filter, except_ids, expected, filter_key: key }: VariantAction,
): ReturnType<typeof acceptAction> {
  if (!ids === !filter) throw invalidFields({ ids: 'or filter is required, but not both' });
  if (ids && expected !== undefined) throw invalidFields({ expected: 'belongs to a filter' });
  if (ids && key !== undefined) throw invalidFields({ filter_key: 'belongs to a filter' });
  if (filter) requireFilterKey(uploader.brandId, filter, key);
  if (action === 'publish') await requireTrial(db, uploader.brandId);
  return acceptAction(db, uploader, action, { selection: { ids, filter, except_ids, expected } });
}

export async function acceptPublishAll(db: Db, uploader: Uploader): ReturnType<typeof acceptAction> {
  await requireTrial(db, uploader.brandId);
  return acceptAction(db, uploader, 'publish_all');
}

export const ACTION_SOURCES: Readonly<Record<ActionKind, Source>> = {
  publish: actionSource((db, run) => actOnSelection(db, run, 'publish')),
  unpublish: actionSource((db, run) => actOnSelection(db, run, 'unpublish')),
  delete: actionSource((db, run) => actOnSelection(db, run, 'delete')),
  publish_all: actionSource(publishAll),
  restore: actionSource((db, { brandId, userId, record }) =>
    restoreDeletion(db, { brandId, userId, deletionId: record.request.deletion_id ?? 0 }),
  ),
};

async function publishAll(db: Db, { brandId, userId }: ImportRun): Promise<VariantActionResult> {
  await requireTrial(db, brandId);
  const published = await publishVariants(db, brandId);
  if (published > 0) await audit(db, { brandId, userId, action: 'variant.all_published', details: { published } });
  return { changed: published, skipped: [], deletion_id: null };
}

/**
 * The variants of certificates that a search finds are compared by a hash if PostgreSQL expects it to fit into this, and otherwise one by
 * one: with 540,000 variants an action did not end.
 */
const SELECTION_MEMORY = { work_mem: '512MB' };

/** The matches of a filter are read first, because the writes change what the filter tests. */
async function actOnSelection(
  db: Db,
  { brandId, userId, record: { request } }: ImportRun,
  action: VariantAction['action'],
): Promise<VariantActionResult> {
  const { ids: given, filter, except_ids = [], expected } = request.selection ?? {};
  if (action === 'publish') await requireTrial(db, brandId);
  const asked = given && [...new Set(given)];
  const matching = () => withSettings(db, SELECTION_MEMORY, () => listVariantIds(db, brandId, filter ?? {}, except_ids));
  const ids = asked ? await listKnownIds(db, brandId, asked) : await matching();
  if (expected !== undefined && expected !== ids.length) throw selectionChanged(ids.length);
  const { audited, published, skipped: reason, apply } = EFFECTS[action];
  const variantIds = await listChanging(db, brandId, ids, published);
  const names = await listFirstNames(db, brandId, variantIds);
  const { changed, deletionId = null } = variantIds.length > 0 ? await apply(db, { userId, brandId, ids: variantIds }) : { changed: 0 };
  const notFound = asked ? asked.length - ids.length : 0;
  const unchanged = ids.length - changed;
  const details = {
    changed,
    unchanged,
    not_found: notFound,
    names,
    ...(filter && { filter, except: except_ids.length }),
    ...(deletionId !== null && { deletion_id: deletionId }),
  };
  if (changed > 0) await audit(db, { brandId, userId, action: audited, details, variantIds });
  const skipped = [{ reason: 'not_found' as const, count: notFound }, ...(reason ? [{ reason, count: unchanged }] : [])].filter(
    ({ count }) => count > 0,
  );
  const isUndoable = action === 'unpublish' && changed > 0 && changed <= MAX_CHOSEN_ROWS;
  return { changed, skipped, deletion_id: deletionId, ...(isUndoable && { unpublished_ids: variantIds }) };
}
