import { setImmediate as nextTurn } from 'node:timers/promises';
import { DEFAULT_PAGE_SIZE, type Language } from '@brand-portal/contract/constants';
import type { BodyOf, QueryOf, ResponseOf } from '@brand-portal/contract/endpoint';
import {
  type correctAll as correctAllEndpoint,
  type correctCell as correctCellEndpoint,
  type listCorrections as listCorrectionsEndpoint,
  MAX_CORRECTION_LENGTH,
  type RejectedRow,
  type RejectedRowPage,
} from '@brand-portal/contract/import-corrections';
import { listWholeCatalogue } from '../catalog/certificates/catalogue.ts';
import { type CertificationNames, createCertificationNames } from '../catalog/fields/certification-names.ts';
import {
  addColumns,
  type ColumnPlaces,
  findColumns,
  findKnownColumn,
  isErrorColumn,
  isOwnHeader,
  keyOf,
  MAX_EXTRA_CELLS,
  shorten,
} from '../catalog/fields/columns.ts';
import { describeProblem, importTexts } from '../catalog/fields/describe.ts';
import type { ImportWarning } from '../catalog/fields/row-problem.ts';
import { checkRow } from '../catalog/fields/row-rules.ts';
import { type Db, inAbortableTransaction } from '../db/database.ts';
import type { CellFlaw } from '../files/csv/csv-file.ts';
import { AppError } from '../lib/errors.ts';
import { inKeptBrand } from '../writes/brand-lock.ts';
import {
  type CorrectedRow,
  countRejectedRows,
  countSame,
  findRejectedRow,
  listRejectedRows,
  listSame,
  listTakenRows,
  markCompared,
  readBatches,
  releaseInvalidRows,
  takeReadyRows,
  tryLockCorrections,
  updateRejectedRows,
  type ValidatedRow,
} from './corrections.queries.ts';
import { applyRows, stageLines } from './import.ts';
import { findImportRecord, type ImportRecord, storeStaged } from './imports.queries.ts';
import { withHashJoins } from './plan.queries.ts';
import { getRecord, hasRows, REJECTED_ROWS_DAYS } from './receipts.ts';
import { createRowStager } from './rows/row-stager.ts';
import { hintFor, suggestionsFor } from './rows/suggestions.ts';
import type { ImportRun, Source } from './source.ts';
import { countStagedRows, type ImportKey, rejectCompared, type StagedLines } from './staging.queries.ts';

/**
 * Members correct rejected rows in the browser. Each correction is stored, so that a reload loses nothing, and is validated by the rules of
 * an import. Valid rows are then imported as a new import.
 */

/** Rows validated before yielding to the event loop. */
const BATCH = 200;
/** A limit for one call: this many rows take a few seconds. */
const MAX_CORRECTED_ROWS = 20_000;
const MAX_IGNORED_COLUMNS = 20;
/** Rows of a page read at once. A row may have 256 KB. */
const PAGE_BATCH = 10;

const NO_ROWS = { wrong: 0, ready: 0, importing: 0, imported: 0 };

type Columns = RejectedRowPage['columns'];

export async function listCorrections(
  db: Db,
  key: ImportKey,
  { state, page = 1, page_size = DEFAULT_PAGE_SIZE }: QueryOf<typeof listCorrectionsEndpoint>,
  language: Language,
): Promise<RejectedRowPage> {
  const record = await getRecord(db, key, language);
  if (!hasRows(record)) return { columns: [], results: [], count: 0, counts: NO_ROWS };
  const counts = await countRejectedRows(db, key);
  const columns = columnsOf(record);
  const places = new Set(shownColumns(record, columns, []).map(({ place }) => place));
  const isShown = (place: number) => places.has(place) || (place >= columns.count && place < columns.count + MAX_EXTRA_CELLS);
  const rows: CorrectedRow[] = [];
  while (rows.length < page_size) {
    const last = rows.at(-1);
    const batch = await listRejectedRows(db, key, {
      ...(last ? { after: last.row_number } : { skip: (page - 1) * page_size }),
      take: Math.min(PAGE_BATCH, page_size - rows.length),
      ...(state && { only: state }),
    });
    if (batch.length === 0) break;
    rows.push(...batch.map((row) => cutRow(row, isShown)));
  }
  const shown = shownColumns(record, columns, rows);
  const names = await readNames(db);
  return {
    columns: shown,
    results: rows.map((row) => toAnswer(row, { shown, columns, names, language })),
    count: state ? counts[state] : counts.wrong + counts.ready + counts.importing + counts.imported,
    counts,
    import_undone: record.state === 'undone',
  };
}

