import { CsvReader, type CsvRecord, type Delimiter } from './csv-records.ts';
import { findHeaderRow, type HeaderRank, SURE } from './header-row.ts';

const DELIMITERS: readonly Delimiter[] = [',', ';', '\t', '|', '^'];
/** Excel's `sep=` hint, on a line before the header. Excel does not show it. */
const HINT = /^\uFEFF*"?sep=([,;\t|^])"?(?:\r\n|\n|\r|$)/i;

export interface Dialect {
  readonly delimiter: Delimiter;
  /** Length of the hint, which is not a row of the table. */
  readonly skip: number;
}

/**
 * `start` must contain the whole header. Chooses the delimiter with which a row ranks highest as the header. If no row is likely: the
 * hint's delimiter, or the most frequent one of the first row.
 */
export function findDialect(start: string, rank: HeaderRank): Dialect {
  const hint = HINT.exec(start);
  const skip = hint?.[0].length ?? 0;
  const text = start.slice(skip);
  const hinted = hint?.[1] as Delimiter | undefined;
  const candidates = hinted ? [hinted, ...DELIMITERS.filter((delimiter) => delimiter !== hinted)] : DELIMITERS;
  let fitting: Delimiter | undefined;
  let best = 0;
  for (const delimiter of candidates) {
    const sureness = rank(findHeaderRow(readRecords(text, delimiter), rank)?.cells ?? []);
    if (sureness > best) [fitting, best] = [delimiter, sureness];
    if (best >= SURE) break;
  }
  return { delimiter: fitting ?? hinted ?? mostFrequent(text), skip };
}

function readRecords(text: string, delimiter: Delimiter): CsvRecord[] {
  const reader = new CsvReader(delimiter);
  let records: CsvRecord[] = [];
  try {
    records = reader.push(text);
    return [...records, ...reader.end()];
  } catch {
    // Not readable with this delimiter, or cut off inside quotes. If that is so for all, reading the file refuses it.
    return records;
  }
}

function mostFrequent(text: string): Delimiter {
  const counts = countDelimiters(text);
  return DELIMITERS.reduce((best, next) => (counts[next] > counts[best] ? next : best));
}

/** Counts outside quotes in the first line that has any: a title above the table has none. */
function countDelimiters(text: string): Record<Delimiter, number> {
  const counts = { ',': 0, ';': 0, '\t': 0, '|': 0, '^': 0 };
  let isQuoted = false;
  let hasAny = false;
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted;
    if (isQuoted) continue;
    if ((character === '\n' || character === '\r') && hasAny) break;
    if (!(character in counts)) continue;
    counts[character as Delimiter] += 1;
    hasAny = true;
  }
  return counts;
}
