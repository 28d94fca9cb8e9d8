import { isRefusal } from './retry.ts';

/**
 * Polling interval of a list that has pending items: short for a minute after it changed, then long. Google takes a
 * quarter of an hour to decide, and without a connected channel the rows stay pending forever.
 */
const REFRESH_MS = { active: 3_000, idle: 60_000 };
const ACTIVE_FOR_MS = 60_000;

/** When each answer was first seen: TanStack Query keeps the same object while the data does not change. */
const firstSeen = new WeakMap<object, number>();

interface QueryState<List> {
  readonly data: List | undefined;
  readonly error: unknown;
}

/** For a query's `refetchInterval`, which only runs in a visible tab. A list that was refused is not polled. */
export function refreshAfter<List extends object>(
  { data: list, error }: QueryState<List>,
  isInProgress: (list: List) => boolean,
): number | false {
  if (!list || isRefusal(error) || !isInProgress(list)) return false;
  const since = firstSeen.get(list) ?? Date.now();
  firstSeen.set(list, since);
  return Date.now() - since < ACTIVE_FOR_MS ? REFRESH_MS.active : REFRESH_MS.idle;
}
