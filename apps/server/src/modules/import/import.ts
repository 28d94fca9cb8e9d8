import type { Brand } from '@brand-portal/contract/brands';
import type { Quotas } from '@brand-portal/contract/quotas';
import { FileRefusal } from '../../csv/file-refusal.ts';
import { type Db, inAbortableTransaction, inSnapshot, inTransaction } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import { audit } from '../audit/audit.ts';
import { getBrand } from '../brands/brands.ts';
import { findExceeded } from '../brands/quotas.ts';
import { listWholeCatalogue } from '../certificates/catalogue.ts';
import { inBrand, refuseInactiveBrand } from '../writes/brand-lock.ts';
import { insertCertificates, insertLinks, updateCertificateLinks } from '../writes/certificates.ts';
import { insertVariants, publishVariants, updateVariants, variantsOf } from '../writes/variants.ts';
import { findCertificateDoubts } from './certificate-doubts.ts';
import { insertRejectedRows } from './corrections.queries.ts';
import { readFile } from './file-reader.ts';
import { countIgnoredEdits } from './ignored-edits.queries.ts';
import { finishImport, type ImportProgress, type ImportResult } from './imports.queries.ts';
import { type ChosenMapping, listMappings, rememberMapping } from './mapping.queries.ts';
import {
  changedVariants,
  countFurtherCertificates,
  countPlanned,
  namedLinks,
  newCertificates,
  newLinks,
  newlyPublished,
  newVariants,
  type Plan,
  planChanges,
  planLinks,
  prepareMerge,
  shouldReadBrand,
} from './merge.queries.ts';
import { previewMerge } from './preview.queries.ts';
import { limitRejectedRows } from './receipts.ts';
import { findColumns, isEditedExport, isOwnHeader } from './rows/columns.ts';
import type { ImportWarning } from './rows/row-problem.ts';
import {
  countStagedRows,
  deleteStage,
  type ImportKey,
  rejectCompared,
  type StagedCounts,
  type StagedLines,
  stageCells,
  stageRows,
} from './staging.queries.ts';
import type { Upload } from './upload.ts';

/** An import that is being worked on. */
export interface ImportRun extends ImportKey {
  /** Aborted when the import is cancelled. */
  readonly signal: AbortSignal;
  readonly progress: ImportProgress;
  readonly quotas: Quotas;
}

export interface ImportRequest extends ImportRun {
  readonly userId: number;
  readonly upload: Upload;
}

/** Deletes the staged rows if `work` fails. If that fails too, `sweepStages` deletes them later. */
export async function deleteStageOnFailure(db: Db, stage: ImportKey, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    await deleteStageIfPossible(db, stage);
    throw error;
  }
}

export async function deleteStageIfPossible(db: Db, stage: ImportKey): Promise<void> {
  await inTransaction(db, (db) => deleteStage(db, stage)).catch(() => undefined);
}

/** What is known of a file when its rows are staged. */
export interface StagedFile extends Pick<ImportResult, 'delimiter' | 'header' | 'warnings'> {
  readonly isNameMapped?: boolean;
  /** The mapping to remember once the import succeeds. */
  readonly chosen?: ChosenMapping | undefined;
}

export async function stageUpload(db: Db, request: ImportRequest): Promise<StagedFile> {
  const { brandId, importId, signal, progress } = request;
  const { file, sheet, mapping } = request.upload;
  const [mappings, catalogue] = [await listMappings(db, brandId), await listWholeCatalogue(db)];
  const stage = { brandId, importId };
  const asked = { stage, file: file.place, sheet, mapping, mappings, catalogue };
  return readFile(asked, signal, async ({ header: { claimedRows, ...header }, rows, cells }) => {
    progress.rowsTotal = claimedRows;
    const warnings = await inAbortableTransaction(db, signal, async (db) => {
      const warnings = await stageLines(db, request, rows());
      const rejected = await rejectCompared(db, stage);
      if (rejected.length > 0) await stageCells(db, stage, cells(rejected));
      return warnings;
    });
    return { ...header, warnings };
  });
}

