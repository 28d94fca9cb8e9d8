import type { SearchPatterns } from './variant-search.queries.ts';

const GTIN_LENGTH = 14;
const GRAM_LENGTH = 3;

export interface SearchTerms {
  /** What a name has to contain, as the database normalises names. */
  readonly name: string;
  /** What the 14-digit form of a GTIN has to contain; absent where no GTIN can. */
  readonly gtin: string | undefined;
}

/** People copy GTINs with the spaces and dashes that labels print them with, and with more or fewer leading zeros. */
export function toSearchTerms(search: string, searchKey: string): SearchTerms {
  const digits = search.replace(/[\s\p{Pd}]/gu, '');
  if (!/^\d+$/.test(digits)) return { name: searchKey, gtin: undefined };
  const spare = Math.max(digits.length - GTIN_LENGTH, 0);
  const withoutSpareZeros = digits.replace(new RegExp(`^0{0,${spare}}`), '');
  return { name: searchKey, gtin: withoutSpareZeros.length > GTIN_LENGTH ? undefined : withoutSpareZeros };
}

export function toPatterns({ name, gtin }: SearchTerms): SearchPatterns {
  return { name: toPattern(name), gtin: gtin === undefined ? undefined : toPattern(gtin) };
}

function toPattern(part: string): string {
  return `%${part.replace(/[\\%_]/g, '\\$&')}%`;
}

/** The text search query whose answer contains every variant that the terms find, and few others. */
export function toGramQuery(brandId: number, { name, gtin }: SearchTerms): string {
  const alternatives = [...new Set([name, ...(gtin === undefined ? [] : [gtin])])];
  return alternatives.map((term) => `(${gramsOf(brandId, term).join(' & ')})`).join(' | ');
}

/** Grams side by side, not overlapping: each more costs the reading of its list, and overlapping ones tell little new. */
function gramsOf(brandId: number, term: string): string[] {
  const characters = [...term];
  const brand = `${brandId.toString(16)}:`;
  if (characters.length < GRAM_LENGTH) return [`${quote(brand + term)}:*`];
  const starts: number[] = [];
  for (let start = 0; start + GRAM_LENGTH <= characters.length; start += GRAM_LENGTH) starts.push(start);
  starts.push(characters.length - GRAM_LENGTH);
  const grams = starts.map((start) => brand + characters.slice(start, start + GRAM_LENGTH).join(''));
  return [...new Set(grams)].map(quote);
}

function quote(lexeme: string): string {
  return `'${lexeme.replace(/['\\]/g, '$&$&')}'`;
}
