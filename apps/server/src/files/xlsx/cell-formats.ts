import type { CellFlaw } from '../csv/csv-file.ts';
import type { WorkbookPackage } from './package.ts';

/** How a number is displayed, as far as that matters here: as it is, as a date, or with leading zeros from its format. */
export type CellFormat = 'plain' | 'date' | { readonly zeros: readonly string[] };

export interface CellValue {
  readonly text: string;
  readonly flaw?: CellFlaw;
}

/** Numbers have 15 significant digits; beyond that the last ones are wrong. */
const LOST_FROM = 1e15;
const MAX_FORMATS = 100_000;
const DAY_MS = 86_400_000;
const BUILT_IN_DATES = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
] as const;

/** The format of each cell style, by index. */
export async function readFormats(workbook: WorkbookPackage, path: string): Promise<readonly CellFormat[]> {
  const codes = new Map<number, CellFormat>();
  const styles: CellFormat[] = [];
  let isInCellStyles = false;
  const handlers = {
    open(name: string, attributes: Readonly<Record<string, string>>) {
      const id = Number(attributes.numFmtId ?? 0);
      if (name === 'cellXfs') isInCellStyles = true;
      else if (name === 'numFmt' && codes.size < MAX_FORMATS) codes.set(id, parseFormat(attributes.formatCode ?? ''));
      else if (name === 'xf' && isInCellStyles && styles.length < MAX_FORMATS) {
        styles.push(codes.get(id) ?? (BUILT_IN_DATES.some(([from, to]) => id >= from && id <= to) ? 'date' : 'plain'));
      }
    },
    close(name: string) {
      if (name === 'cellXfs') isInCellStyles = false;
    },
  };
  for await (const _piece of workbook.parse(path, handlers));
  return styles;
}

const MAX_FORMAT_LENGTH = 255;
/** A literal part of a format: "text", \x, or characters that need no quotes. */
const LITERAL = /"[^"]*"|\\.|[-+/():!^&'~{}<>=$ ]/g;

/** Up to a semicolon outside quotes. */
const FIRST_SECTION = /^(?:[^";]|"[^"]*(?:"|$))*/;

export function parseFormat(code: string): CellFormat {
  if (code.length > MAX_FORMAT_LENGTH) return 'plain';
  const [section = ''] = FIRST_SECTION.exec(code) ?? [];
  // _x adds a space of a character's width, *x fills the cell; [Red] and [$-409] display nothing.
  const shown = section.replaceAll(/[_*]./g, '').replaceAll(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '');
  const digits = shown.replaceAll(LITERAL, '');
  if (/^0{2,}$/.test(digits)) {
    const pieces = shown.match(/"[^"]*"|\\.|./gs) ?? [];
    return { zeros: pieces.map((piece) => piece.replace(/^"(.*)"$/s, '$1').replace(/^\\/, '')) };
  }
  return /[ymdhs]/i.test(digits.replace(/general/i, '')) ? 'date' : 'plain';
}

/** The number as displayed if that adds information (leading zeros, a date). All digits if the cell displays fewer. */
export function readNumber(raw: string, format: CellFormat, is1904: boolean): CellValue {
  const number = Number(raw);
  if (raw.trim() === '' || !Number.isFinite(number)) return { text: raw };
  if (format === 'date') return { text: toDate(number, is1904), flaw: 'date' };
  if (Math.abs(number) >= LOST_FROM) return { text: raw, flaw: 'lost_digits' };
  const plain = String(Number(number.toPrecision(15)));
  const hasZeros = format !== 'plain' && /^\d+$/.test(plain);
  return { text: hasZeros ? fillIn(format.zeros, plain) : plain };
}

/** Fills digits in from right to left. Extra digits go in front. */
function fillIn(pieces: readonly string[], digits: string): string {
  const places = pieces.filter((piece) => piece === '0').length;
  const padded = digits.padStart(places, '0');
  let next = padded.length - places;
  let isFirst = true;
  let text = '';
  for (const piece of pieces) {
    if (piece !== '0') {
      text += piece;
      continue;
    }
    text += isFirst ? padded.slice(0, next + 1) : (padded[next] ?? '');
    isFirst = false;
    next += 1;
  }
  return text;
}

/** A time has no day, and is returned alone: 10:30. Excel's day 60 is 29 February 1900, which did not exist, so earlier days count from a day later. */
function toDate(serial: number, is1904: boolean): string {
  const first = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, serial < 60 ? 31 : 30);
  const date = new Date(first + Math.round(serial * DAY_MS));
  if (Number.isNaN(date.getTime())) return String(serial);
  return serial > 0 && serial < 1 ? date.toISOString().slice(11, 16) : date.toISOString().slice(0, 10);
}
