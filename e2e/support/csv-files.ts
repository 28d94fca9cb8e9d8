import { toGtin13 } from '../../scripts/gtin.ts';

/** A file chosen in a file picker. */
export interface ChosenFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

export function csvFile(name: string, lines: readonly string[]): ChosenFile {
  return { name, mimeType: 'text/csv', buffer: Buffer.from(`${lines.join('\r\n')}\r\n`) };
}

/** The GTIN with this item number, with a valid check digit. */
export function gtin(number: number): string {
  return toGtin13(`4099887${String(number).padStart(5, '0')}`);
}

/** The GTIN with this item number, with a wrong check digit. */
export function invalidGtin(number: number): string {
  const right = gtin(number);
  return right.slice(0, -1) + ((Number(right.at(-1)) + 1) % 10);
}
