import type { CertificateColumn, ListedCertificationAnswer } from '@brand-portal/contract/certificates';
import { VARIANT_PAGE_SIZES } from '@brand-portal/contract/constants';
import { useQueryClient } from '@tanstack/react-query';
import clsx from 'clsx';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { DataTable, type RefreshedQuery } from '../../ui/data-table.tsx';
import { serverPagination, serverSorting } from '../../ui/data-table-model.ts';
import { certificateColumns } from './certificates-columns.tsx';
import { type CertificateList, certificateListQuery } from './certificates-queries.ts';
import type { CertificatesView } from './certificates-view.ts';

/** For a server that sends neither last days nor variant counts. */
const specifiedColumns = certificateColumns.filter(({ id }) => id !== 'expires_on' && id !== 'variants');
const noRows: readonly ListedCertificationAnswer[] = [];
const rowId = ({ id, certification_name, certificate_id }: ListedCertificationAnswer) =>
  id === undefined ? `${certification_name} ${certificate_id}` : String(id);
/** On a phone a card: id and status in the first line, then certification and body, then last day and variants. */
const rowClasses = clsx(
  'tight:h-16 max-md:grid max-md:h-auto max-md:min-h-27 max-md:grid-cols-[minmax(0,1fr)_auto] max-md:content-center max-md:items-center max-md:gap-x-2 max-md:gap-y-1 max-md:px-3 max-md:py-2',
  "max-md:[grid-template-areas:'id_status'_'certification_certification'_'body_body'_'expires_variants']",
);

interface CertificatesTableProps {
  brandId: number;
  /** Undefined while loading. */
  list: CertificateList | undefined;
  query: RefreshedQuery;
  /** The list is the previous one while another is loading. */
  isOutdated: boolean;
  view: CertificatesView;
  onChange: (change: Partial<CertificatesView>, options?: { replace?: boolean }) => void;
  /** Clears the search or the filter. */
  onClear: (what: 'search' | 'filter') => void;
  onOpen: (certificate: ListedCertificationAnswer) => void;
}

export function CertificatesTable(props: CertificatesTableProps) {
  const { brandId, list, query, isOutdated, view, onChange, onClear, onOpen } = props;
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const rows = list?.results ?? noRows;
  const prefetch = (page: number) => void queryClient.prefetchQuery(certificateListQuery(brandId, { ...view, page }));
  const noMatches = ({ search, status }: CertificatesView) => ({
    text:
      search === ''
        ? t('certificates.no_matches.filter', { filter: t(`certificates.filter.${status}`) })
        : t('certificates.no_matches.description', { search }),
    action: (
      <div className="flex flex-wrap justify-center gap-2">
        {search !== '' && <Button onClick={() => onClear('search')}>{t('certificates.no_matches.clear')}</Button>}
        {status !== 'all' && <Button onClick={() => onClear('filter')}>{t('certificates.no_matches.clear_filter')}</Button>}
      </div>
    ),
  });
  return (
    <DataTable
      label={t('certificates.table')}
      columns={rows.length > 0 && rows.every(({ variants }) => variants === undefined) ? specifiedColumns : certificateColumns}
      rows={rows}
      found={(number) => t('certificates.found', { number })}
      rowId={rowId}
      onRowClick={onOpen}
      isMainList
      rowClassName={rowClasses}
      isLoading={list === undefined}
      isFetching={isOutdated}
      query={query}
      pageSizes={VARIANT_PAGE_SIZES}
      pagination={serverPagination(view, list, onChange, prefetch)}
      sorting={serverSorting<CertificateColumn>(view.ordering, onChange)}
      hint={list && noMatches(list.view)}
    />
  );
}
