import { DEFAULT_PAGE_SIZE, MAX_SEARCH_LENGTH, VARIANT_PAGE_SIZES } from '@brand-portal/contract/constants';
import { useLayoutEffect, useRef } from 'react';
import { useLocation, useSearchParams } from 'react-router';

/** Which part of a list a page shows; the address says it, so that links, reloads and the way back work. */
export interface ListView {
  search: string;
  page: number;
  pageSize: number;
}

export const DEFAULT_LIST_VIEW: ListView = { search: '', page: 1, pageSize: DEFAULT_PAGE_SIZE };

/** Search text as the server gets it. */
export function tidySearch(text: string): string {
  return text.trim().slice(0, MAX_SEARCH_LENGTH);
}

export function oneOf<Value extends string | number>(
  values: readonly Value[],
  text: string | null,
  otherwise: Value,
): Value {
  return values.find((value) => String(value) === text) ?? otherwise;
}

/** What an address does not say, or says in a way that makes no sense, is as it is by default. */
export function readListView(params: URLSearchParams): ListView {
  const page = params.get('page') ?? '';
  return {
    search: tidySearch(params.get('search') ?? ''),
    // Eight digits: beyond them the server refuses the number instead of finding no rows.
    page: /^[1-9]\d{0,7}$/.test(page) ? Number(page) : DEFAULT_LIST_VIEW.page,
    pageSize: oneOf<number>(VARIANT_PAGE_SIZES, params.get('page_size'), DEFAULT_LIST_VIEW.pageSize),
  };
}

type Parameters = Readonly<Record<string, string | number>>;

/** The address of a view: only what differs from the default is in it. Parameters of others stay. */
export function writeParams(params: URLSearchParams, values: Parameters, defaults: Parameters): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const [name, value] of Object.entries(values)) {
    if (value === defaults[name]) next.delete(name);
    else next.set(name, String(value));
  }
  return next;
}

interface ChangeOptions {
  /** For an address that nobody would want to go back to. */
  replace?: boolean;
}

/** What the browser's history remembers of an entry: whether its search was typed here. */
interface EntryState {
  isTyped?: boolean;
}

interface Address<View> {
  read: (params: URLSearchParams) => View;
  write: (params: URLSearchParams, view: View) => URLSearchParams;
}

export function useListView<View extends ListView>({ read, write }: Address<View>) {
  const [params, setParams] = useSearchParams();
  const state: EntryState | null = useLocation().state;
  const isTyped = state?.isTyped === true;
  // A search that was typed may be sent right after a filter was chosen, before the page shows that: each change builds
  // on the one before it, not on what is shown.
  const latest = useRef({ params, isTyped });
  useLayoutEffect(() => {
    latest.current = { params, isTyped };
  }, [params, isTyped]);

  /** Whatever changes, one starts to read at the first page again, unless it is the page that changes. */
  const change = (change: Partial<View>, replace: boolean, isTyped: boolean) => {
    const next = write(latest.current.params, { ...read(latest.current.params), page: 1, ...change });
    latest.current = { params: next, isTyped };
    setParams(next, { replace, state: { isTyped } satisfies EntryState });
  };

  return {
    view: read(params),
    changeView: (next: Partial<View>, { replace = false }: ChangeOptions = {}) => change(next, replace, false),
    /** The first letters are a step of history, so that the way back leads to where they were typed; more letters are not. */
    changeSearch: (search: string) => change({ search } as Partial<View>, latest.current.isTyped, true),
  };
}
