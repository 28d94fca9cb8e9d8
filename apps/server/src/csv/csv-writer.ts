import { neutraliseFormulas } from './formulas.ts';

/** Without it Excel takes a file for the encoding of the machine and spoils accents. */
export const BYTE_ORDER_MARK = '\uFEFF';
/** Whatever a spreadsheet may take for a separator, so that a cell of it needs quotes. */
const SEPARATORS = /["\r\n,;\t|^]/;

/** Lines of a file that leaves the product; its cells must be neutralised. */
export function toCsvLines(rows: string[][], delimiter: string): string {
  return rows.map((cells) => `${cells.map(quote).join(delimiter)}\r\n`).join('');
}

const quote = (cell: string) => (SEPARATORS.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** A spreadsheet would make a number of it: without its leading zero, and soon 6.29E+12. The import takes the apostrophe off again. */
export function keepDigits(cell: string): string {
  return /^\d/.test(cell) ? `'${neutraliseFormulas(cell)}` : neutraliseFormulas(cell);
}