/** Optimistic locking: the caller names the value it replaces, so that a concurrent correction is not overwritten unseen. */
export function correctCell(
  db: Db,
  { row: rowNumber, ...key }: ImportKey & { readonly row: number },
  { place, from, to }: BodyOf<typeof correctCellEndpoint>,
  language: Language,
): Promise<ResponseOf<typeof correctCellEndpoint>> {
  return inCorrections(db, key, async (db) => {
    const record = await getCorrectable(db, key, language);
    const found = await findRejectedRow(db, key, rowNumber);
    if (!found) throw new AppError('import_not_found', importTexts(language).rejectedRowsDeleted(REJECTED_ROWS_DAYS));
    const before = found.cells[place] ?? '';
    const isTaken = found.taken_by !== null;
    if (isTaken || (from !== undefined && from !== before))
      throw new AppError('import_row_changed', 'Somebody else has corrected or imported this row meanwhile.');
    const [columns, names] = [columnsOf(record), await readNames(db)];
    const judged = validate({ ...found, cells: replaceCell(found.cells, place, to) }, found, columns, names);
    const gtins = await updateRejectedRows(db, key, [judged]);
    await withHashJoins(db, () => markCompared(db, key, gtins));
    const row = (await findRejectedRow(db, key, rowNumber)) ?? found;
    const shown = shownColumns(record, columns, [row]);
    const field = fieldAt(columns, place);
    return {
      row: toAnswer(row, { shown, columns, names, language }),
      counts: await countRejectedRows(db, key),
      same: before === to || field === 'gtin' ? 0 : await countSame(db, key, { place, field, value: before }),
    };
  });
}

function fieldAt({ places }: ColumnPlaces, place: number): string | undefined {
  return [...places].find(([, at]) => at === place)?.[0];
}

/** Replaces the value in every row that has it, or in the first `MAX_CORRECTED_ROWS`. */
export function correctAll(
  db: Db,
  key: ImportKey,
  { place, from, to }: BodyOf<typeof correctAllEndpoint>,
  language: Language,
  limit = MAX_CORRECTED_ROWS,
): Promise<ResponseOf<typeof correctAllEndpoint>> {
  return inCorrections(db, key, async (db) => {
    const record = await getCorrectable(db, key, language);
    const [columns, names] = [columnsOf(record), await readNames(db)];
    const cell = { place, field: fieldAt(columns, place), value: from };
    if (cell.field === 'gtin') throw new AppError('csv_rejected', importTexts(language).oneGtinForAll);
    const gtins = new Set<string>();
    let corrected = 0;
    const same = readBatches(BATCH, (window) => listSame(db, key, { ...cell, ...window }));
    for await (const batch of from === to ? [] : same) {
      const rows = batch.slice(0, limit - corrected);
      const judged = await mapInTurns(rows, (row) => validate({ ...row, cells: replaceCell(row.cells, place, to) }, row, columns, names));
      for (const gtin of await updateRejectedRows(db, key, judged)) gtins.add(gtin);
      corrected += rows.length;
      if (corrected === limit) break;
    }
    await withHashJoins(db, () => markCompared(db, key, [...gtins]));
    const rest = from === to ? 0 : await countSame(db, key, cell);
    return { rows: corrected, rest, counts: await countRejectedRows(db, key) };
  });
}

/** Runs a transaction that alone corrects or takes rejected rows of the import. */
export function inCorrections<T>(db: Db, key: ImportKey, work: (db: Db) => Promise<T>): Promise<T> {
  const name = `corrections of ${key.importId}`;
  return inKeptBrand(db, key.brandId, work, { name, alsoLock: (db) => tryLockCorrections(db, key) });
}

const TURN_MS = 10;

