/** Without it Excel decodes the file with the machine's encoding and breaks accents. */
export const BYTE_ORDER_MARK = '\uFEFF';
/** Characters that a spreadsheet may read as a separator. A cell that has one needs quotes. */
const SEPARATORS = /["\r\n,;\t|^]/;

/** CSV lines for a download. Formulas in the cells must already be escaped. */
export function toCsvLines(rows: string[][], delimiter: string): string {
  return rows.map((cells) => `${cells.map(quote).join(delimiter)}\r\n`).join('');
}

const quote = (cell: string) => (SEPARATORS.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** A spreadsheet would turn digits into a number: it drops leading zeros and shows 6.29E+12. The import removes the apostrophe. */
export function keepDigits(cell: string): string {
  return /^\d/.test(cell) ? `'${neutraliseFormulas(cell)}` : neutraliseFormulas(cell);
}

/**
 * A spreadsheet calculates a cell that begins with one of these, or with their full-width forms. An apostrophe in front makes it text. A
 * file may be opened with another separator than it was written with, so a cell may begin after any separator, also after spaces and
 * quotes.
 */
const SIGNS = '=+\\-@＝＋－＠';
const CELL_START = '(^[\\t\\r]?|[,;|^\\t\\n\\r])([ "]*)';
// Text that already has apostrophes gets one more, so that exactly one is removed again.
const FORMULA = new RegExp(`${CELL_START}(?='*[${SIGNS}])`, 'g');
const SIGN = new RegExp(`[${SIGNS}]`);
const NEUTRALISED = new RegExp(`${CELL_START}'(?='*[${SIGNS}])`, 'g');

/** Call it for every cell of every download. */
export function neutraliseFormulas(cell: string): string {
  // Most cells have none of the signs; testing first is cheaper.
  return SIGN.test(cell) ? cell.replace(FORMULA, "$1$2'") : cell;
}

/** For files that we exported: removes exactly the apostrophes that the export added. */
export function restoreFormulas(cell: string): string {
  return cell.replace(NEUTRALISED, '$1$2');
}

/** For all other files: people type an apostrophe to keep a cell as text. */
export function withoutApostrophe(cell: string): string {
  return /^'[=+\-@\t\r＝＋－＠]/.test(cell) ? cell.slice(1) : cell;
}
