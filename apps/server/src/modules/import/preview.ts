import type { Language } from '@brand-portal/contract/constants';
import type { BodyOf } from '@brand-portal/contract/endpoint';
import type { ImportPreview, takeLikelyId as takeLikelyIdEndpoint } from '@brand-portal/contract/import';
import type { Quotas } from '@brand-portal/contract/quotas';
import { FileRefusal } from '../../csv/file-refusal.ts';
import { type Db, inSnapshot, inTransaction } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import { findExceeded } from '../brands/quotas.ts';
import { replaceStagedId } from './certificate-doubts.queries.ts';
import { findCertificateDoubts, toLikelyIds } from './certificate-doubts.ts';
import {
  deleteStageIfPossible,
  deleteStageOnFailure,
  type ExpectedCounts,
  type ImportRequest,
  makePlan,
  mergeStaged,
  requireRoomForVariants,
  type StagedFile,
  stageUpload,
  warnOfChannel,
  warnOfIgnoredEdits,
} from './import.ts';
import {
  endOldChecks,
  findImportRecord,
  findSameImport,
  finishCheck,
  type ImportRecord,
  PREVIEW_SECONDS,
  returnToCheck,
} from './imports.queries.ts';
import { countPlanned } from './merge.queries.ts';
import { type MergePreview, previewMerge } from './preview.queries.ts';
import { toRowErrors, toWarnings } from './rows/describe.ts';
import type { ImportWarning } from './rows/row-problem.ts';
import {
  countStagedRows,
  deleteStage,
  type ImportKey,
  listStagedErrors,
  type StagedCounts,
} from './staging.queries.ts';

/** Examples of each kind. */
const SAMPLE_SIZE = 10;
const LISTED_ERRORS = 100;
/** Checked files of one member in a brand that can still be imported. */
const MAX_CHECKS = 3;

/**
 * Imports the valid rows of a file and stores the rejected ones. First the whole file is checked and staged,
 * without a lock; then it is merged in one transaction under the brand's lock. A failure leaves the brand unchanged.
 */
export async function importUpload(db: Db, request: ImportRequest): Promise<void> {
  await deleteStageOnFailure(db, request, async () => {
    const staged = await stageUpload(db, request);
    if (request.upload.asks && (await isDoubtful(db, request, staged))) return keepChecked(db, request, staged);
    // Counted now; before, it was estimated from the file's lines.
    Object.assign(request.progress, { stage: 'merging', rowsTotal: request.progress.rowsDone });
    await mergeStaged(db, { ...request, fileName: request.upload.fileName }, staged);
  });
}

/** Checks and stages a file without merging it. `getPreview` tells what the merge would do, `confirmImport` does it. */
export async function checkUpload(db: Db, request: ImportRequest): Promise<void> {
  await deleteStageOnFailure(db, request, async () => keepChecked(db, request, await stageUpload(db, request)));
}

function keepChecked(db: Db, request: ImportRequest, { chosen, ...file }: StagedFile): Promise<void> {
  return inTransaction(db, async (db) => {
    const counts = await countStagedRows(db, request);
    const { total, content_hash } = counts;
    if (total === 0) throw new FileRefusal('header_only');
    await requireRoomForFile(db, request, counts);
    await finishCheck(db, request, { ...file, mapping: chosen ?? null, content_hash, rows_total: total });
    for (const importId of await endOldChecks(db, request, { userId: request.userId, kept: MAX_CHECKS }))
      await deleteStage(db, { brandId: request.brandId, importId });
  });
}

/** Whether a column was probably mistaken for the name, or certificate ids are probably mistyped. */
async function isDoubtful(db: Db, stage: ImportKey, { isNameMapped }: StagedFile): Promise<boolean> {
  return inSnapshot(db, async (db) => {
    const { mistyped } = await findCertificateDoubts(db, stage);
    if (mistyped.length > 0 || !isNameMapped) return mistyped.length > 0;
    const plan = await makePlan(db, stage, await countStagedRows(db, stage));
    return warnOfNames(await previewMerge(db, plan)).length > 0;
  });
}

/** Renaming a larger share of the known variants of a file is seldom meant. */
const RENAMED_SHARE = 0.05;

function warnOfNames({ renamed, updated, unchanged }: MergePreview): ImportWarning[] {
  const known = updated + unchanged;
  return renamed > RENAMED_SHARE * known ? [{ code: 'many_renamed', params: { renamed, known } }] : [];
}