/** Lets the event loop run in between: a few hundred kilobytes may be hundreds of long rows. */
async function mapInTurns<Row, Result>(rows: readonly Row[], map: (row: Row) => Result): Promise<Result[]> {
  const results: Result[] = [];
  let started = performance.now();
  for (const row of rows) {
    results.push(map(row));
    if (performance.now() - started < TURN_MS) continue;
    await nextTurn();
    started = performance.now();
  }
  return results;
}

/** Assigns the ready rows to a new import, in the transaction that accepts it, so that a double click finds none. Returns how many. */
export async function takeCorrections(db: Db, { brandId, importId }: ImportKey, takenBy: number): Promise<number> {
  const rows = await takeReadyRows(db, { brandId, importId }, takenBy);
  if (rows === 0) throw nothingCorrected();
  return rows;
}

/** The corrected rows of an earlier import. */
export const CORRECTIONS_SOURCE: Source = { stage: stageCorrections, apply: applyRows };

/** Stages the taken rows as if they were a file. Rows that are no longer valid are released. */
async function stageCorrections(db: Db, run: ImportRun): Promise<void> {
  const { brandId, importId, signal, record } = run;
  const origin = { brandId, importId: record.corrects_import_id ?? 0 };
  const corrected = await findImportRecord(db, origin);
  if (!corrected) throw nothingCorrected();
  const columns = columnsOf(corrected);
  const stager = createRowStager(run, columns, await readNames(db));
  // With the pool's `db`, not the transaction's: COPY keeps that connection busy while it reads these rows.
  async function* takenRows(): AsyncGenerator<StagedLines, ImportWarning[], undefined> {
    const taken = readBatches(BATCH, (window) => listTakenRows(db, origin, { takenBy: importId, ...window }));
    for await (const rows of taken) {
      yield* stager.stage(rows.map((row) => ({ row: row.row_number, cells: [...row.cells], flaws: flawsOf(row.cells, row, columns) })));
    }
    return stager.warnings();
  }
  const total = await inAbortableTransaction(db, signal, async (db) => {
    const warnings = await stageLines(db, run, takenRows());
    await withHashJoins(db, () => rejectCompared(db, run));
    await releaseInvalidRows(db, origin, importId);
    const counts = await countStagedRows(db, run);
    const { delimiter, header } = corrected;
    if (counts.total > 0) await storeStaged(db, run, { delimiter, header, warnings, mapping: null, counts });
    return counts.total;
  });
  // Only after the commit, which releases the rows.
  if (total === 0) throw nothingCorrected();
}

function nothingCorrected(): AppError {
  return new AppError('import_nothing_corrected', 'There are no corrected rows to import.');
}

async function getCorrectable(db: Db, key: ImportKey, language: Language): Promise<ImportRecord> {
  const record = await getRecord(db, key, language);
  if (!hasRows(record)) throw new AppError('import_not_found', importTexts(language).noRejectedRows);
  return record;
}

async function readNames(db: Db): Promise<CertificationNames> {
  return createCertificationNames(await listWholeCatalogue(db));
}

/** The positions of the columns. Workbooks have no escaped formulas. */
function columnsOf({ header, is_workbook }: ImportRecord): ColumnPlaces {
  return addColumns(findColumns(header, !is_workbook));
}

/** Pads a row that is too short with blank cells. */
function replaceCell(cells: readonly string[], place: number, value: string): string[] {
  const corrected = Array.from({ length: Math.max(cells.length, place + 1) }, (_, index) => cells[index] ?? '');
  corrected[place] = value;
  return corrected;
}

function validate(
  { row_number, cells }: Pick<CorrectedRow, 'row_number' | 'cells'>,
  before: CorrectedRow,
  columns: ColumnPlaces,
  names: CertificationNames,
): ValidatedRow {
  const verdict = checkRow(cells, columns, names, flawsOf(cells, before, columns));
  const { problems: errors = [] } = verdict;
  const known = verdict.problems ? verdict.known : verdict.row;
  if (!known) return { row_number, cells, errors, content: null };
  const { gtin14, name = null, category = null, details = null, certificate } = known;
  const certification_id = certificate?.certificationId ?? null;
  const certificate_key = certificate?.key ?? null;
  return { row_number, cells, errors, content: { gtin14, name, category, details, certification_id, certificate_key } };
}

