import { toGtin13 } from '../../scripts/gtin.ts';

/** What a browser hands over from a picker. */
export interface ChosenFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

export function csvFile(name: string, lines: readonly string[]): ChosenFile {
  return { name, mimeType: 'text/csv', buffer: Buffer.from(`${lines.join('\r\n')}\r\n`) };
}

/** The `number`th GTIN of a company, with the check digit that belongs to it. */
export function gtin(number: number): string {
  return toGtin13(`4099887${String(number).padStart(5, '0')}`);
}

/** The same with a check digit that does not belong to it. */
export function misspeltGtin(number: number): string {
  const right = gtin(number);
  return right.slice(0, -1) + ((Number(right.at(-1)) + 1) % 10);
}
