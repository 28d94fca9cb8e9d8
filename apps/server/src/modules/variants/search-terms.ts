import { certificateKey } from '../certificates/certificate-ids.ts';
import type { SearchPatterns, SearchText } from './variant-search.queries.ts';

const GTIN_LENGTH = 14;
const GRAM_LENGTH = 3;
const MAX_GRAMS = 8;
/** Entries of a gram's list that can be read in the time of one variant lookup (measured). */
const ENTRIES_PER_LOOKUP = 16;

export interface SearchTerms {
  /** What a name has to contain, as the database normalises names. */
  readonly name: string;
  /** What the 14-digit form of a GTIN has to contain; absent where no GTIN can. */
  readonly gtin: string | undefined;
  /** What a certificate's id has to contain, in the form by which ids are compared. */
  readonly certificate?: string;
}

/** `key`: the search as the database normalises names. */
export function toTerms(search: string, key: string): SearchTerms {
  return { name: key, gtin: toGtinPart(search), certificate: certificateKey(search) };
}

/**
 * What the 14-digit form of a GTIN has to contain. People copy GTINs with the spaces and dashes that labels print them with, and with
 * more or fewer leading zeros.
 */
export function toGtinPart(search: string): string | undefined {
  const digits = search.replace(/[\s\p{Pd}]/gu, '');
  if (!/^\d+$/.test(digits)) return undefined;
  const spare = Math.max(digits.length - GTIN_LENGTH, 0);
  const withoutSpareZeros = digits.replace(new RegExp(`^0{0,${spare}}`), '');
  return withoutSpareZeros.length > GTIN_LENGTH ? undefined : withoutSpareZeros;
}

export function toPatterns({ name, gtin, certificate }: SearchTerms): SearchPatterns {
  const patternOf = (part: string | undefined) => (part === undefined ? undefined : toPattern(part));
  return { name: toPattern(name), gtin: patternOf(gtin), certificate: patternOf(certificate) };
}

function toPattern(part: string): string {
  return `%${part.replace(/[\\%_]/g, '\\$&')}%`;
}

/** Which share of the sampled variants the terms find. */
export function shareFound(sample: readonly SearchText[], terms: SearchTerms): number {
  return sample.length === 0 ? 0 : findIn(sample, terms).length / sample.length;
}

function findIn(sample: readonly SearchText[], { name, gtin }: SearchTerms): SearchText[] {
  return sample.filter(
    ({ name_key, gtin14 }) => name_key.includes(name) || (gtin !== undefined && gtin14.includes(gtin)),
  );
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
 * The rarest by the sample, and of the others those that spare more looking up than the reading of their list takes: one that
 * comes with another, as in one word, or that most variants have, as of the company prefix in a GTIN, narrows nothing down.
 */
function chooseGrams(grams: readonly string[], sample: readonly SearchText[]): string[] {
  const ranked = grams
    .map((gram) => ({ gram, entries: findIn(sample, { name: gram, gtin: gram }).length }))
    .sort((a, b) => a.entries - b.entries);
  const chosen: string[] = [];
  let left = sample;
  for (const { gram, entries } of ranked) {
    const narrowed = findIn(left, { name: gram, gtin: gram });
    const spared = left.length - narrowed.length;
    if (chosen.length > 0 && spared * ENTRIES_PER_LOOKUP < entries) continue;
    chosen.push(gram);
    left = narrowed;
    if (chosen.length === MAX_GRAMS) break;
  }
  return chosen;
}

function quote(lexeme: string): string {
  return `'${lexeme.replace(/['\\]/g, '$&$&')}'`;
}