/** Call it inside a transaction. Returns the warnings. */
export async function stageLines(
  db: Db,
  { brandId, importId, progress }: ImportRun,
  pieces: AsyncGenerator<StagedLines, ImportWarning[], undefined>,
): Promise<ImportWarning[]> {
  let warnings: ImportWarning[] = [];
  async function* lines() {
    for (;;) {
      const { value, done } = await pieces.next();
      if (done) {
        warnings = value;
        return;
      }
      progress.rowsDone += value.rows;
      yield value.lines;
    }
  }
  await prepareMerge(db);
  await stageRows(db, { brandId, importId }, lines());
  return warnings;
}

interface MergeRequest extends Omit<ImportRequest, 'upload' | 'progress'> {
  readonly fileName: string;
  /** The import whose corrected rows these are. */
  readonly corrects?: number;
  /** The counts of the preview that the member confirmed. Undefined: no check. */
  readonly expected?: ExpectedCounts | undefined;
}

/** Call it when all rows are staged. */
export async function mergeStaged(
  db: Db,
  request: MergeRequest,
  { delimiter, header, warnings, chosen }: StagedFile,
): Promise<void> {
  const { brandId, importId, signal, expected } = request;
  const stage = { brandId, importId };
  const doubts = await inSnapshot(db, (db) => findCertificateDoubts(db, stage));
  const mergeAll = async (db: Db) => {
    await refuseInactiveBrand(db, brandId);
    const counts = await countStagedRows(db, stage);
    if (counts.total === 0) throw new FileRefusal('header_only');
    const plan = await makePlan(db, stage, counts);
    if (expected) await requirePreviewedPlan(db, plan, counts, expected);
    // Corrected rows are only some of a file: what they lack may be in the others.
    const ignored = request.corrects === undefined ? await warnOfIgnoredEdits(db, plan, header, request.fileName) : [];
    const { published, further, ...merged } = await merge(db, plan, request.quotas);
    if (counts.rejected > 0) await insertRejectedRows(db, stage);
    await deleteStage(db, stage);
    // A mapping that yields no valid row is probably a mistake.
    if (chosen && counts.total > counts.rejected) await rememberMapping(db, brandId, chosen);
    const result: ImportResult = {
      delimiter,
      header,
      total_rows: counts.total,
      imported: counts.total - counts.rejected,
      rejected: counts.rejected,
      error_count: counts.errors,
      rejected_bytes: counts.rejected_bytes,
      content_hash: counts.content_hash,
      ...merged,
      warnings: [
        ...warnings,
        ...doubts.warnings,
        ...ignored,
        ...warnOfChannel(plan),
        ...(published ? [{ code: 'published_rows', params: { variants: published } } as const] : []),
        ...(further > 0 ? [{ code: 'further_certificates', params: { variants: further } } as const] : []),
      ],
    };
    await auditImport(db, request, result, published ?? 0);
    // From here on the import can no longer be cancelled.
    await finishImport(db, stage, result);
    // Counts the rejected rows of this import too, which `finishImport` has stored.
    if (counts.rejected > 0) await limitRejectedRows(db, brandId);
  };
  return inBrand(db, brandId, mergeAll, { signal });
}

/** A row that names the channel publishes the variant, if the brand may publish. A blank cell does not unpublish. */
export async function makePlan(db: Db, stage: ImportKey, { total, publishes, has_links }: StagedCounts): Promise<Plan> {
  const publishesNot = publishes ? whyNotPublished(await getBrand(db, stage.brandId)) : undefined;
  await prepareMerge(db);
  return {
    stage,
    publishesRows: publishes && !publishesNot,
    publishesNot,
    hasLinks: has_links,
    readsBrand: await shouldReadBrand(db, stage.brandId, total),
  };
}

function whyNotPublished({
  status,
  opted_in_for_trial,
}: Pick<Brand, 'status' | 'opted_in_for_trial'>): Plan['publishesNot'] {
  if (status === 'pending') return 'publishing_needs_review';
  return opted_in_for_trial ? undefined : 'publishing_needs_trial';
}

/** Why rows that name the channel are not published. */
export function warnOfChannel({ publishesNot }: Plan): ImportWarning[] {
  return publishesNot ? [{ code: publishesNot }] : [];
}

