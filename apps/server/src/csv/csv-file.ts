import { CsvReader, type CsvRecord, type Delimiter } from './csv-records.ts';
import { type Dialect, findDialect } from './dialect.ts';
import { FileRefusal } from './file-refusal.ts';
import { findHeaderRow, HEADER_WITHIN, type HeaderRank, hasText } from './header-row.ts';
import { decodeText, type TextEncoding } from './text-encoding.ts';

/** Bytes that can be read from the start any number of times. */
export interface StoredFile {
  readonly encoding: TextEncoding;
  read(): AsyncIterable<Buffer>;
}

/** Why a cell's text is unreliable: it is a date, it lost its last digits, or its formula was never calculated. */
export type CellFlaw = 'date' | 'lost_digits' | 'not_calculated';

export interface TableRow extends CsvRecord {
  /** Keys are cell positions. */
  readonly flaws?: ReadonlyMap<number, CellFlaw>;
}

export interface TableNotes {
  formulas: number;
  hiddenRows: number;
  /** Ranges of merged cells over several rows, whose value only the first row has; and the first range. */
  mergedRanges: number;
  firstMerged: string;
}

export const NOTHING_NOTED: Readonly<TableNotes> = { formulas: 0, hiddenRows: 0, mergedRanges: 0, firstMerged: '' };

/** A file of rows in any format. */
export interface Table {
  readonly delimiter: Delimiter;
  readonly header: readonly string[];
  /** The row number of the header, the second one if it has two rows; and that of its first row. */
  readonly headerRow: number;
  readonly firstHeaderRow: number;
  /** The sheet of a workbook that was read, and whether another one could have been meant. */
  readonly sheet?: string;
  readonly hasOtherSheets?: boolean;
  /** The number of rows that the file states, if it does. */
  readonly claimedRows?: number;
  /**
   * Reads the rows below the header in batches, one per chunk of the file. The event loop runs between batches. `imported`: the positions of
   * columns whose merged cells are noted.
   */
  rows(imported?: readonly number[]): AsyncGenerator<TableRow[], void, undefined>;
  /** Counted in the rows read so far. */
  readonly notes: Readonly<TableNotes>;
  close(): Promise<void>;
}

const START_CHARACTERS = 64 * 1024;

/** `rank` recognises the header, and thereby the delimiter. */
export async function openCsv(file: StoredFile, rank: HeaderRank): Promise<Table> {
  const dialect = findDialect(await readStart(file), rank);
  const first: CsvRecord[] = [];
  for await (const batch of readRecords(file, dialect)) {
    first.push(...batch.filter(hasText).slice(0, HEADER_WITHIN));
    if (first.length >= HEADER_WITHIN) break;
  }
  const header = findHeaderRow(first, rank);
  if (!header) throw new FileRefusal('empty_file');
  return {
    delimiter: dialect.delimiter,
    header: header.cells,
    headerRow: header.row,
    firstHeaderRow: header.firstRow,
    rows: () => readRows(file, dialect, header.row),
    notes: NOTHING_NOTED,
    close: async () => undefined,
  };
}

async function readStart(file: StoredFile): Promise<string> {
  let start = '';
  for await (const text of decodeText(file.read(), file.encoding)) {
    start += text;
    if (start.length >= START_CHARACTERS) break;
  }
  return start;
}

async function* readRows(file: StoredFile, dialect: Dialect, headerRow: number) {
  for await (const batch of readRecords(file, dialect)) {
    yield batch.filter((record) => record.row > headerRow && hasText(record));
  }
}

async function* readRecords(file: StoredFile, { delimiter, skip }: Dialect) {
  const reader = new CsvReader(delimiter);
  let toSkip = skip;
  for await (const text of decodeText(file.read(), file.encoding)) {
    yield reader.push(text.slice(toSkip));
    toSkip = Math.max(0, toSkip - text.length);
  }
  yield reader.end();
}
