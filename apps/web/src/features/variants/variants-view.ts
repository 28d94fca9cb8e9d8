import {
  DEFAULT_PAGE_SIZE,
  DEFAULT_VARIANT_ORDERING,
  LONGEST_SEARCH,
  VARIANT_PAGE_SIZES,
} from '@brand-portal/contract/constants';
import type { VariantListQuery } from '@brand-portal/contract/variants';

/** What each filter asks of the server. */
const filterQueries = {
  all: {},
  with_certifications: { has_certs: true },
  without_certifications: { has_certs: false },
  published: { published: true },
  unpublished: { published: false },
} as const satisfies Record<string, VariantListQuery>;

export type VariantFilter = keyof typeof filterQueries;
export const VARIANT_FILTERS = Object.keys(filterQueries) as VariantFilter[];

const ORDERINGS = [DEFAULT_VARIANT_ORDERING, 'name', '-name'] as const;
type VariantOrdering = (typeof ORDERINGS)[number];

/** Which part of the brand's variants the page shows; the address says it, so that links, reloads and the way back work. */
export interface VariantsView {
  search: string;
  filter: VariantFilter;
  ordering: VariantOrdering;
  page: number;
  pageSize: number;
}

const DEFAULT_VIEW: VariantsView = {
  search: '',
  filter: 'all',
  ordering: DEFAULT_VARIANT_ORDERING,
  page: 1,
  pageSize: DEFAULT_PAGE_SIZE,
};

function oneOf<Value extends string | number>(values: readonly Value[], text: string | null, otherwise: Value): Value {
  return values.find((value) => String(value) === text) ?? otherwise;
}

/** Search text as the server gets it. */
export function tidySearch(text: string): string {
  return text.trim().slice(0, LONGEST_SEARCH);
}

/** What an address does not say, or says in a way that makes no sense, is as it is by default. */
export function readView(params: URLSearchParams): VariantsView {
  const page = params.get('page') ?? '';
  return {
    search: tidySearch(params.get('search') ?? ''),
    filter: oneOf(VARIANT_FILTERS, params.get('filter'), DEFAULT_VIEW.filter),
    ordering: oneOf(ORDERINGS, params.get('ordering'), DEFAULT_VIEW.ordering),
    // Eight digits: beyond them the server refuses the number instead of finding no rows.
    page: /^[1-9]\d{0,7}$/.test(page) ? Number(page) : DEFAULT_VIEW.page,
    pageSize: oneOf<number>(VARIANT_PAGE_SIZES, params.get('page_size'), DEFAULT_VIEW.pageSize),
  };
}

/** The address of a view: only what differs from the default is in it. Parameters of others stay. */
export function writeView(params: URLSearchParams, view: VariantsView): URLSearchParams {
  const next = new URLSearchParams(params);
  const write = (name: string, value: string | number, byDefault: string | number) => {
    if (value === byDefault) next.delete(name);
    else next.set(name, String(value));
  };
  write('search', view.search, DEFAULT_VIEW.search);
  write('filter', view.filter, DEFAULT_VIEW.filter);
  write('ordering', view.ordering, DEFAULT_VIEW.ordering);
  write('page', view.page, DEFAULT_VIEW.page);
  write('page_size', view.pageSize, DEFAULT_VIEW.pageSize);
  return next;
}

export function toListQuery({ page, pageSize, ...view }: VariantsView): VariantListQuery {
  return { page, page_size: pageSize, ...toExportQuery(view) };
}

/** The whole list, without its pages. */
export function toExportQuery({ search, filter, ordering }: Omit<VariantsView, 'page' | 'pageSize'>) {
  return { ordering, ...(search === '' ? {} : { search }), ...filterQueries[filter] };
}

/** Whether some variants may be left out. */
export function isNarrowed({ search, filter }: VariantsView): boolean {
  return search !== DEFAULT_VIEW.search || filter !== DEFAULT_VIEW.filter;
}
