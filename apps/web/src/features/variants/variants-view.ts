import { VARIANT_REASONS, type VariantReason } from '@brand-portal/contract/attention';
import { DEFAULT_VARIANT_ORDERING } from '@brand-portal/contract/constants';
import type { VariantFilter as VariantFilterQuery } from '@brand-portal/contract/variant-actions';
import {
  VARIANT_STATES,
  type VariantAnswer,
  type VariantListQuery,
  type VariantState,
  type VariantStatesQuery,
} from '@brand-portal/contract/variants';
import { useLocation, useNavigate } from 'react-router';
import { type ListView, listAddress, oneOf, useListView } from '../../lib/list-view.ts';
import { parseId, productVariantPath } from '../../lib/paths.ts';
import { useHandler } from '../../lib/use-handler.ts';

/** The query parameters of each filter. */
const filterQueries = {
  all: {},
  with_certifications: { has_certs: true },
  without_certifications: { has_certs: false },
  published: { published: true },
  unpublished: { published: false },
} as const satisfies Record<string, VariantListQuery>;

export type VariantFilter = keyof typeof filterQueries;
export const VARIANT_FILTERS = Object.keys(filterQueries) as VariantFilter[];

const MAX_ISSUE_LENGTH = 200;
const ORDERINGS = [DEFAULT_VARIANT_ORDERING, 'name', '-name'] as const;
type VariantOrdering = (typeof ORDERINGS)[number];

type VariantFilters = {
  filter: VariantFilter;
  ordering: VariantOrdering;
  /** Variants that need attention for this reason; empty: all. */
  reason: VariantReason | '';
  /** Variants with this type of issue at Google. */
  issue: string;
  /** Variants with this certificate; 0: all. */
  certificate: number;
  /** Variants in this state; empty: all. */
  state: VariantState | '';
};

/** The part of the brand's variants that the page shows. */
export type VariantsView = ListView & VariantFilters;

const address = listAddress<VariantFilters>((params) => ({
  reason: oneOf<VariantReason | ''>(VARIANT_REASONS, params.get('reason'), ''),
  issue: (params.get('issue') ?? '').slice(0, MAX_ISSUE_LENGTH),
  certificate: parseId(params.get('certificate') ?? '') ?? 0,
  state: oneOf<VariantState | ''>(VARIANT_STATES, params.get('state'), ''),
  filter: oneOf(VARIANT_FILTERS, params.get('filter'), 'all'),
  ordering: oneOf(ORDERINGS, params.get('ordering'), DEFAULT_VARIANT_ORDERING),
}));

export const { read: readView, write: writeView } = address;
export const useVariantsView = () => useListView(address);

export function toListQuery({ page, pageSize, ...view }: VariantsView): VariantListQuery {
  return { page, page_size: pageSize, ...toExportQuery(view) };
}

/** The whole list, without paging. */
export function toExportQuery(view: Omit<VariantsView, 'page' | 'pageSize'>) {
  return { ordering: view.ordering, ...toFilter(view) };
}

/** The list's filter, for actions on all matching variants. The same filter always has its keys in the same order. */
export function toFilter(view: Omit<VariantsView, 'page' | 'pageSize' | 'ordering'>): VariantFilterQuery {
  const { search, filter, reason, issue, certificate, state } = view;
  return {
    ...(search === '' ? {} : { search }),
    ...(reason === '' ? {} : { reason }),
    ...(issue === '' ? {} : { issue }),
    ...(certificate === 0 ? {} : { certificate }),
    ...(state === '' ? {} : { state }),
    ...filterQueries[filter],
  };
}

/** The filter that the strip counts within: the list's filter without the state. */
export function toStatesQuery(view: VariantsView): VariantStatesQuery {
  const { state: _state, issue: _issue, ...filter } = toFilter(view);
  // The counts ignore the state. 'refused' asks for the reasons below the strip as well; the issue is one of them.
  if (view.state === 'refused') return { ...filter, state: 'refused' };
  return { ...filter, ...(view.issue === '' ? {} : { issue: view.issue }) };
}

/** Whether a search or filter is set. */
export function isNarrowed({ search, filter, reason, issue, certificate, state }: VariantsView): boolean {
  const isAttention = reason !== '' || issue !== '' || certificate !== 0;
  return search !== '' || filter !== 'all' || isAttention || state !== '';
}

/** State of the history entry: the list is one step back. */
export interface PanelState {
  isFromList?: boolean;
}

/** Opens a variant in the panel; the list keeps its query. */
export function useOpenVariant(brandId: number): (variant: VariantAnswer) => void {
  const navigate = useNavigate();
  const { search } = useLocation();
  // Stable, so that the rows do not render again when the URL changes.
  return useHandler(({ id }) => {
    const state: PanelState = { isFromList: true };
    void navigate(productVariantPath(brandId, id) + search, { state });
  });
}
