import { editDistance } from '../../lib/edit-distance.ts';

export interface CatalogueName {
  readonly id: number;
  readonly name: string;
  readonly body_name: string;
  readonly aliases: readonly string[];
  readonly is_retired: boolean;
}

export interface CertificationNames {
  /** Several if the name is ambiguous, none if it is unknown. Sorted by name. */
  find(name: string): readonly CatalogueName[];
  /** The certifications whose names begin with an unknown one: 'COSMOS'. */
  listBeginning(name: string): readonly CatalogueName[];
  /** The certifications that an unknown name names, if there are several: 'FSC; GOTS'. */
  listSeveral(name: string): readonly CatalogueName[];
  /** The known name that an unknown one probably means. Empty if that is not certain. */
  suggest(name: string): string;
}

/** Limit per file: comparing names is the most expensive step of a row. */
const SUGGESTIONS = 1_000;
/** Cache size per file: nearly all files repeat a few names. */
const MAX_CACHED_NAMES = 1_000;
const MAX_COMPARED_LENGTH = 60;
/** Normalising takes quadratic time on a hostile cell. */
const MAX_NAME_LENGTH = 200;

/** A name or alias, and the certifications it may mean. */
interface Known {
  readonly words: string;
  readonly entries: CatalogueName[];
}

/** Uses the whole catalogue: a name shared with a retired certification is still ambiguous. */
export function createCertificationNames(catalogue: readonly CatalogueName[]): CertificationNames {
  const names = new Map<string, Known>();
  const all = new Map<string, Known>();
  const closedUp = new Map<string, Known>();
  for (const entry of [...catalogue].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    note(names, wordsOf(entry.name), entry);
    for (const words of [entry.name, ...entry.aliases].map(wordsOf)) {
      note(all, words, entry);
      note(closedUp, joinWords(words), entry);
    }
  }
  const found = new Map<string, readonly CatalogueName[]>();
  const suggestions = new Map<string, string>();

  /** An exact name wins over aliases: "Fairtrade" is one certification, though "Fair Trade" may be two. */
  function lookUp(name: string): readonly CatalogueName[] {
    const words = wordsOf(name);
    const entries = (names.get(words) ?? all.get(words) ?? closedUp.get(joinWords(words)))?.entries ?? [];
    return entries.length === 1 && entries[0]?.is_retired ? [] : entries;
  }

  return {
    find(name) {
      const known = found.get(name);
      if (known) return known;
      const entries = lookUp(name);
      if (found.size < MAX_CACHED_NAMES && name.length <= MAX_NAME_LENGTH) found.set(name, entries);
      return entries;
    },
    listBeginning(name) {
      const start = `${wordsOf(name)} `;
      const fitting = [...names.values()].filter(({ words }) => words.startsWith(start));
      return start === ' ' ? [] : fitting.flatMap(({ entries }) => entries).filter(({ is_retired }) => !is_retired);
    },
    listSeveral: (name) => listNamed(wordsOf(name), [...all.values()]),
    suggest(name) {
      const words = wordsOf(name);
      const known = suggestions.get(words);
      if (known !== undefined) return known;
      if (words.length > MAX_COMPARED_LENGTH || suggestions.size >= SUGGESTIONS) return '';
      const suggestion = findSuggestion(words, [...all.values()]);
      suggestions.set(words, suggestion);
      return suggestion;
    },
  };
}

function note(known: Map<string, Known>, words: string, entry: CatalogueName): void {
  const entries = known.get(words)?.entries ?? [];
  if (!entries.includes(entry)) known.set(words, { words, entries: [...entries, entry] });
}

/** Lower case, without accents, marks and punctuation, with single spaces. Text longer than any name is cut. */
function wordsOf(name: string): string {
  return name
    .slice(0, MAX_NAME_LENGTH)
    .replaceAll(/[™℠]/g, '')
    .normalize('NFKD')
    .replaceAll(/[\s\p{Pd}_/]+/gu, ' ')
    .replaceAll(/[^\p{L}\p{N} ]/gu, '')
    .replaceAll(/ +/g, ' ')
    .trim()
    .toLowerCase();
}

/** So that 'Energystar' matches 'ENERGY STAR'. */
function joinWords(words: string): string {
  return words.replaceAll(' ', '');
}

/** As they are written. Of names that contain each other the longest counts: 'Fair Trade USA' does not name 'Fair Trade' as well. */
function listNamed(words: string, known: readonly Known[]): CatalogueName[] {
  const isIn = (part: Known, whole: string) => ` ${whole} `.includes(` ${part.words} `);
  const named = known.filter((other) => isIn(other, words));
  const longest = named
    .filter((other) => !named.some((longer) => longer !== other && isIn(other, longer.words)))
    .sort((one, other) => words.indexOf(one.words) - words.indexOf(other.words));
  const entries = new Set(longest.flatMap(({ entries }) => (entries.length === 1 ? entries : [])));
  return entries.size > 1 ? [...entries] : [];
}

/**
 * Suggests only near-certain matches: the same words with typing errors, or a known name with extra words ('FSC Recycled'). Labels of
 * different bodies share words ('JAS Organic' is not 'USDA Organic'), so similarity alone is not enough.
 */
function findSuggestion(words: string, known: readonly Known[]): string {
  const mistyped = known.filter((other) => isMistyped(words.split(' '), other.words.split(' ')));
  const inside = known.filter((other) => ` ${words} `.includes(` ${other.words} `));
  const longest = Math.max(...inside.map((other) => other.words.length));
  const meant = mistyped.length > 0 ? mistyped : inside.filter((other) => other.words.length === longest);
  const entries = new Set(meant.flatMap((other) => other.entries).filter(({ is_retired }) => !is_retired));
  const [entry] = entries;
  return entries.size === 1 && entry && meant.every((other) => other.entries.length === 1) ? entry.name : '';
}

/** Compares word by word. Short words must be equal: 'UK' is not 'EU'. */
function isMistyped(words: readonly string[], others: readonly string[]): boolean {
  if (words.length !== others.length) return false;
  return words.every((word, index) => {
    const other = others[index] ?? '';
    const length = Math.max(word.length, other.length);
    const allowed = length < 5 ? 0 : length < 8 ? 1 : 2;
    return word === other || (Math.abs(word.length - other.length) <= allowed && editDistance(word, other) <= allowed);
  });
}
