import type { Quotas } from '@brand-portal/contract/quotas';
import { audit } from '../audit/audit.ts';
import { listWholeCatalogue } from '../catalog/certificates/catalogue.ts';
import type { ImportWarning } from '../catalog/fields/row-problem.ts';
import { type Db, inAbortableTransaction, inSnapshot } from '../db/database.ts';
import { FileRefusal } from '../files/csv/file-refusal.ts';
import { spool } from '../files/csv/spool.ts';
import { AppError } from '../lib/errors.ts';
import { inBrand, refuseInactiveBrand } from '../writes/brand-lock.ts';
import { insertCertificates, insertLinks, updateCertificateLinks } from '../writes/certificates.ts';
import { insertVariants, publishVariants, updateVariants, variantsOf } from '../writes/variants.ts';
import { findCertificateDoubts } from './certificate-doubts.ts';
import { insertRejectedRows } from './corrections.queries.ts';
import { readFile } from './file-reader.ts';
import { changedLinksOfCertificates, type ExpectedCounts, finishImport, getStaged, storeStaged } from './imports.queries.ts';
import { listMappings, rememberMapping } from './mapping.queries.ts';
import {
  certifiedVariants,
  changedVariants,
  countFurtherCertificates,
  keepChanges,
  namedLinks,
  newCertificates,
  newLinks,
  newlyPublished,
  newVariants,
  type PlanOptions,
  planLinks,
  type StoredPlan,
  withHashJoins,
} from './plan.queries.ts';
import { makePlan, requireRoomForVariants, warnOfChannel, warnOfIgnoredEdits } from './plan.ts';
import { askAgain, checkOrAsk } from './preview.ts';
import { limitRejectedRows } from './receipts.ts';
import { type ImportRun, LOCK_WAIT, type Source } from './source.ts';
import {
  countStagedRows,
  deleteFile,
  deleteStaged,
  readStoredFile,
  rejectCompared,
  type StagedCounts,
  type StagedLines,
  stageCells,
  stageRows,
} from './staging.queries.ts';

/** The rows of an uploaded file. */
export const FILE_SOURCE: Source = {
  stage: stageFile,
  async apply(db, run) {
    if (await checkOrAsk(db, run)) return;
    try {
      await applyRows(db, run);
    } catch (error) {
      if (!(error instanceof PlanChanged)) throw error;
      await askAgain(db, run);
    }
  },
};

/** Reads the stored file, in a thread of its own, and stages its rows. */
async function stageFile(db: Db, run: ImportRun): Promise<void> {
  const { brandId, importId, signal, progress, record } = run;
  const stage = { brandId, importId };
  const file = await spool(readStoredFile(db, stage));
  try {
    // Of an import that a server of an earlier version has accepted.
    if (file.place.bytes === 0 && record.file_bytes > 0) throw new AppError('import_interrupted', 'Its file is gone');
    const { sheet, mapping } = record.request;
    const [mappings, catalogue] = [await listMappings(db, brandId), await listWholeCatalogue(db)];
    const asked = { stage, file: file.place, sheet, mapping, mappings, catalogue };
    await readFile(asked, signal, async ({ header: { claimedRows, isNameMapped, chosen, ...header }, rows, cells }) => {
      progress.rowsTotal = claimedRows;
      await inAbortableTransaction(db, signal, async (db) => {
        const warnings = await stageLines(db, run, rows());
        const rejected = await withHashJoins(db, () => rejectCompared(db, stage));
        if (rejected.length > 0) await stageCells(db, stage, cells(rejected));
        const counts = { ...(await countStagedRows(db, stage)), is_name_mapped: isNameMapped };
        if (counts.total === 0) throw new FileRefusal('header_only');
        await deleteFile(db, stage);
        await storeStaged(db, run, { ...header, warnings, mapping: chosen ?? null, counts });
      });
    });
  } finally {
    await file.close();
  }
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
  await stageRows(db, { brandId, importId }, lines());
  return warnings;
}

function isAsExpected(plan: StoredPlan, { rejected }: StagedCounts, expected: ExpectedCounts): boolean {
  return (
    plan.created === expected.variants_created &&
    plan.updated === expected.variants_updated &&
    plan.unchanged === expected.variants_unchanged &&
    rejected === expected.rejected &&
    plan.published === expected.published &&
    plan.sent_again === expected.sent_again
  );
}

