import { isRefusal } from './retry.ts';

/**
 * How often a list is read again while something in it is still under way: often for a minute after it changed, then
 * seldom. Google takes a quarter of an hour for a verdict, and where no channel is set up the rows wait forever.
 */
const REFRESH_MS = { lively: 3_000, quiet: 60_000 };
const LIVELY_FOR_MS = 60_000;

/** When each answer came first: a query keeps the same object for as long as a new answer says the same. */
const firstSeen = new WeakMap<object, number>();

interface QueryState<List> {
  readonly data: List | undefined;
  readonly error: unknown;
}

/** For a query's `refetchInterval`, which holds only in a tab that is looked at. A list that is refused is not asked for again. */
export function refreshAfter<List extends object>(
  { data: list, error }: QueryState<List>,
  isUnderWay: (list: List) => boolean,
): number | false {
  if (!list || isRefusal(error) || !isUnderWay(list)) return false;
  const since = firstSeen.get(list) ?? Date.now();
  firstSeen.set(list, since);
  return Date.now() - since < LIVELY_FOR_MS ? REFRESH_MS.lively : REFRESH_MS.quiet;
}
