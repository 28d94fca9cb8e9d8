import { MAX_UPLOAD_ROWS } from '@brand-portal/contract/constants';
import { NOTHING_NOTED, type Table, type TableNotes, type TableRow } from '../csv/csv-file.ts';
import { FileRefusal } from '../csv/file-refusal.ts';
import { findHeaderRow, HEADER_WITHIN, type HeaderRank, type HeaderRow, hasSeveralTexts, hasText, LIKELY } from '../csv/header-row.ts';
import type { FilePlace } from '../csv/spool.ts';
import { readFormats } from './cell-formats.ts';
import { openPackage, type WorkbookPackage } from './package.ts';
import { readSharedStrings } from './shared-strings.ts';
import { readSheet, type SheetContext, type SheetNotes } from './sheet.ts';

/** Limits of the sheets read, and of the rows of each in which the header is searched. */
const MAX_SHEETS = 100;
const HEADER_WITHIN_ROWS = 1_000;
const MAX_SHEET_NAME_LENGTH = 100;
/** Limit of the sheets that a workbook lists, and of its related parts; and of the text of each, which would fill memory otherwise. */
const MAX_LISTED = 10_000;
const MAX_RELATION_LENGTH = 1_000;

interface Sheet {
  readonly name: string;
  readonly path: string;
  readonly isVisible: boolean;
}

interface SheetRequest {
  /** Recognises the sheet and its header. */
  readonly rank: HeaderRank;
  /** The required columns, for a message. */
  readonly columns: string;
  /** The sheet that the member has chosen. */
  readonly sheet?: string | undefined;
}

