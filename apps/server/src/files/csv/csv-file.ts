import { CsvReader, type CsvRecord, type Delimiter } from './csv-records.ts';
import { type Dialect, findDialect } from './dialect.ts';
import { FileRefusal } from './file-refusal.ts';
import { findHeaderRow, HEADER_WITHIN, type HeaderRank, hasText } from './header-row.ts';
import type { StoredFile } from './spool.ts';
import { decodeText, findEncoding, type TextEncoding } from './text-encoding.ts';

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
  /** Of a CSV file. */
  readonly encoding?: TextEncoding;
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
   * Reads the rows below the header in batches, one per chunk of the file. `imported`: the positions of columns whose merged cells are noted.
   */
  rows(imported?: readonly number[]): AsyncGenerator<TableRow[], void, undefined>;
  /** Counted in the rows read so far. */
  readonly notes: Readonly<TableNotes>;
  close(): void;
}

const START_CHARACTERS = 64 * 1024;

/** `rank` recognises the header, and thereby the delimiter. */
export async function openCsv(file: StoredFile, rank: HeaderRank): Promise<Table> {
  const encoding = await findEncoding(file.read());
  const read = () => decodeText(file.read(), encoding);
  const dialect = findDialect(await readStart(read()), rank);
  const first: CsvRecord[] = [];
  for await (const batch of readRecords(read(), dialect)) {
    first.push(...batch.filter(hasText).slice(0, HEADER_WITHIN));
    if (first.length >= HEADER_WITHIN) break;
  }
  const header = findHeaderRow(first, rank);
  if (!header) throw new FileRefusal('empty_file');
  return {
    delimiter: dialect.delimiter,
    encoding,
    header: header.cells,
    headerRow: header.row,
    firstHeaderRow: header.firstRow,
    rows: () => readRows(read(), dialect, header.row),
    notes: NOTHING_NOTED,
    close: () => undefined,
  };
}

async function readStart(texts: AsyncIterable<string>): Promise<string> {
  let start = '';
  for await (const text of texts) {
    start += text;
    if (start.length >= START_CHARACTERS) break;
  }
  return start;
}

async function* readRows(texts: AsyncIterable<string>, dialect: Dialect, headerRow: number) {
  for await (const batch of readRecords(texts, dialect)) {
    yield batch.filter((record) => record.row > headerRow && hasText(record));
  }
}

async function* readRecords(texts: AsyncIterable<string>, { delimiter, skip }: Dialect) {
  const reader = new CsvReader(delimiter);
  let toSkip = skip;
  for await (const text of texts) {
    yield reader.push(text.slice(toSkip));
    toSkip = Math.max(0, toSkip - text.length);
  }
  yield reader.end();
}
