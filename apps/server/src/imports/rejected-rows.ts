import type { Language } from '@brand-portal/contract/constants';
import { type ColumnPlaces, ERROR_COLUMN, findColumns, isErrorColumn, isOwnHeader, ROW_COLUMN } from '../catalog/fields/columns.ts';
import { BYTE_ORDER_MARK, keepDigits, neutraliseFormulas, restoreFormulas, toCsvLines } from '../files/csv/csv-writer.ts';

/** The format of the original file. */
interface Origin {
  readonly delimiter: string;
  readonly header: readonly string[];
  readonly is_workbook: boolean;
}

interface RejectedRowsWriter {
  readonly header: string;
  write(rows: readonly { readonly row: number; readonly cells: readonly string[]; readonly error: string }[]): string;
}

/**
 * Writes rejected rows as a file to correct in a spreadsheet and upload again: a column with the row's number, one with the errors, then
 * the original columns and cells. The added columns come first, because rows with too many or too few cells would misalign columns at the
 * end.
 */
export function createRejectedRowsWriter(origin: Origin, language: Language, wider?: ColumnPlaces): RejectedRowsWriter {
  const { delimiter } = origin;
  const { header, arrange } = wider ? addToFile(origin, wider) : { header: origin.header, arrange: undefined };
  const { places, origin: written } = findColumns(header, !origin.is_workbook);
  const digitPlaces = [places.get('gtin'), places.get('certificate_id')];
  // The cells of a file that this server wrote are escaped already, and an upload restores them only once.
  const restore = (cell: string) => (written.isEscaped ? restoreFormulas(cell) : cell);
  // A column added by an earlier download: the file was corrected, uploaded, and still has invalid rows.
  const isNote = (cell: string, place: number) => isErrorColumn(cell) || (place === 0 && isOwnHeader(header));
  const notePlaces = new Set(header.flatMap((cell, place) => (isNote(cell, place) ? [place] : [])));
  const ownCells = (cells: readonly string[]) => cells.filter((_cell, place) => !notePlaces.has(place));
  const toText = (rows: string[][]) => toCsvLines(rows, delimiter);
  const toRow = (row: number, cells: readonly string[], error: string) => [
    String(row),
    neutraliseFormulas(error),
    ...ownCells(
      (arrange?.(cells) ?? cells)
        .map(restore)
        .map((cell, place) => (digitPlaces.includes(place) ? keepDigits(cell) : neutraliseFormulas(cell))),
    ),
  ];
  return {
    header: BYTE_ORDER_MARK + toText([[ROW_COLUMN[language], ERROR_COLUMN, ...ownCells(header).map(neutraliseFormulas)]]),
    write: (rows) => toText(rows.map(({ row, cells, error }) => toRow(row, cells, error))),
  };
}

/** Columns that the file lacked and members filled in come after its own. Extra cells stay last. */
function addToFile({ header }: Origin, { places, count, addedFrom }: ColumnPlaces) {
  const added = [...places].filter(([, place]) => place >= (addedFrom ?? count));
  return {
    header: [...header.slice(0, count), ...added.map(([name]) => name)],
    arrange: (cells: readonly string[]) => [
      ...Array.from({ length: count }, (_, place) => cells[place] ?? ''),
      ...added.map(([, place]) => cells[place] ?? ''),
      ...cells.slice(count, Math.max(count, cells.slice(0, addedFrom).findLastIndex((cell) => cell.trim() !== '') + 1)),
    ],
  };
}
