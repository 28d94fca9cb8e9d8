/** How sure it is that these cells are the header: 0 for no, `LIKELY` where it has all that is needed by whatever names, `SURE` for yes. */
export type HeaderRank = (cells: readonly string[]) => number;

export const LIKELY = 2;
export const SURE = 3;
/** Among so many rows with text the header is looked for: above it may be a title. */
export const HEADER_WITHIN = 20;

/** The surest row, the first of equals. Where none is likely: the first with several cells, as a title has one. Anything less is chance. */
export function findHeaderRow<Row extends { readonly cells: readonly string[] }>(
  rows: readonly Row[],
  rank: HeaderRank,
): Row | undefined {
  const candidates = rows.filter(hasText).slice(0, HEADER_WITHIN);
  let found: Row | undefined;
  let best = 0;
  for (const row of candidates) {
    const sureness = rank(row.cells);
    if (sureness >= LIKELY && sureness > best) [found, best] = [row, sureness];
    if (best >= SURE) break;
  }
  return found ?? candidates.find(({ cells }) => cells.filter(isText).length > 1) ?? candidates[0];
}

/** A spreadsheet writes rows that someone emptied as delimiters alone. */
export function hasText({ cells }: { readonly cells: readonly string[] }): boolean {
  return cells.some(isText);
}

function isText(cell: string): boolean {
  return cell.trim() !== '';
}
