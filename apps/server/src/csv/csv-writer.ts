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

/**
 * A spreadsheet calculates a cell that begins with one of these; the wide ones too, where it folds them. An apostrophe in front
 * makes it text. A file may be opened with another separator than it was written with, so that a cell can begin after any of
 * them, also behind spaces and quotes.
 */
const SIGNS = '=+\\-@＝＋－＠';
const CELL_START = '(^[\\t\\r]?|[,;|^\\t\\n\\r])([ "]*)';
// Apostrophes that are there already get one more, so that exactly one is taken off again.
const FORMULA = new RegExp(`${CELL_START}(?='*[${SIGNS}])`, 'g');
const SIGN = new RegExp(`[${SIGNS}]`);
const NEUTRALISED = new RegExp(`${CELL_START}'(?='*[${SIGNS}])`, 'g');

/** For every cell of every file that leaves the product. */
export function neutraliseFormulas(cell: string): string {
  // Most cells have none of the signs, and this is asked of each cell of each export.
  return SIGN.test(cell) ? cell.replace(FORMULA, "$1$2'") : cell;
}

/** For files that came from here: what goes out and comes back is the same. */
export function restoreFormulas(cell: string): string {
  return cell.replace(NEUTRALISED, '$1$2');
}

/** For all other files: people put an apostrophe in front of a cell themselves. */
export function withoutApostrophe(cell: string): string {
  return /^'[=+\-@\t\r＝＋－＠]/.test(cell) ? cell.slice(1) : cell;
}
