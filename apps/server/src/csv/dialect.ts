import type { Delimiter } from './csv-records.ts';

const DELIMITERS: readonly Delimiter[] = [',', ';', '\t'];
/** Excel's own hint, on a line before the header which it does not show. */
const HINT = /^"?sep=([,;\t])"?(?:\r\n|\n|\r|$)/i;

export interface Dialect {
  readonly delimiter: Delimiter;
  /** How many characters the hint takes; no row of the table. */
  readonly skip: number;
}

/** From the beginning of the text, which has the header as a whole. The header's cells are what the delimiter stands between. */
export function findDialect(start: string): Dialect {
  const hint = HINT.exec(start);
  if (hint) return { delimiter: hint[1] as Delimiter, skip: hint[0].length };
  const counts = countDelimiters(start);
  const delimiter = DELIMITERS.reduce((best, next) => (counts[next] > counts[best] ? next : best));
  return { delimiter, skip: 0 };
}

/** In the first line that has text, outside of quotes. */
function countDelimiters(start: string): Record<Delimiter, number> {
  const counts = { ',': 0, ';': 0, '\t': 0 };
  let isQuoted = false;
  let isBlank = true;
  for (const character of start) {
    if (character === '"') isQuoted = !isQuoted;
    if (isQuoted) continue;
    if ((character === '\n' || character === '\r') && !isBlank) break;
    if (character in counts) counts[character as Delimiter] += 1;
    if (character.trim() !== '') isBlank = false;
  }
  return counts;
}
