import { certificateKey } from '../fields/certificate-ids.ts';
import type { SearchPatterns, SearchText } from './variant-search.queries.ts';

const GTIN_LENGTH = 14;
const GRAM_LENGTH = 3;
const MAX_GRAMS = 8;
/** How many entries of a posting list are read in the time of one variant lookup (measured). */
const ENTRIES_PER_LOOKUP = 16;

export interface SearchTerms {
  /** The words of a name to find, in any order, normalised like names in the database. */
  readonly words: readonly string[];
  /** The part of a 14-digit GTIN to find. Undefined if no GTIN can match. */
  readonly gtin: string | undefined;
  /** The part of a certificate id to find, normalised for comparison. */
  readonly certificate?: string;
}

/** `words`: those of the search text, normalised by the database. */
export function toTerms(search: string, words: readonly string[]): SearchTerms {
  return { words, gtin: toGtinPart(search), certificate: certificateKey(search) };
}

/**
 * The part of a 14-digit GTIN to find. People copy GTINs with the spaces and dashes printed on labels, and with more or fewer leading
 * zeros.
 */
export function toGtinPart(search: string): string | undefined {
  const digits = search.replace(/[\s\p{Pd}]/gu, '');
  if (!/^\d+$/.test(digits)) return undefined;
  const spare = Math.max(digits.length - GTIN_LENGTH, 0);
  const withoutSpareZeros = digits.replace(new RegExp(`^0{0,${spare}}`), '');
  return withoutSpareZeros.length > GTIN_LENGTH ? undefined : withoutSpareZeros;
}

export function toPatterns({ words, gtin, certificate }: SearchTerms): SearchPatterns {
  const patternOf = (part: string | undefined) => (part === undefined ? undefined : toPattern(part));
  return { name: words.map(toPattern), gtin: patternOf(gtin), certificate: patternOf(certificate) };
}

function toPattern(part: string): string {
  return `%${part.replace(/[\\%_]/g, '\\$&')}%`;
}

/** The share of the sampled variants that the terms match. */
export function shareFound(sample: readonly SearchText[], terms: SearchTerms): number {
  return sample.length === 0 ? 0 : findIn(sample, terms).length / sample.length;
}

function findIn(sample: readonly SearchText[], { words, gtin }: SearchTerms): SearchText[] {
  return sample.filter(
    ({ name_key, gtin14 }) => words.every((word) => name_key.includes(word)) || (gtin !== undefined && gtin14.includes(gtin)),
  );
}

/** Text search queries. Together they find every variant that matches the terms, and few others. */
export function toGramQueries(brandId: number, { words, gtin }: SearchTerms, sample: readonly SearchText[]): string[] {
  const brand = `${brandId.toString(16)}:`;
  const alternatives = gtin === undefined || (words.length === 1 && words[0] === gtin) ? [words] : [words, [gtin]];
  return alternatives.map((terms) => {
    const grams = terms.filter((term) => [...term].length >= GRAM_LENGTH).flatMap(gramsOf);
    // Beside a longer word, a short one is not worth reading its many grams.
    if (grams.length === 0) return terms.map((term) => `${quote(brand + term)}:*`).join(' & ');
    return chooseGrams([...new Set(grams)], sample)
      .map((gram) => quote(brand + gram))
      .join(' & ');
  });
}

/** Adjacent, not overlapping: overlapping grams add little selectivity. */
function gramsOf(term: string): string[] {
  const characters = [...term];
  const starts: number[] = [];
  for (let start = 0; start + GRAM_LENGTH <= characters.length; start += GRAM_LENGTH) starts.push(start);
  starts.push(characters.length - GRAM_LENGTH);
  return [...new Set(starts.map((start) => characters.slice(start, start + GRAM_LENGTH).join('')))];
}

/**
 * The gram that is rarest in the sample, plus others that save more lookups than reading their posting list costs. A gram that occurs with
 * another one (in the same word), or in most variants (as in the company prefix of a GTIN), does not narrow the result.
 */
function chooseGrams(grams: readonly string[], sample: readonly SearchText[]): string[] {
  const ranked = grams
    .map((gram) => ({ gram, entries: findIn(sample, { words: [gram], gtin: gram }).length }))
    .sort((a, b) => a.entries - b.entries);
  const chosen: string[] = [];
  let left = sample;
  for (const { gram, entries } of ranked) {
    const narrowed = findIn(left, { words: [gram], gtin: gram });
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
