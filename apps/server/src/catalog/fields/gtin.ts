import type { RowProblem } from './row-problem.ts';

/** A GTIN as stored, and padded to 14 digits, the form in which GTINs of all lengths are compared. */
export interface Gtin {
  readonly gtin: string;
  readonly gtin14: string;
}

type GtinProblem = Extract<RowProblem, { code: `gtin_${string}` }>;

const LENGTHS = [8, 12, 13, 14];
/** 14 digits with spaces and dashes between them fit; longer text is not cleaned. */
const MAX_CELL_LENGTH = 100;
/** Prefixes of the 13-digit form. 20–29, 02 and 04 are for use inside a shop or company; a GTIN-8 has its own prefixes. */
const RESTRICTED = /^(2|02|04)/;
/** 05 and 99: coupons; 980: refund receipts; 981–984: coupons in a common currency. */
const COUPON = /^(05|98[0-4]|99)/;
const GTIN8_RESTRICTED = /^[02]/;
/** 4.00638E+12, opened and saved again: a spreadsheet shows six digits of a long number, and the others are zeros from then on. */
const ROUNDED = /^\d{6}0{6,}$/;
const SCIENTIFIC = /^(\d+)(?:[.,](\d+))?e\+?(\d+)$/i;

/** Follows the GS1 General Specifications. Also repairs what spreadsheets do to long numbers, if no digit is lost. */
export function readGtin(cell: string): Gtin | GtinProblem {
  const digits = cell.length > MAX_CELL_LENGTH ? cell : cleanDigits(cell);
  if (SCIENTIFIC.test(digits)) return { code: 'gtin_scientific', params: { value: cell.replace(/^'/, '').slice(0, 40).toWellFormed() } };
  if (!/^\d+$/.test(digits)) return { code: 'gtin_characters' };
  const gtin = digits.length === 11 ? `0${digits}` : digits;
  if (!LENGTHS.includes(gtin.length)) return { code: 'gtin_length', params: { digits: digits.length } };
  const gtin14 = gtin.padStart(14, '0');
  if (/^0+$/.test(gtin)) return { code: 'gtin_zeros' };
  const expected = checkDigit(gtin14);
  const found = Number(gtin14.at(-1));
  if (expected !== found) {
    if (ROUNDED.test(digits)) return { code: 'gtin_scientific', params: { value: digits } };
    if (digits.length === 11) return { code: 'gtin_lost_zero' };
    return { code: 'gtin_check_digit', params: { expected, found } };
  }
  return findPrefixProblem(digits, gtin14) ?? { gtin, gtin14 };
}

/** Removes what people and spreadsheets put around the digits: spaces, dashes between them, `'0360…`, `="0360…"`, `0360….0`, `3.60…E+11`. */
export function cleanDigits(cell: string): string {
  // Normalising would turn superscripts and the like into digits, so such cells are left as they are.
  if (/^\d+$/.test(cell) || /\p{No}/u.test(cell)) return cell;
  return cell
    .normalize('NFKC')
    .replaceAll(/\p{Nd}/gu, toAsciiDigit)
    .replaceAll(/[\s\p{Cf}]/gu, '')
    .replaceAll(/(?<=\d)\p{Pd}+(?=\d)/gu, '')
    .replace(/^="(.*)"$/, '$1')
    .replace(/^'/, '')
    .replace(/^(\d+)[.,]0+$/, '$1')
    .replace(SCIENTIFIC, writeOut);
}

/** 4.006381333931E+12 still has every digit of the number; 4.00638E+12 does not, and is left as it is. */
function writeOut(short: string, whole: string, fraction = '', exponent: string): string {
  const places = Number(exponent);
  const hasAll = places <= fraction.length && /^0*$/.test(fraction.slice(places));
  return hasAll ? whole + fraction.slice(0, places) : short;
}

/** Each script's digits are ten consecutive code points, starting with zero. */
function toAsciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String((code - zero) % 10);
}

/** `gtin14` may lack the check digit. Weights are 3, 1, 3, 1 … from the right, without the check digit. */
export function checkDigit(gtin14: string): number {
  let sum = 0;
  for (let index = 0; index < 13; index++) sum += (gtin14.charCodeAt(index) - 48) * (index % 2 === 0 ? 3 : 1);
  return (10 - (sum % 10)) % 10;
}

/** Uses the 13-digit form, not the written one: 020000000008 is a product, 0200000000004 is not. */
function findPrefixProblem(written: string, gtin14: string): GtinProblem | undefined {
  const isGtin8 = gtin14.startsWith('000000');
  const number = isGtin8 ? gtin14.slice(6) : gtin14.slice(1);
  const restricted = (isGtin8 ? GTIN8_RESTRICTED : RESTRICTED).exec(number);
  const params = (prefix: string) => ({ prefix, ...(!written.startsWith(prefix) && { number }) });
  if (restricted) return { code: 'gtin_restricted', params: params(restricted[0]) };
  const coupon = isGtin8 ? null : COUPON.exec(number);
  return coupon ? { code: 'gtin_coupon', params: params(coupon[0]) } : undefined;
}
