import { DEFAULT_VARIANT_ORDERING, VARIANT_PAGE_SIZES } from '@brand-portal/contract/constants';
import type { VariantAnswer } from '@brand-portal/contract/variants';
import { useQueryClient } from '@tanstack/react-query';
import clsx from 'clsx';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { DataTable, type RefreshedQuery } from '../../ui/data-table.tsx';
import { serverPagination, serverSorting } from '../../ui/data-table-model.ts';
import { SelectionBar } from './selection-bar.tsx';
import { isSameFilter, type VariantsToDelete } from './variant-actions-queries.ts';
import { useVariantActions } from './variants-actions.tsx';
import { variantColumns } from './variants-columns.tsx';
import { type VariantList, variantListQuery } from './variants-queries.ts';
import { toFilter, type VariantsView } from './variants-view.ts';

const rowId = ({ id }: VariantAnswer) => String(id);
/** On a phone a card: name, GTIN, state and certifications below each other; checkbox on the left, menu on the right, above the certifications. */
const rowClasses = clsx(
  'tight:h-16 max-md:grid max-md:h-auto max-md:min-h-31 max-md:grid-cols-[auto_minmax(0,1fr)_auto] max-md:content-center max-md:items-center max-md:gap-x-2 max-md:gap-y-1 max-md:px-3 max-md:py-2',
  "max-md:[grid-template-areas:'select_name_actions'_'select_gtin_actions'_'select_published_actions'_'select_certifications_certifications']",
);
const noRows: readonly VariantAnswer[] = [];

interface VariantsTableProps {
  brandId: number;
  /** Undefined while loading. */
  list: VariantList | undefined;
  query: RefreshedQuery;
  /** The list is the previous one while another is loading. */
  isOutdated: boolean;
  view: VariantsView;
  onChange: (change: Partial<VariantsView>, options?: { replace?: boolean }) => void;
  /** Clears the search or the filters. */
  onClear: (what: 'search' | 'filter') => void;
  onOpen: (variant: VariantAnswer) => void;
  onDelete: (variants: VariantsToDelete) => void;
}

export function VariantsTable(props: VariantsTableProps) {
  const { brandId, list, query, isOutdated, view, onChange, onClear, onOpen, onDelete } = props;
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { applyPending } = useVariantActions();
  const rows = useMemo(() => {
    if (!list) return noRows;
    const filter = toFilter(list.view);
    return list.results.map((row) => applyPending(row, filter));
  }, [list, applyPending]);
  const { ordering } = view;
  const count = list?.count ?? 0;
  // As specified, another page size starts at the first page. In all other lists the first visible row stays in view.
  const changePage = ({ page, pageSize }: Partial<Pick<VariantsView, 'page' | 'pageSize'>>, how: { replace: boolean }) =>
    onChange(pageSize ? { pageSize } : { page }, how);
  const prefetch = (page: number) => void queryClient.prefetchQuery(variantListQuery(brandId, { ...view, page }));

  /** A search or filter is set, and nothing matches it. */
  const noMatches = ({ search, filter, state, reason, issue, certificate }: VariantsView) => {
    const filters = [
      ...(filter === 'all' ? [] : [t(`variants.filter.${filter}`)]),
      ...(state === '' ? [] : [t(`variants.states.${state}`)]),
      ...(reason === '' ? [] : [t(`attention.reasons.${reason}.title`)]),
      ...(issue === '' ? [] : [issue]),
      ...(certificate === 0 ? [] : [t('variants.one_certificate')]),
    ];
    const narrowedBy = search === '' ? 'filter' : filters.length === 0 ? 'search' : 'both';
    return {
      text: t(`variants.no_matches.${narrowedBy}`, { search, filter: filters.join(', ') }),
      action: (
        <div className="flex flex-wrap justify-center gap-2">
          {(['search', 'filter'] as const)
            .filter((what) => narrowedBy === what || narrowedBy === 'both')
            .map((what) => (
              <Button key={what} onClick={() => onClear(what)}>
                {t(`variants.no_matches.clear_${what}`)}
              </Button>
            ))}
        </div>
      ),
    };
  };

  return (
    <DataTable
      label={t('variants.table')}
      columns={variantColumns}
      rows={rows}
      found={(number) => t('variants.found', { number })}
      rowId={rowId}
      onRowClick={onOpen}
      isMainList
      rowClassName={rowClasses}
      isLoading={list === undefined}
      isFetching={isOutdated}
      query={query}
      pageSizes={VARIANT_PAGE_SIZES}
      pagination={serverPagination(view, list, changePage, prefetch)}
      sorting={serverSorting<'name'>(ordering === DEFAULT_VARIANT_ORDERING ? '' : ordering, (change) =>
        onChange({ ordering: change.ordering || DEFAULT_VARIANT_ORDERING }),
      )}
      bar={
        <SelectionBar
          brandId={brandId}
          view={view}
          total={count}
          filterKey={list?.filter_key}
          isOutdated={list !== undefined && !isSameFilter(toFilter(list.view), toFilter(view))}
          onDelete={onDelete}
        />
      }
      hint={list && noMatches(list.view)}
    />
  );
}
