import { stringify } from 'csv-stringify/sync';
import { ERROR_COLUMN, findColumns, isErrorColumn } from './rows/columns.ts';

/** How the file was written that the rows come from. */
interface Origin {
  readonly delimiter: string;
  readonly header: readonly string[];
}

interface RejectedRowsWriter {
  readonly header: string;
  write(rows: readonly { readonly cells: readonly string[]; readonly error: string }[]): string;
}

const BYTE_ORDER_MARK = '\uFEFF';
/** What a spreadsheet takes for the start of a formula. */
const FORMULA_START = /^[=+\-@\t\r]/;

/**
 * Writes rejected rows as a file to be corrected in a spreadsheet and uploaded again: the original columns and cells, behind
 * a column that says what is wrong. That one is the first, because a row of too many or too few cells would push it out of
 * line at the end.
 */
export function createRejectedRowsWriter({ delimiter, header }: Origin): RejectedRowsWriter {
  const gtinPlace = findColumns(header).places.get('gtin');
  // Of an earlier round: a file that was corrected and still has bad rows.
  const isOwn = (place: number) => !isErrorColumn(header[place] ?? '');
  const toText = (rows: string[][]) => stringify(rows, { delimiter, record_delimiter: '\r\n', quoted_match: /[\r\n]/ });
  const toRow = (cells: readonly string[], error: string) => [
    neutralise(error),
    ...cells
      .map((cell, place) => (place === gtinPlace ? keepDigits(cell) : neutralise(cell)))
      .filter((_cell, place) => isOwn(place)),
  ];
  return {
    header:
      BYTE_ORDER_MARK + toText([[ERROR_COLUMN, ...header.filter((_cell, place) => isOwn(place)).map(neutralise)]]),
    write: (rows) => toText(rows.map(({ cells, error }) => toRow(cells, error))),
  };
}

/** The import takes the apostrophe off again. */
function neutralise(cell: string): string {
  return FORMULA_START.test(cell) ? `'${cell}` : cell;
}

/** A spreadsheet would make a number of it: without its leading zero, and soon 6.29E+12. */
function keepDigits(cell: string): string {
  return /^\d/.test(cell) ? `'${cell}` : neutralise(cell);
}
