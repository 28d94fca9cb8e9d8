import { MAX_UPLOAD_ROWS } from '@brand-portal/contract/constants';
import type { CellFlaw, TableNotes, TableRow } from '../csv/csv-file.ts';
import { MAX_COLUMNS, MAX_RECORD_LENGTH, MAX_ROW_NUMBER } from '../csv/csv-records.ts';
import { FileRefusal } from '../csv/file-refusal.ts';
import { type CellFormat, type CellValue, readNumber } from './cell-formats.ts';
import type { WorkbookPackage } from './package.ts';
import { cleanText, createTextCollector, type SharedStrings } from './shared-strings.ts';

/** Data that the cells of all sheets refer to. */
export interface SheetContext {
  readonly workbook: WorkbookPackage;
  readonly formats: readonly CellFormat[];
  readonly strings: SharedStrings | undefined;
  readonly is1904: boolean;
}

export interface SheetNotes extends TableNotes {
  /** The last row according to the sheet's dimension. */
  lastRow?: number | undefined;
}

/** The cells of which merged ranges are noted. */
interface ImportedCells {
  readonly headerRow: number;
  readonly places: readonly number[];
}

interface Cell {
  readonly place: number;
  readonly type: string;
  readonly format: CellFormat;
  value: string;
  hasFormula: boolean;
  isText: boolean;
}

type Attributes = Readonly<Record<string, string>>;

/** All rows of a sheet that have cells, with the sheet's row numbers. One batch per chunk of the file. */
export async function* readSheet(
  { workbook, formats, strings, is1904 }: SheetContext,
  path: string,
  notes: SheetNotes,
  imported?: ImportedCells,
): AsyncGenerator<TableRow[]> {
  let rows: TableRow[] = [];
  let row = 0;
  let lastFilledRow = 0;
  let cells: string[] = [];
  let characters = 0;
  let flaws: Map<number, CellFlaw> | undefined;
  let cell: Cell | undefined;
  let nextPlace = 0;
  let isValue = false;
  const inline = createTextCollector();

  function openRow(attributes: Attributes) {
    const number = attributes.r === undefined ? row + 1 : Number(attributes.r);
    if (!Number.isInteger(number) || number <= row) throw new FileRefusal('broken_workbook');
    if (number > MAX_ROW_NUMBER) throw new FileRefusal('too_many_rows', { limit: MAX_UPLOAD_ROWS });
    row = number;
    cells = [];
    characters = 0;
    flaws = undefined;
    nextPlace = 0;
    if (attributes.hidden === '1' || attributes.hidden === 'true') notes.hiddenRows += 1;
  }

  function openCell(attributes: Attributes) {
    const place = attributes.r === undefined ? nextPlace : placeOf(attributes.r);
    nextPlace = place + 1;
    const format = formats[Number(attributes.s ?? 0)] ?? 'plain';
    cell = { place, type: attributes.t ?? 'n', format, value: '', hasFormula: false, isText: false };
    inline.begin();
  }

  function closeCell({ place, type, format, value, hasFormula, isText }: Cell) {
    if (hasFormula) notes.formulas += 1;
    const read: CellValue =
      hasFormula && value === '' && type !== 'str'
        ? { text: '', flaw: 'not_calculated' }
        : isText
          ? { text: inline.end() }
          : readValue(type, value, format);
    const { text, flaw } = read;
    if (text === '' && !flaw) return;
    if (place >= MAX_COLUMNS) {
      if (text.trim() === '') return;
      throw new FileRefusal('too_many_columns', { row, limit: MAX_COLUMNS });
    }
    characters += text.length;
    refuseLongRow(characters);
    workbook.spendCharacters(text.length);
    workbook.spendBlanks(Math.max(0, place - cells.length));
    while (cells.length < place) cells.push('');
    cells[place] = text;
    if (flaw) {
      flaws ??= new Map();
      flaws.set(place, flaw);
    }
  }

  function refuseLongRow(length: number) {
    if (length > MAX_RECORD_LENGTH) throw new FileRefusal('row_too_long', { row, limit: MAX_RECORD_LENGTH });
  }

  function readValue(type: string, value: string, format: CellFormat): CellValue {
    if (type === 's') return { text: value === '' ? '' : getShared(Number(value)) };
    if (type === 'n') return readNumber(value, format, is1904);
    if (type === 'b') return { text: value === '1' ? 'TRUE' : value === '' ? '' : 'FALSE' };
    if (type === 'd') return { text: value.slice(0, 10), ...(value !== '' && { flaw: 'date' as const }) };
    return { text: cleanText(value) };
  }

  function getShared(index: number): string {
    if (!strings) throw new FileRefusal('broken_workbook');
    return strings.get(index);
  }

  /** They come after the rows, so their value cannot be filled in. Only counted: there may be millions. */
  function noteMergedCells(range: string, { headerRow, places }: ImportedCells) {
    const [, left, top, right, bottom] = /^([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})$/.exec(range) ?? [];
    if (!left || !right) return;
    const first = Number(top);
    if (first <= headerRow || first >= Number(bottom) || first >= lastFilledRow) return;
    const [from, to] = [placeOf(left), placeOf(right)];
    if (!places.some((place) => from <= place && place <= to)) return;
    notes.firstMerged ||= range;
    notes.mergedRanges += 1;
  }

  const handlers = {
    open(name: string, attributes: Attributes) {
      if (cell) {
        if (name === 'v') isValue = true;
        else if (name === 'f') cell.hasFormula = true;
        else if (name === 'is') cell.isText = true;
        else inline.open(name);
      } else if (name === 'c') openCell(attributes);
      else if (name === 'row') openRow(attributes);
      else if (name === 'mergeCell' && imported) noteMergedCells(attributes.ref ?? '', imported);
      else if (name === 'dimension') notes.lastRow = lastRowOf(attributes.ref ?? '');
    },
    close(name: string) {
      if (cell) {
        if (name === 'v') isValue = false;
        else if (name === 'c') {
          closeCell(cell);
          cell = undefined;
        } else inline.close(name);
      } else if (name === 'row' && cells.length > 0) {
        lastFilledRow = row;
        rows.push({ row, cells, ...(flaws && { flaws }) });
      }
    },
    text(text: string) {
      if (!cell) return;
      if (!isValue) return inline.text(text);
      cell.value += text;
      refuseLongRow(cell.value.length);
    },
  };
  for await (const _piece of workbook.parse(path, handlers)) {
    if (rows.length === 0) continue;
    yield rows;
    rows = [];
  }
}

/** 'AB12' → 27. */
function placeOf(reference: string): number {
  let place = 0;
  for (let at = 0; at < reference.length; at++) {
    const letter = reference.charCodeAt(at) - 64;
    if (letter < 1 || letter > 26) break;
    place = place * 26 + letter;
  }
  if (place < 1 || place > 16_384) throw new FileRefusal('broken_workbook');
  return place - 1;
}

/** 'A1:F1001' → 1001. */
function lastRowOf(range: string): number | undefined {
  const last = /(\d{1,7})$/.exec(range)?.[1];
  return last === undefined ? undefined : Number(last);
}
