import { MAX_UPLOAD_ROWS } from '@brand-portal/contract/constants';
import { createCertificationNames } from '../catalog/fields/certification-names.ts';
import { list, REQUIRED_COLUMNS, shorten } from '../catalog/fields/columns.ts';
import type { ImportWarning } from '../catalog/fields/row-problem.ts';
import { openCsv, type Table } from '../files/csv/csv-file.ts';
import { FileRefusal } from '../files/csv/file-refusal.ts';
import type { HeaderRank } from '../files/csv/header-row.ts';
import { displayName } from '../files/csv/legacy-encoding.ts';
import { type FilePlace, openStored } from '../files/csv/spool.ts';
import type { TextEncoding } from '../files/csv/text-encoding.ts';
import { openWorkbook } from '../files/xlsx/workbook.ts';
import type { MappingRequest, Mappings } from './mapping.queries.ts';
import { type Catalogue, type MappedColumns, mapColumns, rankHeader } from './mapping.ts';
import { createRowStager } from './rows/row-stager.ts';
import type { ImportKey, StagedCells, StagedLines } from './staging.queries.ts';

/** All that is needed to read a file, as plain data: it is read in a thread of its own (`import-file.thread.ts`). */
export interface FileRequest {
  readonly stage: ImportKey;
  readonly file: FilePlace;
  /** The sheet of a workbook that the member has chosen. */
  readonly sheet: string | undefined;
  readonly mapping: MappingRequest | undefined;
  readonly mappings: Mappings;
  readonly catalogue: Catalogue;
}

/** What is known of a file when its header has been read. */
export interface FileHeader extends Pick<MappedColumns, 'header' | 'isNameMapped' | 'chosen'> {
  readonly delimiter: string;
  /** The number of rows that the file states, if it does. */
  readonly claimedRows: number | undefined;
}

/** An uploaded file whose header has been read. */
export interface ImportFile {
  readonly header: FileHeader;
  /** Validates all rows. Returns what the member is warned of. */
  rows(): AsyncGenerator<StagedLines, ImportWarning[], undefined>;
  /** The cells of these rows, which must be in order. */
  cells(rows: readonly number[]): AsyncGenerator<StagedCells, void, undefined>;
  close(): void;
}

/** Nothing here knows the database. */
export async function openImportFile(request: FileRequest): Promise<ImportFile> {
  const { file, sheet, mapping, mappings, catalogue } = request;
  const table = await openTable(file, rankHeader(mappings), sheet);
  try {
    const mapped = await mapColumns(table, { mapping, mappings, catalogue, isText: file.kind === 'text' });
    if (file.lines > MAX_UPLOAD_ROWS) await refuseTooManyRows(table);
    const { delimiter, claimedRows } = table;
    const { header, isNameMapped, chosen } = mapped;
    return {
      header: { delimiter, claimedRows, header, isNameMapped, ...(chosen && { chosen }) },
      rows: () => readRows(request, table, mapped),
      cells: (rows) => readCells(table, rows),
      close: table.close,
    };
  } catch (error) {
    table.close();
    throw error;
  }
}

async function* readRows(
  { stage, sheet, catalogue }: FileRequest,
  table: Table,
  { columns, warnings: ofColumns }: MappedColumns,
): AsyncGenerator<StagedLines, ImportWarning[], undefined> {
  const stager = createRowStager(stage, columns, createCertificationNames(catalogue));
  for await (const batch of table.rows([...columns.places.values()])) {
    for (const { lines, rows } of stager.stage(batch)) yield { lines: Buffer.from(lines), rows };
  }
  const warnings: ImportWarning[] = [];
  if (table.sheet && (sheet || table.hasOtherSheets)) warnings.push({ code: 'chosen_sheet', params: { sheet: table.sheet } });
  if (table.encoding) warnings.push(...describeEncoding(table.encoding, table.delimiter));
  warnings.push(...ofColumns);
  if (columns.unknown.length > 0) warnings.push({ code: 'ignored_columns', params: { columns: list(columns.unknown) } });
  const { formulas, hiddenRows, mergedRanges, firstMerged } = table.notes;
  if (formulas > 0) warnings.push({ code: 'formulas', params: { cells: formulas } });
  if (hiddenRows > 0) warnings.push({ code: 'hidden_rows', params: { rows: hiddenRows } });
  if (mergedRanges > 0) warnings.push({ code: 'merged_cells', params: { range: firstMerged, others: mergedRanges - 1 } });
  return [...warnings, ...stager.warnings()];
}

/** Reads the file again for the cells of a few rows: staging the cells of all rows would double the work of every import. */
async function* readCells(table: Table, wanted: readonly number[]): AsyncGenerator<StagedCells, void, undefined> {
  let next = 0;
  for await (const batch of table.rows()) {
    const rows = batch.filter(({ row }) => {
      if (row !== wanted[next]) return false;
      next += 1;
      return true;
    });
    const [first, last] = [rows.at(0), rows.at(-1)];
    if (first && last) yield { first: first.row, last: last.row, rows: JSON.stringify(rows) };
  }
}

/** How a PDF, a web page, XML, RTF and JSON begin. */
const DOCUMENT = /^(?:%PDF-|<(?:!doctype|html|\?xml|table|svg)\b|\{\\rtf|[{[]\s*(?:["{[]|$))/i;

/** Detects the format by content. Both formats give the same kind of table. */
export async function openTable(file: FilePlace, rank: HeaderRank, sheet?: string): Promise<Table> {
  if (file.kind === 'text') {
    const table = await openCsv(openStored(file), rank);
    if (DOCUMENT.test(table.header[0] ?? '')) throw new FileRefusal('document');
    return table;
  }
  return openWorkbook(file, { rank, columns: REQUIRED_COLUMNS.join(', '), sheet });
}

/** Called only for files with enough lines to exceed the limit, before anything is written. */
async function refuseTooManyRows(table: Table): Promise<void> {
  let rows = 0;
  for await (const batch of table.rows()) {
    rows += batch.length;
    if (rows > MAX_UPLOAD_ROWS) throw new FileRefusal('too_many_rows', { limit: MAX_UPLOAD_ROWS });
  }
}

/** A warning whenever the encoding was guessed, with a sample to check it. */
function describeEncoding({ legacy }: TextEncoding, delimiter: string): ImportWarning[] {
  if (!legacy) return [];
  const cells = legacy.sample.split(/[\r\n]/).flatMap((line) => line.split(delimiter));
  const cell = cells.find((cell) => /[^\P{L}\p{ASCII}]/u.test(cell)) ?? cells.find((cell) => /[^\p{ASCII}]/u.test(cell)) ?? '';
  const params = { encoding: displayName(legacy.encoding), sample: shorten(cell.replaceAll('"', '').trim()) };
  return legacy.lines === undefined
    ? [{ code: 'legacy_encoding', params }]
    : [{ code: 'mixed_encodings', params: { ...params, lines: legacy.lines } }];
}