/** Problems of a workbook's cell beyond its text, such as a date. A correction of the cell removes them. */
function flawsOf(
  cells: readonly string[],
  { original, cells: before, errors }: CorrectedRow,
  { places }: ColumnPlaces,
): ReadonlyMap<number, CellFlaw> {
  const left = original ?? { cells: before, errors };
  const flaws = new Map<number, CellFlaw>();
  for (const { code, field } of left.errors) {
    const place = field && places.get(field);
    if (place !== undefined && code.startsWith('cell_') && cells[place] === left.cells[place])
      flaws.set(place, code.slice('cell_'.length) as CellFlaw);
  }
  return flaws;
}

/** The known and ignored columns, those that the file lacks, and extra cells beyond the last column if rows have them. */
function shownColumns({ header }: ImportRecord, { places, count, addedFrom }: ColumnPlaces, rows: readonly CorrectedRow[]): Columns {
  const nameOf = (place: number) => shorten((header[place] ?? '').trim());
  const known = [...places].map(([field, place]) => ({ place, name: nameOf(place) || field, field }));
  const isIgnored = (cell: string) => keyOf(cell) !== '' && !findKnownColumn(cell) && !isErrorColumn(cell);
  const ignored = header
    .flatMap((cell, place) =>
      isIgnored(cell) && !(place === 0 && isOwnHeader(header)) ? [{ place, name: nameOf(place), field: null, read_only: true }] : [],
    )
    .slice(0, MAX_IGNORED_COLUMNS);
  const filledIn = ({ cells }: CorrectedRow) => cells.slice(0, addedFrom).findLastIndex((cell) => cell.trim() !== '') + 1;
  const extra = Math.min(Math.max(count, ...rows.map(filledIn)) - count, MAX_EXTRA_CELLS);
  return [
    ...[...known, ...ignored].sort((a, b) => a.place - b.place),
    ...Array.from({ length: extra }, (_, index) => ({ place: count + index, name: '', field: null })),
  ];
}

/** Keeps of a row what the page shows: a hundred long rows would fill the memory. */
function cutRow(row: CorrectedRow, isShown: (place: number) => boolean): CorrectedRow {
  const cut = (cells: readonly string[]) => cells.map((cell, place) => (isShown(place) ? cutCell(cell) : ''));
  return {
    ...row,
    cells: cut(row.cells),
    original: row.original && { ...row.original, cells: cut(row.original.cells) },
  };
}

/** One character more than is shown, so that it still differs from a correction. Copied: a slice would keep the whole text in memory. */
function cutCell(cell: string): string {
  if (cell.length <= MAX_CORRECTION_LENGTH + 1) return cell;
  return Buffer.from(cell.slice(0, MAX_CORRECTION_LENGTH + 1), 'utf16le').toString('utf16le');
}

interface AnswerContext {
  readonly shown: Columns;
  readonly columns: ColumnPlaces;
  readonly names: CertificationNames;
  readonly language: Language;
}

function toAnswer(row: CorrectedRow, { shown, columns, names, language }: AnswerContext): RejectedRow {
  const { row_number, cells, original, state, taken_by } = row;
  const isCorrected = (place: number) => original !== null && (original.cells[place] ?? '') !== (cells[place] ?? '');
  return {
    row: row_number,
    state,
    cells: shown.map(({ place }) => (cells[place] ?? '').slice(0, MAX_CORRECTION_LENGTH).toWellFormed()),
    corrected: shown.map(({ place }) => place).filter(isCorrected),
    errors: row.errors.map((problem) => {
      const place = problem.field === undefined ? undefined : columns.places.get(problem.field);
      const cell = place === undefined ? '' : (cells[place] ?? '');
      const hint = hintFor(problem, cell, language);
      return {
        place: place ?? null,
        code: problem.code,
        message: describeProblem(problem, language),
        suggestions: suggestionsFor(problem, cell, names),
        ...(hint !== undefined && { hint }),
      };
    }),
    import_id: taken_by,
  };
}
