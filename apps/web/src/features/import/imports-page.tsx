import { VARIANT_PAGE_SIZES } from '@brand-portal/contract/constants';
import { IMPORT_NOTICES } from '@brand-portal/contract/import';
import { useQuery } from '@tanstack/react-query';
import { FileUp } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { listAddress, oneOf, useListView } from '../../lib/list-view.ts';
import { useBrandId } from '../../lib/paths.ts';
import { useSearchField } from '../../lib/use-debounced-search.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DataTable, type RefreshedQuery } from '../../ui/data-table.tsx';
import { serverPagination } from '../../ui/data-table-model.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { QueryErrorCard } from '../../ui/query-error.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Select } from '../../ui/select.tsx';
import { ImportFile } from './import-file.tsx';
import { importColumns } from './imports-columns.tsx';
import { type ImportList, type ImportsView, importListQuery, isInProgress, type ListedImport, useRefreshAtEnd } from './imports-queries.ts';

const FILTERS = ['all', ...IMPORT_NOTICES] as const;
const address = listAddress((params) => ({
  notice: oneOf<ImportsView['notice']>(FILTERS, params.get('notice'), 'all'),
}));

/** Rendered inside the brand's shell, so the brand exists. */
export function ImportsPage() {
  const { t } = useTranslation();
  const brandId = useBrandId();
  return (
    <div className="flex flex-col gap-4">
      <PageHeader title={t('imports.title')} subtitle={t('imports.subtitle')} />
      <ImportFile key={brandId} brandId={brandId} />
      <Imports brandId={brandId} />
    </div>
  );
}

function Imports({ brandId }: { brandId: number }) {
  const { t } = useTranslation();
  const { view, changeView, changeSearch } = useListView(address);
  const query = useQuery(importListQuery(brandId, view));
  const { data: list, error, isPlaceholderData, refetch } = query;
  useRefreshAtEnd(brandId, list?.results.some(isInProgress) === true && !isPlaceholderData);
  const searchField = useSearchField(view.search, changeSearch);

  const clear = () => {
    searchField.clear();
    changeView({ search: '', notice: 'all' });
  };

  if (list?.count === 0 && list.view.search === '' && list.view.notice === 'all') return <NoImports />;
  return (
    <>
      <div className="flex flex-wrap gap-2 md:flex-nowrap">
        <SearchField
          label={t('imports.search.label')}
          placeholder={t('imports.search.placeholder')}
          {...searchField.field}
          className="min-w-0 flex-1 basis-full md:basis-0"
        />
        <Select
          label={t('imports.filter.label')}
          value={view.notice}
          options={FILTERS.map((value) => ({ value, label: t(`imports.filter.${value}`) }))}
          onChange={(notice) => changeView({ notice })}
          className="max-md:flex-1 md:min-w-56"
        />
      </div>
      {error && !list ? (
        <QueryErrorCard title={t('imports.error')} error={error} refetch={refetch} />
      ) : (
        <ImportsTable list={list} query={query} isOutdated={isPlaceholderData} view={view} onChange={changeView} onClear={clear} />
      )}
    </>
  );
}

interface ImportsTableProps {
  /** Undefined while loading. */
  list: ImportList | undefined;
  query: RefreshedQuery;
  /** The list is the previous one while another is loading. */
  isOutdated: boolean;
  view: ImportsView;
  onChange: (change: Partial<ImportsView>, options?: { replace?: boolean }) => void;
  onClear: () => void;
}

const rowId = ({ id }: ListedImport) => String(id);
const noRows: readonly ListedImport[] = [];

function ImportsTable({ list, query, isOutdated, view, onChange, onClear }: ImportsTableProps) {
  const { t } = useTranslation();
  return (
    <DataTable
      label={t('imports.table')}
      columns={importColumns}
      rows={list?.results ?? noRows}
      found={(number) => t('imports.found', { number })}
      rowId={rowId}
      isLoading={list === undefined}
      isFetching={isOutdated}
      query={query}
      pageSizes={VARIANT_PAGE_SIZES}
      pagination={serverPagination(view, list, onChange)}
      hint={
        list && {
          text:
            list.view.search === '' ? t('imports.no_matches.notice') : t('imports.no_matches.description', { search: list.view.search }),
          action: (
            <Button onClick={onClear}>{t(list.view.notice === 'all' ? 'imports.no_matches.clear' : 'imports.no_matches.show_all')}</Button>
          ),
        }
      }
    />
  );
}

function NoImports() {
  const { t } = useTranslation();
  return (
    <Card>
      <EmptyState icon={FileUp} title={t('imports.empty.title')} description={t('imports.empty.description')} />
    </Card>
  );
}
