import { BYTE_ORDER_MARK, keepDigits, toCsvLines } from '../../csv/csv-writer.ts';
import { neutraliseFormulas } from '../../csv/formulas.ts';
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

/**
 * Writes rejected rows as a file to be corrected in a spreadsheet and uploaded again: the original columns and cells, behind
 * a column that says what is wrong. That one is the first, because a row of too many or too few cells would push it out of
 * line at the end.
 */
export function createRejectedRowsWriter({ delimiter, header }: Origin): RejectedRowsWriter {
  const gtinPlace = findColumns(header).places.get('gtin');
  // Of an earlier round: a file that was corrected and still has bad rows.
  const errorPlaces = new Set(header.flatMap((cell, place) => (isErrorColumn(cell) ? [place] : [])));
  const ownCells = (cells: readonly string[]) => cells.filter((_cell, place) => !errorPlaces.has(place));
  const toText = (rows: string[][]) => toCsvLines(rows, delimiter);
  const toRow = (cells: readonly string[], error: string) => [
    neutraliseFormulas(error),
    ...ownCells(cells.map((cell, place) => (place === gtinPlace ? keepDigits(cell) : neutraliseFormulas(cell)))),
  ];
  return {
    header: BYTE_ORDER_MARK + toText([[ERROR_COLUMN, ...ownCells(header).map(neutraliseFormulas)]]),
    write: (rows) => toText(rows.map(({ cells, error }) => toRow(cells, error))),
  };
}