/** Only a file with more rows than there is room for is compared with the brand. */
async function requireRoomForFile(
  db: Db,
  { brandId, importId, quotas }: ImportRequest,
  counts: StagedCounts,
): Promise<void> {
  if (!(await findExceeded(db, brandId, quotas, 'variants', counts.total))) return;
  const { created } = await countPlanned(db, await makePlan(db, { brandId, importId }, counts));
  await requireRoomForVariants(db, brandId, quotas, created);
}

/** What the import would do now, from one snapshot. Changes nothing. */
export async function getPreview(db: Db, key: ImportKey, language: Language): Promise<ImportPreview> {
  return inSnapshot(db, async (db) => {
    const { record, counts } = await getChecked(db, key);
    const plan = await makePlan(db, key, counts);
    const planned = await previewMerge(db, plan, SAMPLE_SIZE);
    const { created, updated, unchanged, published, sent_again, samples } = planned;
    const doubts = await findCertificateDoubts(db, key);
    const ignored = await warnOfIgnoredEdits(db, plan, record.header, record.file_name);
    const same = await findSameImport(db, key.brandId, record);
    return {
      import_id: key.importId,
      file_name: record.file_name,
      valid_until: validUntil(record).toISOString(),
      total_rows: counts.total,
      rejected: counts.rejected,
      error_count: counts.errors,
      variants_created: created,
      variants_updated: updated,
      variants_unchanged: unchanged,
      channel: { published, sent_again },
      needs_trial: plan.publishesNot === 'publishing_needs_trial',
      created: [...samples.created],
      updated: [...samples.updated],
      errors: counts.errors > 0 ? toRowErrors(await listStagedErrors(db, key, LISTED_ERRORS), language) : [],
      warnings: toWarnings(
        [
          ...warnOfNames(planned),
          ...warnOfChannel(plan).filter(({ code }) => code !== 'publishing_needs_trial'),
          ...ignored,
          ...doubts.warnings,
          ...record.warnings,
        ],
        language,
      ),
      likely_ids: toLikelyIds(doubts),
      same_as: same ? { import_id: same.id, created_at: same.created_at.toISOString() } : null,
    };
  });
}

/** Corrects a mistyped id in the staged rows. One that is no longer mistyped is ignored: a second click finds it corrected. */
export async function takeLikelyId(
  db: Db,
  key: ImportKey,
  { certification_id, certificate_id, likely_id }: BodyOf<typeof takeLikelyIdEndpoint>,
): Promise<void> {
  await inTransaction(db, async (db) => {
    const { mistyped } = await findCertificateDoubts(db, key);
    const meant = mistyped.find(
      ({ from, to }) => from.certification_id === certification_id && from.id === certificate_id && to.id === likely_id,
    );
    if (meant) await replaceStagedId(db, key, meant.from, meant.to);
  });
}

interface Confirmation extends ImportKey {
  readonly userId: number;
  readonly expected: ExpectedCounts;
  readonly signal: AbortSignal;
  readonly quotas: Quotas;
}

/**
 * Merges a checked file if the result matches the preview that the member saw. Otherwise nothing is changed, and the member can preview it
 * again.
 */
export async function confirmImport(db: Db, request: Confirmation, record: ImportRecord): Promise<void> {
  const { delimiter, header, warnings, mapping } = record;
  const staged = { delimiter, header, warnings, chosen: mapping ?? undefined };
  try {
    await mergeStaged(db, { ...request, fileName: record.file_name }, staged);
  } catch (error) {
    if (isPlanChanged(error)) await returnToCheck(db, request);
    else await deleteStageIfPossible(db, request);
    throw error;
  }
}

export function isPlanChanged(error: unknown): boolean {
  return error instanceof AppError && error.code === 'import_plan_changed';
}

/** Throws if there is nothing to confirm, or no longer. */
export async function getChecked(db: Db, key: ImportKey): Promise<{ record: ImportRecord; counts: StagedCounts }> {
  const record = await findImportRecord(db, key);
  if (!record) throw new AppError('import_not_found', 'There is no such import.');
  const counts = await countStagedRows(db, key);
  // Staged rows are in unlogged tables: a crash of the database empties them.
  if (record.state !== 'checked' || validUntil(record) <= new Date() || counts.total !== record.rows_total) {
    throw new AppError('import_not_checked', 'This check is over. Please upload the file again.');
  }
  return { record, counts };
}

function validUntil({ heartbeat_at }: ImportRecord): Date {
  return new Date(heartbeat_at.getTime() + PREVIEW_SECONDS * 1_000);
}
