import type { Brand } from '@brand-portal/contract/brands';
import type { Quotas } from '@brand-portal/contract/quotas';
import { findColumns, isEditedExport, isOwnHeader } from '../catalog/fields/columns.ts';
import type { ImportWarning } from '../catalog/fields/row-problem.ts';
import type { Db } from '../db/database.ts';
import { FileRefusal } from '../files/csv/file-refusal.ts';
import { getBrand } from '../people/brands/brands.ts';
import { findExceeded } from '../people/brands/quotas.ts';
import { countIgnoredEdits } from './ignored-edits.queries.ts';
import { type Attempt, type ImportRecord, storePlanned } from './imports.queries.ts';
import { countChanges, type PlanOptions, type StoredPlan, shouldReadBrand, storePlan, withHashJoins } from './plan.queries.ts';
import type { ImportKey, StagedCounts } from './staging.queries.ts';

/** How the plan of an import is made now: a row that names the channel publishes its variant, if the brand may publish. */
async function planOptions(
  db: Db,
  stage: ImportKey,
  { total, variants, publishes, has_links }: StagedCounts,
): Promise<PlanOptions & Pick<StoredPlan, 'publishes_not'>> {
  const publishes_not = publishes ? whyNotPublished(await getBrand(db, stage.brandId)) : null;
  return {
    stage,
    variants,
    publishesRows: publishes && !publishes_not,
    publishes_not,
    hasLinks: has_links,
    readsBrand: await shouldReadBrand(db, stage.brandId, total),
  };
}

function whyNotPublished({ status, opted_in_for_trial }: Pick<Brand, 'status' | 'opted_in_for_trial'>): StoredPlan['publishes_not'] {
  if (status === 'pending') return 'publishing_needs_review';
  return opted_in_for_trial ? null : 'publishing_needs_trial';
}

export interface CurrentPlan {
  readonly plan: StoredPlan;
  readonly options: PlanOptions;
}

/** The plan of staged rows as the brand is now: the stored one if nothing has changed since, otherwise a new one. Call it in a transaction. */
export async function makePlan(
  db: Db,
  stage: ImportKey,
  { staged, planned }: Pick<ImportRecord, 'staged' | 'planned'>,
): Promise<CurrentPlan> {
  if (!staged) throw new Error('The rows of the import are not staged');
  const options = await planOptions(db, stage, staged);
  // Read before the plan is made: a change in between makes the plan invalid.
  const changes = await countChanges(db, stage.brandId);
  const { publishesRows: publishes_rows, publishes_not } = options;
  const isSame = planned?.publishes_rows === publishes_rows && planned.publishes_not === publishes_not;
  if (planned?.changes === changes && isSame) return { plan: planned, options };
  return { plan: { ...(await withHashJoins(db, () => storePlan(db, options))), changes, publishes_rows, publishes_not }, options };
}

/** The same, kept for the next caller. */
export async function keepPlan(db: Db, stage: ImportKey & Partial<Attempt>, record: ImportRecord): Promise<CurrentPlan> {
  const current = await makePlan(db, stage, record);
  if (current.plan !== record.planned) await storePlanned(db, stage, current.plan);
  return current;
}

/** Why rows that name the channel are not published. */
export function warnOfChannel({ publishes_not }: StoredPlan): ImportWarning[] {
  return publishes_not ? [{ code: publishes_not }] : [];
}

/** What an edited export says and the import does not do. Call it before the merge. */
export async function warnOfIgnoredEdits(
  db: Db,
  options: PlanOptions,
  { header, file_name }: Pick<ImportRecord, 'header' | 'file_name'>,
): Promise<ImportWarning[]> {
  if (!isEditedExport(header, file_name)) return [];
  const { states, places } = findColumns(header);
  const counts = await withHashJoins(db, () => countIgnoredEdits(db, options));
  const said = Object.entries(counts ?? {}).filter(([column, count]) => {
    const isInFile =
      column === 'removed_certificates'
        ? // Rejected rows are only some of a file.
          places.has('certificate_id') && !isOwnHeader(header)
        : [...places.keys(), ...states.keys()].some((name) => name === column);
    return count > 0 && isInFile;
  });
  return said.length > 0 ? [{ code: 'ignored_edits', params: Object.fromEntries(said) }] : [];
}

/** Deleted variants count as well, because they can be restored. */
export async function requireRoomForVariants(db: Db, brandId: number, quotas: Quotas, created: number): Promise<void> {
  const exceeded = await findExceeded(db, brandId, quotas, 'variants', created);
  if (exceeded) throw new FileRefusal('too_many_variants', { created, used: exceeded.used, limit: exceeded.limit });
}
