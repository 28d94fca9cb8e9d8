import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { Language } from '@brand-portal/contract/constants';
import type { DigitsExportQuery } from '@brand-portal/contract/exports';
import { BYTE_ORDER_MARK, keepDigits, neutraliseFormulas, toCsvLines } from '../csv/csv-writer.ts';
import { WORKBOOK_TYPE, writeWorkbook } from './workbook-writer.ts';

interface ExportedList<Item, Column extends string> {
  /** The file name without its extension. */
  readonly name: string;
  readonly sheet: string;
  /** The columns in their order, with their width in characters. */
  readonly columns: Readonly<Record<Column, number>>;
  readonly batches: AsyncIterable<readonly Item[]>;
  /** The rows of one item. */
  readonly toRows: (item: Item) => readonly Readonly<Record<Column, string>>[];
  /** The number of items, if known. */
  readonly total?: number | undefined;
}

export interface ExportFile {
  readonly fileName: string;
  readonly content: Readable;
  readonly type?: string;
  readonly rows: { readonly total: number | undefined; readonly written: () => number };
}

/** Columns whose digits a spreadsheet would convert to numbers. */
const DIGITS: readonly string[] = ['gtin', 'certificate_id'];
/** Rows written before yielding to the event loop. */
const WRITE_BATCH = 50;

/** Writes a list as a file while it is downloaded, with backpressure. */
export function toExportFile<Item, Column extends string>(
  { name, sheet, columns, batches, toRows, total }: ExportedList<Item, Column>,
  { format, apostrophe = false }: DigitsExportQuery,
  language: Language,
): ExportFile {
  const header = Object.keys(columns) as Column[];
  let written = 0;
  async function* rows(): AsyncGenerator<string[][]> {
    yield [header];
    for await (const batch of batches) {
      for (let from = 0; from < batch.length; from += WRITE_BATCH) {
        const items = batch.slice(from, from + WRITE_BATCH);
        yield items.flatMap(toRows).map((row) => header.map((column) => row[column]));
        written += items.length;
        await setImmediate();
      }
    }
  }
  const file = { fileName: `${name}.${format}`, rows: { total, written: () => written } };
  if (format === 'csv') {
    const isDigits = header.map((column) => apostrophe && DIGITS.includes(column));
    return { ...file, content: Readable.from(toCsv(rows(), language, isDigits), { highWaterMark: 1 }) };
  }
  const widths = header.map((column) => columns[column]);
  const content = writeWorkbook([{ name: sheet, widths, hasHeader: true, rows: rows() }]);
  return { ...file, content, type: WORKBOOK_TYPE };
}

/** Spreadsheets split at commas in locales that write 1.5, and at semicolons in those that write 1,5. */
const DELIMITERS: Readonly<Record<Language, string>> = { en: ',', es: ';' };

async function* toCsv(batches: AsyncIterable<string[][]>, language: Language, isDigits: readonly boolean[]): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK;
  for await (const rows of batches) {
    const cells = rows.map((row) => row.map((cell, place) => (isDigits[place] ? keepDigits(cell) : neutraliseFormulas(cell))));
    yield toCsvLines(cells, DELIMITERS[language]);
  }
}