/** The only sheet with the columns, as a table like a CSV file's. */
export async function openWorkbook(file: FilePlace, request: SheetRequest): Promise<Table> {
  const workbook = await openPackage(file);
  const { sheets, is1904, strings, formats } = await readWorkbook(workbook);
  const context: SheetContext = {
    workbook,
    is1904,
    formats: formats ? await readFormats(workbook, formats) : [],
    strings: strings ? await readSharedStrings(workbook, strings) : undefined,
  };
  const close = () => context.strings?.close();
  try {
    const { sheet, header, lastRow, hasOthers } = await chooseSheet(context, sheets, request);
    const notes = { ...NOTHING_NOTED };
    return {
      delimiter: ',',
      header: header.cells,
      headerRow: header.row,
      firstHeaderRow: header.firstRow,
      sheet: sheet.name,
      hasOtherSheets: hasOthers,
      ...(lastRow !== undefined && { claimedRows: Math.max(0, lastRow - header.row) }),
      rows: (imported) => readRows(context, sheet, header, notes, imported),
      notes,
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

async function* readRows(
  context: SheetContext,
  { path }: Sheet,
  header: HeaderRow,
  notes: TableNotes,
  places: readonly number[] = [],
): AsyncGenerator<TableRow[], void, undefined> {
  const seen: SheetNotes = { ...NOTHING_NOTED };
  let count = 0;
  for await (const batch of readSheet(context, path, seen, { headerRow: header.row, places })) {
    const rows = batch.filter((row) => row.row > header.row && (hasText(row) || row.flaws));
    count += rows.length;
    if (count > MAX_UPLOAD_ROWS) throw new FileRefusal('too_many_rows', { limit: MAX_UPLOAD_ROWS });
    // A sheet omits blank cells, so a row ends with its last cell that is not blank.
    for (const { cells } of rows) {
      context.workbook.spendBlanks(Math.max(0, header.cells.length - cells.length));
      while (cells.length < header.cells.length) cells.push('');
    }
    Object.assign(notes, seen);
    yield rows;
  }
  // Merged cells come after the last row.
  Object.assign(notes, seen);
}

interface FoundSheet {
  readonly sheet: Sheet;
  readonly header: HeaderRow;
  readonly lastRow: number | undefined;
}

async function chooseSheet(
  context: SheetContext,
  sheets: readonly Sheet[],
  { rank, columns, sheet: chosen }: SheetRequest,
): Promise<FoundSheet & { hasOthers: boolean }> {
  const found = await findHeaders(
    context,
    sheets.filter(({ isVisible }) => isVisible),
    rank,
  );
  // A cover page alone, or blank sheets: the table may be in a hidden one.
  if (!found.some(({ header }) => hasSeveralTexts(header))) {
    const hidden = await findHeaders(
      context,
      sheets.filter(({ isVisible }) => !isVisible),
      rank,
    );
    const names = hidden.filter(({ header }) => rank(header.cells) >= LIKELY).map(({ sheet }) => sheet.name);
    if (names.length > 0) throw new FileRefusal('hidden_sheets', { names });
  }
  const [only, ...others] = found;
  if (!only) throw new FileRefusal('empty_workbook');
  // Notes and lists have one column.
  const choose = (choice: FoundSheet) => ({
    ...choice,
    hasOthers: found.some((other) => other !== choice && hasSeveralTexts(other.header)),
  });
  const named = found.find(({ sheet }) => sheet.name === chosen);
  if (named) return choose(named);
  const ranked = found.map((candidate) => ({ candidate, sureness: rank(candidate.header.cells) }));
  const best = Math.max(...ranked.map(({ sureness }) => sureness));
  const fitting = ranked.filter(({ sureness }) => sureness > 0 && sureness === best).map(({ candidate }) => candidate);
  const [fits, ...moreFit] = fitting;
  if (fits && moreFit.length === 0) return choose(fits);
  if (fits) throw new FileRefusal('several_sheets', { sheets: fitting.map(({ sheet }) => sheet.name) });
  // If there is only one sheet, missing columns are reported as for a CSV file.
  if (others.length === 0) return choose(only);
  throw new FileRefusal('no_sheet', { columns, sheets: found.map(({ sheet }) => sheet.name) });
}

async function findHeaders(context: SheetContext, sheets: readonly Sheet[], rank: HeaderRank): Promise<FoundSheet[]> {
  const found: FoundSheet[] = [];
  for (const sheet of sheets.slice(0, MAX_SHEETS)) {
    const notes: SheetNotes = { ...NOTHING_NOTED };
    const header = await findHeader(context, sheet, notes, rank);
    if (header) found.push({ sheet, header, lastRow: notes.lastRow });
  }
  return found;
}

async function findHeader(context: SheetContext, { path }: Sheet, notes: SheetNotes, rank: HeaderRank): Promise<HeaderRow | undefined> {
  const first: TableRow[] = [];
  for await (const batch of readSheet(context, path, notes)) {
    first.push(...batch.filter(hasText).slice(0, HEADER_WITHIN));
    if (first.length >= HEADER_WITHIN || (batch.at(-1)?.row ?? 0) > HEADER_WITHIN_ROWS) break;
  }
  return findHeaderRow(first, rank);
}

async function readWorkbook(workbook: WorkbookPackage) {
  const path = await findWorkbookPath(workbook);
  const relations = await readRelations(workbook, path);
  // The first of several with the same id.
  const byId = new Map<string | undefined, Relation>(relations.toReversed().map((relation) => [relation.id, relation]));
  const sheets = new Map<string, Sheet>();
  let listed = 0;
  let is1904 = false;
  const open = (name: string, attributes: Readonly<Record<string, string>>) => {
    if (name === 'workbookPr') is1904 = attributes.date1904 === '1' || attributes.date1904 === 'true';
    if (name !== 'sheet') return;
    listed += 1;
    if (listed > MAX_LISTED) throw new FileRefusal('workbook_bomb');
    const relation = byId.get(Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1]);
    const isVisible = attributes.state === undefined || attributes.state === 'visible';
    if (relation?.type !== 'worksheet' || sheets.get(relation.path)?.isVisible) return;
    sheets.set(relation.path, { name: cleanName(attributes.name ?? ''), path: relation.path, isVisible });
  };
  for await (const _piece of workbook.parse(path, { open }));
  const pathOf = (type: string) => {
    const found = relations.find((relation) => relation.type === type)?.path;
    return found !== undefined && workbook.has(found) ? found : undefined;
  };
  return { sheets: [...sheets.values()], is1904, strings: pathOf('sharedStrings'), formats: pathOf('styles') };
}

async function findWorkbookPath(workbook: WorkbookPackage): Promise<string> {
  const root = workbook.has('_rels/.rels') ? await readRelations(workbook, '') : [];
  const path = root.find(({ type }) => type === 'officeDocument')?.path ?? 'xl/workbook.xml';
  if (!workbook.has(path) || !path.startsWith('xl/')) throw new FileRefusal('archive');
  return path;
}

interface Relation {
  readonly id: string;
  readonly type: string;
  readonly path: string;
}

/** The related parts of a part, with their types. External targets are ignored. */
async function readRelations(workbook: WorkbookPackage, path: string): Promise<Relation[]> {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const relations: Relation[] = [];
  let listed = 0;
  const open = (name: string, { Id = '', Type = '', Target = '', TargetMode }: Readonly<Record<string, string>>) => {
    if (name !== 'Relationship') return;
    listed += 1;
    if (listed > MAX_LISTED) throw new FileRefusal('workbook_bomb');
    const isLong = Id.length + Type.length + Target.length > MAX_RELATION_LENGTH;
    if (TargetMode === 'External' || isLong) return;
    const { pathname } = new URL(Target, `file:///${folder}`);
    const path = decodeURI(pathname.slice(1)).toLowerCase();
    relations.push({ id: Id, type: Type.slice(Type.lastIndexOf('/') + 1), path });
  };
  for await (const _piece of workbook.parse(`${folder}_rels/${path.slice(folder.length)}.rels`, { open }));
  return relations;
}

function cleanName(name: string): string {
  // Copied: a slice would keep the whole text in memory.
  const short = [...name.slice(0, MAX_SHEET_NAME_LENGTH)].join('');
  return short.replaceAll(/\p{Cc}/gu, '').toWellFormed();
}
