import { DEFAULT_PAGE_SIZE, MAX_SEARCH_LENGTH, VARIANT_PAGE_SIZES } from '@brand-portal/contract/constants';
import { useLayoutEffect, useRef } from 'react';
import { useLocation, useSearchParams } from 'react-router';

/** The part of a list that a page shows. It is stored in the URL, so that links, reloads and Back work. */
export interface ListView {
  search: string;
  page: number;
  pageSize: number;
}

const DEFAULT_LIST_VIEW: ListView = { search: '', page: 1, pageSize: DEFAULT_PAGE_SIZE };

/** Normalizes search text before it is sent to the server. */
export function normalizeSearch(text: string): string {
  return text.trim().slice(0, MAX_SEARCH_LENGTH);
}

export function oneOf<Value extends string | number>(values: readonly Value[], text: string | null, otherwise: Value): Value {
  return values.find((value) => String(value) === text) ?? otherwise;
}

/** Missing or invalid parameters get their default. */
function readListView(params: URLSearchParams): ListView {
  const page = params.get('page') ?? '';
  return {
    search: normalizeSearch(params.get('search') ?? ''),
    // Eight digits: the server refuses larger numbers instead of answering with no rows.
    page: /^[1-9]\d{0,7}$/.test(page) ? Number(page) : DEFAULT_LIST_VIEW.page,
    pageSize: oneOf<number>(VARIANT_PAGE_SIZES, params.get('page_size'), DEFAULT_LIST_VIEW.pageSize),
  };
}

type Parameters = Readonly<Record<string, string | number>>;

/** Writes the values that differ from their default into the URL. Other parameters stay. */
function writeParams(params: URLSearchParams, values: Parameters, defaults: Parameters): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const [name, value] of Object.entries(values)) {
    if (value === defaults[name]) next.delete(name);
    else next.set(name, String(value));
  }
  return next;
}

interface ChangeOptions {
  /** Replaces the history entry, for a URL that nobody wants to go back to. */
  replace?: boolean;
}

/** State of the history entry: whether its search was typed on this page. */
interface EntryState {
  isTyped?: boolean;
}

interface Address<View> {
  read: (params: URLSearchParams) => View;
  write: (params: URLSearchParams, view: View) => URLSearchParams;
}

/** How a list's view is stored in the URL. `readFilters`: what it has beside search and page; of an empty URL, the defaults. */
export function listAddress<Filters extends Parameters>(readFilters: (params: URLSearchParams) => Filters): Address<ListView & Filters> {
  const read = (params: URLSearchParams) => ({ ...readListView(params), ...readFilters(params) });
  const toParams = ({ page, pageSize, ...view }: ListView) => ({ ...view, page, page_size: pageSize });
  const defaults = read(new URLSearchParams());
  // The order of the parameters is that of the defaults.
  const write = (params: URLSearchParams, view: ListView & Filters) =>
    writeParams(params, toParams({ ...defaults, ...view }), toParams(defaults));
  return { read, write };
}

export function useListView<View extends ListView>({ read, write }: Address<View>) {
  const [params, setParams] = useSearchParams();
  const state: EntryState | null = useLocation().state;
  const isTyped = state?.isTyped === true;
  // A typed search may be sent right after a filter was chosen, before the page has rendered that: each change must
  // build on the one before, not on the rendered view.
  const latest = useRef({ params, isTyped });
  useLayoutEffect(() => {
    latest.current = { params, isTyped };
  }, [params, isTyped]);

  /** Every change goes back to page 1, unless it is a change of page. */
  const change = (change: Partial<View>, replace: boolean, isTyped: boolean) => {
    const next = write(latest.current.params, { ...read(latest.current.params), page: 1, ...change });
    latest.current = { params: next, isTyped };
    setParams(next, { replace, state: { isTyped } satisfies EntryState });
  };

  return {
    view: read(params),
    changeView: (next: Partial<View>, { replace = false }: ChangeOptions = {}) => change(next, replace, false),
    /** The first letters create a history entry, so that Back returns to the view before; further letters replace it. */
    changeSearch: (search: string) => change({ search } as Partial<View>, latest.current.isTyped, true),
  };
}
