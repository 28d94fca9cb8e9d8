import clsx from 'clsx';
import { SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../lib/format.ts';
import { Button } from './button.tsx';
import { DataTableHeader } from './data-table-header.tsx';
import { moveByKeys } from './data-table-keys.ts';
import { bodyCellClasses, type Column, type ServerPagination, type ServerSorting, usePage } from './data-table-model.ts';
import { DataTablePagination } from './data-table-pagination.tsx';
import { DataTableRow } from './data-table-row.tsx';
import { EmptyState } from './empty-state.tsx';
import { Skeleton } from './skeleton.tsx';
import { useMoveFocusOnUnmount } from './use-move-focus-on-unmount.ts';

/** The part of TanStack Query's result that shows whether a refetch failed. */
export interface RefreshedQuery {
  isRefetchError: boolean;
  isFetching: boolean;
  refetch: () => unknown;
}

interface DataTableProps<Row> {
  /** Accessible name of the table. */
  label: string;
  /** Define columns outside the component, or memoise them: new ones render all rows again. */
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowId: (row: Row) => string;
  /** For server-side pagination: the rows are one page, and the caller fetches the others. */
  pagination?: ServerPagination;
  /** For server-side sorting. */
  sorting?: ServerSorting;
  onRowClick?: (row: Row) => void;
  /**
   * For a table that is the page's main content: header and footer are sticky, a row is one tab stop, and on a phone
   * rows are cards, laid out by `rowClassName`. Only for tables that fit the width: it does not scroll horizontally.
   */
  isMainList?: boolean;
  /** For all rows, including placeholders: their height. */
  rowClassName?: string;
  /** Page sizes to choose from; without them there is no selector. */
  pageSizes?: readonly number[];
  /** No data yet. */
  isLoading?: boolean;
  /** Placeholders while loading. Fewer for lists that are mostly short: what is below would jump up. */
  loadingRows?: number;
  /** The rows are the previous ones while others are fetched. */
  isFetching?: boolean;
  /** The query of the rows. If a refetch fails, the rows stay and the footer shows the failure. */
  query?: RefreshedQuery;
  /** How many rows there are, for screen readers: announced with the page when either changes. By default the footer is. */
  found?: (total: string) => string;
  /** Between the rows and the pagination; may be sticky. */
  bar?: ReactNode;
  /** Replaces the pagination by page numbers if the rows have no total. All rows are shown. */
  footer?: ReactNode;
  /** Below 'No data available': the reason and an action. */
  hint?: { text: string; action: ReactNode };
}

export function DataTable<Row>(props: DataTableProps<Row>) {
  const {
    label,
    columns,
    rowId,
    sorting,
    onRowClick,
    isMainList = false,
    rowClassName,
    pageSizes,
    isLoading = false,
    loadingRows = 10,
    isFetching = false,
    query,
    found,
    bar,
    footer,
    hint,
  } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const { rows, pagination } = usePage(props.rows, props.pagination, {
    isPaged: footer === undefined,
    isSettled: !isLoading && !isFetching,
  });
  const { pageIndex, pageSize, pageCount, totalCount, shown = pagination, onChange, onIntent } = pagination;
  const page =
    shown.pageCount > 1 ? [t('ui.table.page', { page: format.number(shown.pageIndex + 1), pages: format.number(shown.pageCount) })] : [];
  // A page past the end has no rows although there are some: the last page is being fetched.
  const isWaiting = isLoading || (rows.length === 0 && totalCount > 0);

  return (
    // `clip`, not `hidden`: `hidden` would make it a scroll container and break sticky elements inside.
    <div className={clsx('rounded-card border bg-surface', isMainList ? 'overflow-clip' : 'overflow-hidden')}>
      <section
        aria-label={label}
        // A region that scrolls horizontally must be focusable. One that does not must accept the focus from code, when
        // the focused row is removed.
        tabIndex={isMainList ? -1 : 0}
        className={clsx(
          'focus-visible:-outline-offset-2 @container',
          !isMainList && 'overflow-x-auto',
          // Without rows only the header could scroll, so no scroll shadow.
          !isMainList && (isWaiting || rows.length > 0) && 'scroll-shade',
        )}
      >
        <table
          aria-label={label}
          aria-busy={isWaiting || isFetching}
          className={clsx('w-full border-collapse text-small', isMainList && 'max-md:block')}
        >
          <DataTableHeader columns={columns} sorting={sorting} isSticky={isMainList} />
          <tbody
            onKeyDown={isMainList ? moveByKeys : undefined}
            className={clsx('transition-opacity', isFetching && !isLoading && 'opacity-55', isMainList && 'max-md:block')}
          >
            {isWaiting ? (
              <LoadingRows rows={Math.min(pageSize, loadingRows)} columns={columns} className={rowClassName} />
            ) : rows.length === 0 ? (
              <tr className={clsx(isMainList && 'max-md:block')}>
                <td className={clsx(isMainList && 'max-md:block')} colSpan={columns.length}>
                  {/* As wide as the visible part of the table, not as the table: stays centred on a phone. */}
                  <div className="sticky left-0 w-[100cqw] text-center">
                    {hint ? (
                      <EmptyState icon={SearchX} title={t('ui.table.no_data')} description={hint.text} action={hint.action} />
                    ) : (
                      <p className="px-4 py-10 text-text-secondary">{t('ui.table.no_data')}</p>
                    )}
                  </div>
                </td>
              </tr>
            ) : (
              rows.map((row) => (
                <DataTableRow
                  key={rowId(row)}
                  id={rowId(row)}
                  row={row}
                  columns={columns}
                  onClick={onRowClick}
                  hasArrowKeys={isMainList}
                  className={rowClassName}
                />
              ))
            )}
          </tbody>
        </table>
      </section>
      <p role="status" className="sr-only">
        {isLoading ? t('ui.loading') : found && [found(format.number(totalCount)), ...page].join('. ')}
      </p>
      {bar}
      {footer ??
        ((isLoading || totalCount > 0) && (
          <DataTablePagination
            pageIndex={pageIndex}
            pageSize={pageSize}
            pageCount={pageCount}
            totalCount={totalCount}
            shown={shown}
            pageSizes={pageSizes}
            isLoading={isLoading}
            isLive={!found}
            notice={query?.isRefetchError && <RefreshFailed query={query} />}
            isSticky={isMainList}
            onChange={onChange}
            onIntent={onIntent}
          />
        ))}
    </div>
  );
}

function RefreshFailed({ query }: { query: RefreshedQuery }) {
  const { t } = useTranslation();
  const buttonRef = useMoveFocusOnUnmount('main');
  return (
    // Negative margin, so that the button does not make the footer taller.
    <span role="status" className="-my-2 flex items-center gap-1 text-warning">
      {t('shell.refresh_failed')}
      <Button ref={buttonRef} variant="ghost" size="dense" busy={query.isFetching} onClick={() => void query.refetch()}>
        {t('ui.retry')}
      </Button>
    </span>
  );
}

interface LoadingRowsProps<Row> {
  rows: number;
  columns: readonly Column<Row>[];
  className?: string;
}

/** Placeholders with the size of the rows, to avoid a layout shift. */
function LoadingRows<Row>({ rows, columns, className }: LoadingRowsProps<Row>) {
  return Array.from({ length: rows }, (_row, rowIndex) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity and keep their order
    <tr key={rowIndex} className={clsx('h-11 border-t first:border-t-0', className)}>
      {columns.map((column, columnIndex) => (
        <td key={column.id} className={clsx('px-4', bodyCellClasses(column))}>
          {!column.hiddenHeader && !column.isControl && (
            <Skeleton className={clsx('h-3.5', (rowIndex + columnIndex) % 3 === 0 ? 'w-2/5' : 'w-3/5')} />
          )}
        </td>
      ))}
    </tr>
  ));
}