/** What an edited export says and the import does not do. Call it before the merge. */
export async function warnOfIgnoredEdits(
  db: Db,
  plan: Plan,
  header: StagedFile['header'],
  fileName: string,
): Promise<ImportWarning[]> {
  if (!isEditedExport(header, fileName)) return [];
  const { states, places } = findColumns(header);
  const counts = await countIgnoredEdits(db, plan);
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

/** The counts that a preview showed. */
export interface ExpectedCounts
  extends Pick<ImportResult, `variants_${'created' | 'updated' | 'unchanged'}` | 'rejected'> {
  readonly published: number;
  readonly sent_again: number;
}

async function requirePreviewedPlan(
  db: Db,
  plan: Plan,
  { rejected }: StagedCounts,
  expected: ExpectedCounts,
): Promise<void> {
  const { created, updated, unchanged, published, sent_again } = await previewMerge(db, plan);
  const matchesPreview =
    created === expected.variants_created &&
    updated === expected.variants_updated &&
    unchanged === expected.variants_unchanged &&
    rejected === expected.rejected &&
    published === expected.published &&
    sent_again === expected.sent_again;
  if (!matchesPreview)
    throw new AppError(
      'import_plan_changed',
      'The brand was changed meanwhile: the import would do something else now.',
    );
}

interface Merged
  extends Pick<
    ImportResult,
    `variants_${'created' | 'updated' | 'unchanged' | 'after' | 'to'}` | `certificates_${'after' | 'to'}`
  > {
  /** Undefined if no row names the channel, or the brand has not started its trial. */
  readonly published: number | undefined;
  /** Variants that now have several certificates of one certification. */
  readonly further: number;
}

/** Deleted variants count as well, because they can be restored. */
export async function requireRoomForVariants(db: Db, brandId: number, quotas: Quotas, created: number): Promise<void> {
  const exceeded = await findExceeded(db, brandId, quotas, 'variants', created);
  if (exceeded) throw new FileRefusal('too_many_variants', { created, used: exceeded.used, limit: exceeded.limit });
}

async function merge(db: Db, plan: Plan, quotas: Quotas): Promise<Merged> {
  const { stage, publishesRows } = plan;
  const { brandId } = stage;
  const counts = await countPlanned(db, plan);
  if (counts.created > 0) await requireRoomForVariants(db, brandId, quotas, counts.created);
  if (counts.changed > 0) {
    await planChanges(db, plan);
    await updateVariants(db, brandId, changedVariants(stage));
    await publishVariants(db, brandId, await variantsOf(db, newlyPublished(stage)));
  }
  const variants = counts.created > 0 ? await insertVariants(db, brandId, newVariants(plan)) : undefined;
  const certificates = await insertCertificates(db, brandId, newCertificates(plan));
  if (plan.hasLinks) {
    const found = { importId: stage.importId, foundTo: certificates.after };
    await updateCertificateLinks(db, brandId, namedLinks(stage), found);
  }
  const planned = await planLinks(db, plan, counts);
  const further = planned.links > 0 ? await countFurtherCertificates(db, stage) : 0;
  if (planned.links > 0) await insertLinks(db, brandId, newLinks(stage), stage.importId);
  const updated = counts.changed + planned.variants;
  return {
    variants_created: counts.created,
    variants_updated: updated,
    variants_unchanged: counts.variants - counts.created - updated,
    variants_after: variants?.after ?? 0,
    variants_to: variants?.to ?? 0,
    certificates_after: certificates.after,
    certificates_to: certificates.to,
    further,
    published: publishesRows ? counts.newly_published : undefined,
  };
}

async function auditImport(
  db: Db,
  { brandId, importId, userId, fileName, corrects }: MergeRequest,
  { total_rows, imported, rejected }: ImportResult,
  published: number,
): Promise<void> {
  const counts = { total_rows, imported, rejected, ...(published > 0 && { published }) };
  const details = { import_id: importId, file_name: fileName, ...(corrects && { corrects }), ...counts };
  await audit(db, { brandId, userId, action: 'variants.imported', details });
}
