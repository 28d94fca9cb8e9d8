export interface CatalogueName {
  readonly id: number;
  readonly name: string;
}

export interface CertificationNames {
  find(name: string): CatalogueName | undefined;
  /** The known name that is most like an unknown one; empty where none is. */
  suggest(name: string): string;
}

/** Comparing costs more than anything else that is done to a row: a file full of nonsense gets so many suggestions and no more. */
const SUGGESTIONS = 1_000;
const LONGEST_COMPARED = 60;
/** Normalising takes quadratic time on a hostile cell. */
const MAX_NAME_LENGTH = 200;
const LARGEST_DIFFERENCE = 0.4;

export function createCertificationNames(catalogue: readonly CatalogueName[]): CertificationNames {
  const byKey = new Map(catalogue.map((entry) => [keyOf(entry.name), entry]));
  const suggestions = new Map<string, string>();
  return {
    find: (name) => byKey.get(keyOf(name)),
    suggest(name) {
      const key = keyOf(name);
      const known = suggestions.get(key);
      if (known !== undefined) return known;
      if (key.length > LONGEST_COMPARED || suggestions.size >= SUGGESTIONS) return '';
      const suggestion = findNearest(key, byKey)?.name ?? '';
      suggestions.set(key, suggestion);
      return suggestion;
    },
  };
}

/** Without case, accents, spaces and punctuation: 'Globalgap' is 'GLOBALG.A.P.'. Far longer than any name is no name. */
function keyOf(name: string): string {
  return name
    .slice(0, MAX_NAME_LENGTH)
    .normalize('NFKD')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}

function findNearest(key: string, names: ReadonlyMap<string, CatalogueName>): CatalogueName | undefined {
  let nearest: CatalogueName | undefined;
  let least = LARGEST_DIFFERENCE;
  for (const [candidate, entry] of names) {
    const difference = differenceOf(key, candidate);
    if (difference <= least && (difference < least || !nearest)) {
      nearest = entry;
      least = difference;
    }
  }
  return nearest;
}

/** 0: the same; 1: nothing in common. A name inside of the other ('FSC Mix' and 'FSC') is near, however much is around it. */
function differenceOf(a: string, b: string): number {
  const isInside = Math.min(a.length, b.length) >= 3 && (a.includes(b) || b.includes(a));
  return Math.min(isInside ? 0.3 : 1, editDistance(a, b) / Math.max(a.length, b.length, 1));
}

/** Levenshtein's, row by row. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
