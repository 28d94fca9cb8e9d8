/**
 * The confidence that these cells are the header: 0 for no, `POSSIBLE` if a GTIN column may be there, `LIKELY` if all required columns may
 * be there under other names, `SURE` for yes.
 */
export interface HeaderRank {
  (cells: readonly string[]): number;
  /** What a cell means as the name of a column. Without it, headers are single rows. */
  readonly fieldOf?: (cell: string) => string | undefined;
}

export const POSSIBLE = 1;
export const LIKELY = 2;
export const SURE = 3;
/** The header is searched for in the first rows, because a title may come before it. */
export const HEADER_WITHIN = 20;

interface NumberedRow {
  readonly row: number;
  readonly cells: readonly string[];
}

export interface HeaderRow extends NumberedRow {
  /** The first of two rows that are the header together; else the same as `row`. */
  readonly firstRow: number;
}

/**
 * The row with the highest rank, the first on a tie, together with the one above or below it if that has more names. If no row is possible:
 * the first row with several cells, because a title has one.
 */
export function findHeaderRow(rows: readonly NumberedRow[], rank: HeaderRank): HeaderRow | undefined {
  const candidates = rows.filter(hasText).slice(0, HEADER_WITHIN);
  let found: NumberedRow | undefined;
  let best = 0;
  for (const row of candidates) {
    const sureness = rank(row.cells);
    if (sureness >= POSSIBLE && sureness > best) [found, best] = [row, sureness];
    if (best >= SURE) break;
  }
  const header = found ?? candidates.find(hasSeveralTexts) ?? candidates[0];
  if (!header) return undefined;
  const next = candidates.find(({ row }) => row === header.row + 1);
  const previous = candidates.find(({ row }) => row === header.row - 1);
  return (
    (found && next && joinRows(header, next, rank)) ??
    (found && previous && joinRows(previous, header, rank)) ?? { ...header, firstRow: header.row }
  );
}

/**
 * The header of two rows that merged cells make: titles over several columns, with their names below, beside names that reach over both
 * rows, of which the lower one has blank cells. Only if both rows together are more of a header than either, and the lower one
 * is no product: below the name of a field it has no value.
 */
function joinRows(upper: NumberedRow, lower: NumberedRow, rank: HeaderRank): HeaderRow | undefined {
  const { fieldOf } = rank;
  if (!fieldOf) return undefined;
  const fieldsOf = (cells: readonly string[]) => new Set(cells.map(fieldOf).filter((field) => field !== undefined));
  const length = Math.max(upper.cells.length, lower.cells.length);
  const cells = Array.from({ length }, (_, place) => {
    const [above = '', below = ''] = [upper.cells[place], lower.cells[place]];
    return isText(below) ? below : above;
  });
  const more = (count: (cells: readonly string[]) => number) => count(cells) - Math.max(count(upper.cells), count(lower.cells));
  const sureness = more(rank);
  const isBetter = sureness > 0 || (sureness === 0 && more((cells) => fieldsOf(cells).size) > 0);
  const hasValue = lower.cells.some((cell, place) => isText(cell) && !fieldOf(cell) && fieldOf(upper.cells[place] ?? ''));
  return isBetter && !hasValue ? { row: lower.row, firstRow: upper.row, cells } : undefined;
}

export function hasSeveralTexts({ cells }: { readonly cells: readonly string[] }): boolean {
  return cells.filter(isText).length > 1;
}

/** A spreadsheet writes cleared rows as delimiters only. */
export function hasText({ cells }: { readonly cells: readonly string[] }): boolean {
  return cells.some(isText);
}

function isText(cell: string): boolean {
  return cell.trim() !== '';
}
