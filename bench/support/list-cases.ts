/** `fast`: within 50 ms. `fair`: within twice the time of plain SQL for the same result. */
type Bar = 'fast' | 'fair';

export interface ListCase {
  readonly label: string;
  readonly query: Readonly<Record<string, string>>;
  readonly bar: Bar;
}

const FILTERS: Record<string, Record<string, string>> = {
  all: {},
  'with certs': { has_certs: 'true' },
  'without certs': { has_certs: 'false' },
  published: { published: 'true' },
  unpublished: { published: 'false' },
};
const ORDERINGS = ['-created_at', 'created_at', 'name', '-name'];
/** Search texts and their limits. */
const SEARCHES: Record<string, Bar> = {
  xqzwj: 'fast',
  zq: 'fast',
  '%': 'fast',
  'no such product': 'fast',
  '4000000123': 'fast',
  'organic olive': 'fast',
  'creme de zuc': 'fast',
  'tea 31': 'fast',
  'ml a1f': 'fast',
  '123': 'fast',
  a1: 'fair',
  wj: 'fast',
  q: 'fair',
  jacket: 'fair',
  e: 'fair',
};

/** `counts`: the number of variants by filter name. */
export function listCases(counts: ReadonlyMap<string, number>): ListCase[] {
  const pages = Object.entries(FILTERS).flatMap(([filter, query]) =>
    ORDERINGS.flatMap((ordering): ListCase[] => {
      const last = Math.ceil((counts.get(filter) ?? 0) / 10);
      return [
        { label: `${filter}, ${ordering}: first page`, query: { ...query, ordering }, bar: 'fast' },
        { label: `${filter}, ${ordering}: last page`, query: { ...query, ordering, page: String(last) }, bar: 'fast' },
      ];
    }),
  );
  const middle = String(Math.floor((counts.get('all') ?? 0) / 20));
  const deep = ORDERINGS.slice(1, 3).map(
    (ordering): ListCase => ({
      label: `all, ${ordering}: page ${middle}`,
      query: { ordering, page: middle },
      bar: 'fair',
    }),
  );
  const searches = Object.entries(SEARCHES).flatMap(([search, bar]): ListCase[] => [
    { label: `search "${search}"`, query: { search }, bar },
    { label: `search "${search}", published, name`, query: { search, published: 'true', ordering: 'name' }, bar },
  ]);
  return [...pages, ...deep, ...searches];
}

export function filterNames(): [string, Record<string, string>][] {
  return Object.entries(FILTERS);
}
