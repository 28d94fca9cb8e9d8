import { CsvReader, type Delimiter } from './csv-records.ts';

const DELIMITERS: readonly Delimiter[] = [',', ';', '\t', '|', '^'];
/** Excel's own hint, on a line before the header which it does not show. */
const HINT = /^\uFEFF*"?sep=([,;\t|^])"?(?:\r\n|\n|\r|$)/i;

export interface Dialect {
  readonly delimiter: Delimiter;
  /** How many characters the hint takes; no row of the table. */
  readonly skip: number;
}

/** Whether these are the columns that the reader of the file needs. */
export type IsHeader = (cells: readonly string[]) => boolean;

/**
 * From the beginning of the text, which has the header as a whole. The delimiter is the one with which the header has the columns that are
 * needed; where none has, the hint's, or the one that the header has most of.
 */
export function findDialect(start: string, isHeader: IsHeader): Dialect {
  const hint = HINT.exec(start);
  const skip = hint?.[0].length ?? 0;
  const text = start.slice(skip);
  const hinted = hint?.[1] as Delimiter | undefined;
  const candidates = hinted ? [hinted, ...DELIMITERS.filter((delimiter) => delimiter !== hinted)] : DELIMITERS;
  const fitting = candidates.find((delimiter) => isHeader(readHeader(text, delimiter)));
  return { delimiter: fitting ?? hinted ?? mostFrequent(text), skip };
}

function readHeader(text: string, delimiter: Delimiter): readonly string[] {
  const reader = new CsvReader(delimiter);
  try {
    const isText = ({ cells }: { cells: string[] }) => cells.some((cell) => cell.trim() !== '');
    return (reader.push(text).find(isText) ?? reader.end().find(isText))?.cells ?? [];
  } catch {
    // Not readable with this one; if with none, the file is refused when it is read.
    return [];
  }
}

function mostFrequent(text: string): Delimiter {
  const counts = countDelimiters(text);
  return DELIMITERS.reduce((best, next) => (counts[next] > counts[best] ? next : best));
}

/** In the first line that has text, outside of quotes. */
function countDelimiters(text: string): Record<Delimiter, number> {
  const counts = { ',': 0, ';': 0, '\t': 0, '|': 0, '^': 0 };
  let isQuoted = false;
  let isBlank = true;
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted;
    if (isQuoted) continue;
    if ((character === '\n' || character === '\r') && !isBlank) break;
    if (character in counts) counts[character as Delimiter] += 1;
    if (character.trim() !== '') isBlank = false;
  }
  return counts;
}
