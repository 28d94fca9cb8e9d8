import { setImmediate as nextTurn } from 'node:timers/promises';
import { MAX_UPLOAD_ROWS } from '@brand-portal/contract/constants';
import { openCsv, type Table, type TableRow } from '../../csv/csv-file.ts';
import { FileRefusal } from '../../csv/file-refusal.ts';
import type { HeaderRank } from '../../csv/header-row.ts';
import { displayName } from '../../csv/legacy-encoding.ts';
import type { TextEncoding } from '../../csv/text-encoding.ts';
import { type Db, inAbortableTransaction, inTransaction } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import { openWorkbook } from '../../xlsx/workbook.ts';
import { letterOf } from '../../xlsx/workbook-writer.ts';
import { audit } from '../audit/audit.ts';
import { getBrand } from '../brands/brands.ts';
import { listWholeCatalogue } from '../certificates/catalogue.ts';
import { type CertificationNames, createCertificationNames } from '../certificates/certification-names.ts';
import { inBrand } from '../writes/brand-lock.ts';
import { insertCertificates, insertLinks, updateCertificateLinks } from '../writes/certificates.ts';
import { insertVariants, publishVariants, updateVariants, variantsOf } from '../writes/variants.ts';
import { insertRejectedRows } from './corrections.queries.ts';
import { finishImport, type ImportProgress, type ImportResult } from './imports.queries.ts';
import { type ChosenMapping, listMappings, rememberMapping } from './mapping.queries.ts';
import { type MappedColumns, mapColumns, rankHeader, repeatsHeader } from './mapping.ts';
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
import { isSpreadsheetBoolean, isSpreadsheetDate, readText } from './rows/cell-text.ts';
import { type ColumnPlaces, list, REQUIRED_COLUMNS, shorten } from './rows/columns.ts';
import type { ImportWarning } from './rows/row-problem.ts';
import { checkRow, isChannel } from './rows/row-rules.ts';
import {
  countStagedRows,
  deleteStage,
  type ImportKey,
  rejectContradictions,
  type StagedCounts,
  type StagedRow,
  stageCells,
  stageRows,
} from './staging.queries.ts';
import type { Upload } from './upload.ts';

/** An import that is being worked on. */
export interface ImportRun extends ImportKey {
  /** Aborted when the import is cancelled. */
  readonly signal: AbortSignal;
  readonly progress: ImportProgress;
}

export interface ImportRequest extends ImportRun {
  readonly userId: number;
  readonly upload: Upload;
}

/**
 * Imports the valid rows of a file and stores the rejected ones. First the whole file is checked and staged,
 * without a lock; then it is merged in one transaction under the brand's lock. A failure leaves the brand unchanged.
 */
export async function importUpload(db: Db, request: ImportRequest): Promise<void> {
  await deleteStageOnFailure(db, request, async () => {
    const staged = await stageUpload(db, request);
    // Counted now; before, it was estimated from the file's lines.
    Object.assign(request.progress, { stage: 'merging', rowsTotal: request.progress.rowsDone });
    await mergeStaged(db, { ...request, fileName: request.upload.fileName }, staged);
  });
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
  /** The mapping to remember once the import succeeds. */
  readonly chosen?: ChosenMapping | undefined;
}

export async function stageUpload(db: Db, request: ImportRequest): Promise<StagedFile> {
  const { brandId, upload, signal, progress } = request;
  const mappings = await listMappings(db, brandId);
  const table = await openTable(upload, rankHeader(mappings), signal);
  try {
    const catalogue = await listWholeCatalogue(db);
    const context = { mapping: upload.mapping, mappings, catalogue, isText: upload.file.kind === 'text' };
    const mapped = await mapColumns(table, context);
    if (upload.file.lines > MAX_UPLOAD_ROWS) await refuseTooManyRows(table, signal);
    progress.rowsTotal = table.claimedRows;
    const names = createCertificationNames(catalogue);
    const warnings = await inAbortableTransaction(db, signal, (db) => stageFile(db, request, table, mapped, names));
    return { delimiter: table.delimiter, header: mapped.header, warnings, chosen: mapped.chosen };
  } finally {
    await table.close();
  }
}

interface MergeRequest extends Omit<ImportRequest, 'upload' | 'progress'> {
  readonly fileName: string;
  /** The import whose corrected rows these are. */
  readonly corrects?: number;
  /** The counts of the preview that the member confirmed. Undefined: no check. */
  readonly expected?: ExpectedCounts | undefined;
}

