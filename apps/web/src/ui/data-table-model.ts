import { DEFAULT_PAGE_SIZE } from '@brand-portal/contract/constants';
import {
  type ColumnSort,
  createColumnHelper,
  createPaginatedRowModel,
  createSortedRowModel,
  functionalUpdate,
  metaHelper,
  type PaginationState,
  type ReactTable,
  type RowData,
  rowPaginationFeature,
  rowSortingFeature,
  type SortingState,
  sortFn_alphanumeric,
  sortFn_text,
  type TableOptions,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import clsx from 'clsx';
import { useEffect, useEffectEvent, useState } from 'react';

interface DataTableColumnMeta {
  /** Classes for every cell of the column, header included: its width. */
  className?: string;
  /** Classes for the cells below the header: their typeface. */
  cellClassName?: string;
  align?: 'start' | 'end';
  /** For the last column: it stays in sight while the others scroll away under it. */
  sticky?: boolean;
  /** For a column of boxes: its header is one as well, and no name of a column. */
  isControl?: boolean;
  /** For columns whose header shows nothing, such as row menus. */
  hiddenHeader?: boolean;
}

/** How the cells of a column look, in the header, in rows and in their placeholders. */
export function cellClasses(meta: DataTableColumnMeta | undefined): string {
  return clsx(meta?.align === 'end' && 'text-right', meta?.sticky && 'sticky right-0 z-20', meta?.className);
}

/** Below the header; what is sticky needs a ground of its own, that of its row, and room for a focus ring above the next one. */
export function bodyCellClasses(meta: DataTableColumnMeta | undefined): string {
  const ground = meta?.sticky && 'bg-surface transition-colors focus-within:z-21 [tr:hover>&]:bg-surface-hover';
  return clsx(cellClasses(meta), ground, meta?.cellClassName);
}

const features = tableFeatures({
  columnMeta: metaHelper<DataTableColumnMeta>(),
  rowPaginationFeature,
  rowSortingFeature,
  paginatedRowModel: createPaginatedRowModel(),
  sortedRowModel: createSortedRowModel(),
  sortFns: { alphanumeric: sortFn_alphanumeric, text: sortFn_text },
});

type Features = typeof features;

export type DataTableModel<Row extends RowData> = ReactTable<Features, Row>;
export type DataTableColumns<Row extends RowData> = TableOptions<Features, Row>['columns'];

/** Keep the columns outside the component, or memoised: a new list is a new table. */
export function dataTableColumnHelper<Row extends RowData>() {
  return createColumnHelper<Features, Row>();
}

export interface TablePagination {
  pageIndex: number;
  pageSize: number;
  pageCount: number;
  totalCount: number;
}

export interface ServerPagination extends TablePagination {
  /** Of the rows that are shown, where those that were asked for are still on their way. */
  shown?: TablePagination;
  onChange: (next: PaginationState) => void;
  /** The pointer or the focus is on the button that leads there: time to fetch that page. */
  onIntent?: (pageIndex: number) => void;
}

export interface ServerSorting {
  sort: ColumnSort | null;
  onChange: (next: ColumnSort | null) => void;
}

export interface DataTableModelOptions<Row extends RowData> {
  columns: DataTableColumns<Row>;
  rows: readonly Row[];
  rowId: (row: Row) => string;
  initialPageSize?: number;
  /** Given when the rows are one page that the owner fetched; changes are reported to the owner. */
  pagination?: ServerPagination;
  /** Given when the owner sorts; null is the owner's own order. */
  sorting?: ServerSorting;
}

export function useDataTableModel<Row extends RowData>(options: DataTableModelOptions<Row>): DataTableModel<Row> {
  const { columns, rows, rowId, initialPageSize = DEFAULT_PAGE_SIZE, pagination: server, sorting: owner } = options;
  const [ownPagination, setOwnPagination] = useState<PaginationState>({ pageIndex: 0, pageSize: initialPageSize });
  const [ownSorting, setOwnSorting] = useState<SortingState>([]);

  const { pageIndex, pageSize } = server ?? ownPagination;
  const pageCount = server ? server.pageCount : Math.ceil(rows.length / pageSize);
  const pagination = { pageIndex: clampPageIndex(pageIndex, pageCount), pageSize };
  const sorting = owner ? (owner.sort ? [owner.sort] : []) : ownSorting;

  return useTable<Features, Row>({
    features,
    columns,
    data: rows,
    getRowId: rowId,
    state: { pagination, sorting },
    manualPagination: server !== undefined,
    manualSorting: owner !== undefined,
    rowCount: server?.totalCount,
    pageCount,
    // Refreshed rows must not throw the reader back to the first page.
    autoResetPageIndex: false,
    enableMultiSort: false,
    sortDescFirst: false,
    onPaginationChange: (updater) => {
      const next = functionalUpdate(updater, pagination);
      if (server) server.onChange(next);
      else setOwnPagination(next);
    },
    onSortingChange: (updater) => {
      const next = functionalUpdate(updater, sorting);
      if (owner) {
        owner.onChange(next[0] ?? null);
      } else {
        setOwnSorting(next);
        setOwnPagination({ ...ownPagination, pageIndex: 0 });
      }
    },
  });
}

interface Paged {
  page: number;
  pageSize: number;
}

/** The pages of a list that the server answers: `view` is what was asked for, `list` what came last, maybe for another view. */
export function serverPagination(
  { page, pageSize }: Paged,
  list: { count: number; view: Paged } | undefined,
  onChange: (change: Partial<Paged>, options: { replace: boolean }) => void,
  onIntent?: (page: number) => void,
): ServerPagination {
  const totalCount = list?.count ?? 0;
  const pageCount = Math.ceil(totalCount / pageSize);
  const shownPages = Math.ceil(totalCount / (list?.view.pageSize ?? pageSize));
  return {
    ...{ pageIndex: page - 1, pageSize, pageCount, totalCount },
    ...(list && {
      shown: {
        pageIndex: clampPageIndex(list.view.page - 1, shownPages),
        ...{ pageSize: list.view.pageSize, pageCount: shownPages, totalCount },
      },
    }),
    // The table would keep the first visible row in view; here another size begins at the first page.
    onChange: (next) =>
      onChange(next.pageSize === pageSize ? { page: next.pageIndex + 1 } : { pageSize: next.pageSize }, {
        // From past the end the table itself goes to the last page; nobody wants to go back there.
        replace: page > pageCount,
      }),
    ...(onIntent && { onIntent: (pageIndex) => onIntent(pageIndex + 1) }),
  };
}

export function clampPageIndex(pageIndex: number, pageCount: number): number {
  return Math.max(0, Math.min(pageIndex, pageCount - 1));
}

/** The owner's index can fall behind the last page when rows disappear; it is told where the last page now is. */
export function useReportClampedPage(pagination: ServerPagination | undefined, settled: boolean): void {
  const lastIndex = pagination ? clampPageIndex(pagination.pageIndex, pagination.pageCount) : 0;
  const report = useEffectEvent(() => pagination?.onChange({ pageIndex: lastIndex, pageSize: pagination.pageSize }));
  const outOfRange = settled && pagination !== undefined && pagination.pageIndex !== lastIndex;
  useEffect(() => {
    if (outOfRange) report();
  }, [outOfRange]);
}