/** The import would do something else now than its preview said. */
class PlanChanged extends Error {}

/** Carries out the plan of all staged rows, in one transaction under the brand's lock. A failure leaves the brand unchanged. */
export async function applyRows(db: Db, run: ImportRun): Promise<void> {
  const { brandId, importId, signal } = run;
  const stage = { brandId, importId };
  const record = await getStaged(db, stage);
  const { staged: counts, delimiter, header, mapping, warnings, request } = record;
  const doubts = await inSnapshot(db, (db) => findCertificateDoubts(db, stage));
  const apply = async (db: Db) => {
    await refuseInactiveBrand(db, brandId);
    const { plan, options } = await makePlan(db, stage, record);
    if (request.expected && !isAsExpected(plan, counts, request.expected)) throw new PlanChanged();
    // Corrected rows are only some of a file: what they lack may be in the others.
    const ignored = record.kind === 'file' ? await warnOfIgnoredEdits(db, options, record) : [];
    const { further, ...written } = await withHashJoins(db, () => writePlanned(db, plan, options, run.quotas));
    if (counts.rejected > 0) await insertRejectedRows(db, stage);
    // A mapping that yields no valid row is probably a mistake.
    if (mapping && counts.total > counts.rejected) await rememberMapping(db, brandId, mapping);
    await deleteStaged(db, stage);
    const published = plan.publishes_rows ? plan.published : 0;
    const result = {
      delimiter,
      header: JSON.stringify(header),
      total_rows: counts.total,
      imported: counts.total - counts.rejected,
      rejected: counts.rejected,
      error_count: counts.errors,
      rejected_bytes: counts.rejected_bytes,
      variants_created: plan.created,
      variants_updated: plan.updated,
      variants_unchanged: plan.unchanged,
      ...written,
      rows_done: counts.total,
      rows_total: counts.total,
      warnings: JSON.stringify([
        ...warnings,
        ...doubts.warnings,
        ...ignored,
        ...warnOfChannel(plan),
        ...(published > 0 ? [{ code: 'published_rows', params: { variants: published } }] : []),
        ...(further > 0 ? [{ code: 'further_certificates', params: { variants: further } }] : []),
      ]),
    };
    const { total_rows, imported, rejected } = result;
    await audit(db, {
      brandId,
      userId: run.userId,
      action: 'variants.imported',
      details: {
        import_id: importId,
        file_name: record.file_name,
        ...(record.corrects_import_id && { corrects: record.corrects_import_id }),
        total_rows,
        imported,
        rejected,
        ...(published > 0 && { published }),
      },
    });
    const canBeUndone = plan.created + plan.updated > 0 || (await changedLinksOfCertificates(db, stage));
    // From here on the import can no longer be cancelled.
    await finishImport(db, run, result, { canBeUndone });
    // Counts the rejected rows of this import too, which `finishImport` has stored.
    if (counts.rejected > 0) await limitRejectedRows(db, brandId);
  };
  return inBrand(db, brandId, apply, { ...LOCK_WAIT, signal });
}

/** Writes what the plan says. `further`: variants that now have several certificates of one certification. */
async function writePlanned(db: Db, plan: StoredPlan, options: PlanOptions, quotas: Quotas) {
  const { stage } = options;
  const { brandId, importId } = stage;
  if (plan.created > 0) await requireRoomForVariants(db, brandId, quotas, plan.created);
  if (plan.updated > 0) {
    await keepChanges(db, stage);
    await updateVariants(db, brandId, changedVariants(stage));
    await publishVariants(db, brandId, await variantsOf(db, newlyPublished(stage)));
  }
  const variants = plan.created > 0 ? await insertVariants(db, brandId, newVariants(stage)) : undefined;
  const certificates = await insertCertificates(db, brandId, newCertificates(options));
  if (options.hasLinks) {
    await updateCertificateLinks(db, brandId, namedLinks(stage), { importId, foundTo: certificates.after });
  }
  const links = await planLinks(db, options);
  const further = links > 0 ? await countFurtherCertificates(db, stage) : 0;
  if (links > 0) await insertLinks(db, brandId, newLinks(stage), { importId, known: certifiedVariants(stage) });
  return {
    variants_after: variants?.after ?? 0,
    variants_to: variants?.to ?? 0,
    certificates_after: certificates.after,
    certificates_to: certificates.to,
    further,
  };
}