/** Call it when all rows are staged. */
export function mergeStaged(
  db: Db,
  request: MergeRequest,
  { delimiter, header, warnings, chosen }: StagedFile,
): Promise<void> {
  const { brandId, importId, signal, expected } = request;
  const stage = { brandId, importId };
  const mergeAll = async (db: Db) => {
    const counts = await countStagedRows(db, stage);
    if (counts.total === 0) throw new FileRefusal('header_only');
    const plan = await makePlan(db, stage, counts);
    if (expected) await requirePreviewedPlan(db, plan, counts, expected);
    const { published, further, ...merged } = await merge(db, plan);
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
        ...(counts.publishes && published === undefined ? [{ code: 'publishing_needs_trial' } as const] : []),
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

/** A row that names the channel publishes the variant, if the brand has started its trial. A blank cell does not unpublish. */
export async function makePlan(db: Db, stage: ImportKey, { total, publishes, has_links }: StagedCounts): Promise<Plan> {
  const publishesRows = publishes && (await getBrand(db, stage.brandId)).opted_in_for_trial;
  await prepareMerge(db);
  return { stage, publishesRows, hasLinks: has_links, readsBrand: await shouldReadBrand(db, stage.brandId, total) };
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

/** How a PDF, a web page, XML, RTF and JSON begin. */
const DOCUMENT = /^(?:%PDF-|<(?:!doctype|html|\?xml|table|svg)\b|\{\\rtf|[{[]\s*(?:["{[]|$))/i;

/** Detects the format by content. Both formats give the same kind of table. */
export async function openTable(
  { file, sheet }: Pick<Upload, 'file' | 'sheet'>,
  rank: HeaderRank,
  signal?: AbortSignal,
): Promise<Table> {
  if (file.kind === 'text') {
    const table = await openCsv(file, rank);
    if (DOCUMENT.test(table.header[0] ?? '')) throw new FileRefusal('document');
    return table;
  }
  const columns = REQUIRED_COLUMNS.join(', ');
  return openWorkbook(file, { rank, columns, sheet, ...(signal && { signal }) });
}

/** Called only for files with enough lines to exceed the limit, before anything is written. */
async function refuseTooManyRows(table: Table, signal: AbortSignal): Promise<void> {
  let rows = 0;
  for await (const batch of table.rows()) {
    signal.throwIfAborted();
    rows += batch.length;
    if (rows > MAX_UPLOAD_ROWS) throw new FileRefusal('too_many_rows', { limit: MAX_UPLOAD_ROWS });
  }
}

async function stageFile(
  db: Db,
  request: ImportRequest,
  table: Table,
  { columns, warnings: ofColumns }: MappedColumns,
  names: CertificationNames,
): Promise<ImportWarning[]> {
  const { upload } = request;
  const warnings = [...describeEncoding(upload.file.encoding, table.delimiter), ...ofColumns];
  if (table.sheet && (upload.sheet || table.hasOtherSheets))
    warnings.unshift({ code: 'chosen_sheet', params: { sheet: table.sheet } });
  if (columns.unknown.length > 0)
    warnings.push({ code: 'ignored_columns', params: { columns: list(columns.unknown) } });
  const rows = table.rows([...columns.places.values()]);
  const ofRows = await stageChecked(db, request, rows, columns, names);
  const { formulas, hiddenRows, mergedRanges, firstMerged } = table.notes;
  if (formulas > 0) warnings.push({ code: 'formulas', params: { cells: formulas } });
  if (hiddenRows > 0) warnings.push({ code: 'hidden_rows', params: { rows: hiddenRows } });
  if (mergedRanges > 0)
    warnings.push({ code: 'merged_cells', params: { range: firstMerged, others: mergedRanges - 1 } });
  const contradicting = await rejectContradictions(db, request);
  if (contradicting.length > 0) await stageCells(db, request, pickRows(table, contradicting));
  return [...warnings, ...ofRows];
}

const TURN_MS = 10;

/** Lets the event loop run in between: a few kilobytes of a workbook may be hundreds of long rows. */
export async function mapInTurns<Row, Result>(
  rows: readonly Row[],
  map: (row: Row) => Result,
  signal?: AbortSignal,
): Promise<Result[]> {
  const results: Result[] = [];
  let started = performance.now();
  for (const row of rows) {
    results.push(map(row));
    if (performance.now() - started < TURN_MS) continue;
    await nextTurn();
    signal?.throwIfAborted();
    started = performance.now();
  }
  return results;
}

/** Validates rows and stages both valid and invalid ones. Returns the warnings. */
export async function stageChecked(
  db: Db,
  { brandId, importId, signal, progress }: ImportRun,
  rows: AsyncIterable<TableRow[]>,
  columns: ColumnPlaces,
  names: CertificationNames,
): Promise<ImportWarning[]> {
  const unknownChannels = new Set<string>();
  const headers: number[] = [];
  const spreadsheetNames = { count: 0, row: 0, name: '' };
  const spreadsheetCategories = { count: 0, row: 0, category: '' };
  const nameless = { places: new Set<number>(), row: 0, value: '' };

  /** Undefined for a repeated header. */
  function check({ row, cells, flaws }: TableRow): StagedRow | undefined {
    const verdict = checkRow(cells, columns, names, flaws);
    if (verdict.problems && repeatsHeader(cells, columns)) {
      headers.push(row);
      return undefined;
    }
    if (verdict.problems) return { rowNumber: row, bad: { cells, errors: verdict.problems } };
    const { channel, name, category } = verdict.row;
    if (isOfSpreadsheet(name)) {
      if (spreadsheetNames.count === 0) Object.assign(spreadsheetNames, { row, name });
      spreadsheetNames.count += 1;
    }
    if (isOfSpreadsheet(category)) {
      if (spreadsheetCategories.count === 0) Object.assign(spreadsheetCategories, { row, category });
      spreadsheetCategories.count += 1;
    }
    for (const place of columns.nameless) {
      const value = readText(cells[place] ?? '');
      if (value === '') continue;
      if (nameless.places.size === 0)
        Object.assign(nameless, { row, value: shorten(value.replaceAll(/\p{Cc}/gu, ' ')) });
      nameless.places.add(place);
    }
    const publish = isChannel(channel);
    if (channel !== '' && !publish && unknownChannels.size < MAX_NAMED_CHANNELS) unknownChannels.add(shorten(channel));
    return { rowNumber: row, good: { ...verdict.row, publish } };
  }

  async function* checkedRows(): AsyncGenerator<StagedRow[]> {
    for await (const batch of rows) {
      signal.throwIfAborted();
      const checked = await mapInTurns(batch, check, signal);
      progress.rowsDone += batch.length;
      yield checked.filter((row) => row !== undefined);
    }
  }

  await prepareMerge(db);
  await stageRows(db, { brandId, importId }, checkedRows());
  const warnings: ImportWarning[] = [];
  if (headers.length > 0) {
    const params = { rows: list(headers.map(String)), count: headers.length };
    warnings.push({ code: 'repeated_header', params });
  }
  if (spreadsheetNames.count > 0) warnings.push({ code: 'spreadsheet_names', params: spreadsheetNames });
  if (spreadsheetCategories.count > 0) warnings.push({ code: 'spreadsheet_categories', params: spreadsheetCategories });
  if (nameless.places.size > 0) {
    const { places, row, value } = nameless;
    const letters = [...places].sort((a, b) => a - b).map(letterOf);
    warnings.push({ code: 'nameless_columns', params: { columns: list(letters), count: places.size, row, value } });
  }
  if (unknownChannels.size > 0)
    warnings.push({ code: 'unknown_channels', params: { channels: list([...unknownChannels]) } });
  return warnings;
}

/** A date or TRUE/FALSE, which a spreadsheet may have made of another entry. */
function isOfSpreadsheet(text: string): boolean {
  return isSpreadsheetDate(text) || isSpreadsheetBoolean(text);
}

/** A warning whenever the encoding was guessed, with a sample to check it. */
function describeEncoding({ legacy }: TextEncoding, delimiter: string): ImportWarning[] {
  if (!legacy) return [];
  const cells = legacy.sample.split(/[\r\n]/).flatMap((line) => line.split(delimiter));
  const cell =
    cells.find((cell) => /[^\P{L}\p{ASCII}]/u.test(cell)) ?? cells.find((cell) => /[^\p{ASCII}]/u.test(cell)) ?? '';
  const params = { encoding: displayName(legacy.encoding), sample: shorten(cell.replaceAll('"', '').trim()) };
  return legacy.lines === undefined
    ? [{ code: 'legacy_encoding', params }]
    : [{ code: 'mixed_encodings', params: { ...params, lines: legacy.lines } }];
}

const MAX_NAMED_CHANNELS = 20;

/** Reads the file again for the cells of a few rows: staging the cells of all rows would double the work of every import. */
async function* pickRows(table: Table, wanted: readonly number[]) {
  let next = 0;
  for await (const batch of table.rows()) {
    yield batch.filter(({ row }) => {
      if (row !== wanted[next]) return false;
      next += 1;
      return true;
    });
  }
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

async function merge(db: Db, plan: Plan): Promise<Merged> {
  const { stage, publishesRows } = plan;
  const { brandId } = stage;
  const counts = await countPlanned(db, plan);
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
