/**
 * The confidence that these cells are the header: 0 for no, `POSSIBLE` if a GTIN column may be there, `LIKELY` if all required columns may
 * be there under other names, `SURE` for yes.
 */
export type HeaderRank = (cells: readonly string[]) => number;

export const POSSIBLE = 1;
export const LIKELY = 2;
export const SURE = 3;
/** The header is searched for in the first rows, because a title may come before it. */
export const HEADER_WITHIN = 20;

/** The row with the highest rank, the first on a tie. If no row is possible: the first row with several cells, because a title has one. */
export function findHeaderRow<Row extends { readonly cells: readonly string[] }>(
  rows: readonly Row[],
  rank: HeaderRank,
): Row | undefined {
  const candidates = rows.filter(hasText).slice(0, HEADER_WITHIN);
  let found: Row | undefined;
  let best = 0;
  for (const row of candidates) {
    const sureness = rank(row.cells);
    if (sureness >= POSSIBLE && sureness > best) [found, best] = [row, sureness];
    if (best >= SURE) break;
  }
  return found ?? candidates.find(hasSeveralTexts) ?? candidates[0];
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
