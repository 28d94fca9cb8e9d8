import type { SearchPatterns, SearchText } from './variant-search.queries.ts';

const GTIN_LENGTH = 14;
const GRAM_LENGTH = 3;
const MOST_GRAMS = 8;
/** A gram in more of the variants than this is not worth looking up. */
const COMMON_SHARE = 0.3;

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

/** Which share of the sampled variants the terms find. */
export function shareFound(sample: readonly SearchText[], { name, gtin }: SearchTerms): number {
  const found = sample.filter(
    ({ name_key, gtin14 }) => name_key.includes(name) || (gtin !== undefined && gtin14.includes(gtin)),
  );
  return sample.length === 0 ? 0 : found.length / sample.length;
}

/** Text search queries of which one finds every variant that the terms find, and few others. */
export function toGramQueries(brandId: number, { name, gtin }: SearchTerms, sample: readonly SearchText[]): string[] {
  const alternatives = new Set(gtin === undefined ? [name] : [name, gtin]);
  const brand = `${brandId.toString(16)}:`;
  return [...alternatives].map((term) => {
    if ([...term].length < GRAM_LENGTH) return `${quote(brand + term)}:*`;
    const chosen = chooseGrams(gramsOf(term), sample);
    return chosen.map((gram) => quote(brand + gram)).join(' & ');
  });
}

/** Side by side, not overlapping: overlapping ones tell little new. */
function gramsOf(term: string): string[] {
  const characters = [...term];
  const starts: number[] = [];
  for (let start = 0; start + GRAM_LENGTH <= characters.length; start += GRAM_LENGTH) starts.push(start);
  starts.push(characters.length - GRAM_LENGTH);
  return [...new Set(starts.map((start) => characters.slice(start, start + GRAM_LENGTH).join('')))];
}

/**
 * The rarest, by the sample. Each gram costs the reading of its list, and one that most variants have, such as those of
 * the company prefix in a GTIN, narrows nothing down: leaving them out made such searches four times as fast.
 */
function chooseGrams(grams: readonly string[], sample: readonly SearchText[]): string[] {
  const ranked = grams
    .map((gram) => ({ gram, share: shareFound(sample, { name: gram, gtin: gram }) }))
    .sort((a, b) => a.share - b.share);
  const rare = ranked.filter(({ share }) => share <= COMMON_SHARE).slice(0, MOST_GRAMS);
  return (rare.length > 0 ? rare : ranked.slice(0, 1)).map(({ gram }) => gram);
}

function quote(lexeme: string): string {
  return `'${lexeme.replace(/['\\]/g, '$&$&')}'`;
}
