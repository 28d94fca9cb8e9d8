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
  /** Classes for all cells of the column, including the header: its width. */
  className?: string;
  /** Classes for the cells below the header, such as the font. */
  cellClassName?: string;
  align?: 'start' | 'end';
  /** For the last column: it stays visible while the others scroll under it. */
  sticky?: boolean;
  /** For a column of checkboxes: its header is a checkbox too, not a column name. */
  isControl?: boolean;
  /** For columns without a visible header, such as row menus. */
  hiddenHeader?: boolean;
}

/** Classes for the cells of a column: header, rows and placeholders. */
export function cellClasses(meta: DataTableColumnMeta | undefined): string {
  return clsx(meta?.align === 'end' && 'text-right', meta?.sticky && 'sticky right-0 z-20', meta?.className);
}

/**
 * Cells below the header. A sticky cell needs the background colour of its row, and a z-index on focus so that the next
 * row does not cover its focus ring.
 */
export function bodyCellClasses(meta: DataTableColumnMeta | undefined): string {
  const background = meta?.sticky && 'bg-surface transition-colors focus-within:z-21 [tr:hover>&]:bg-surface-hover';
  return clsx(cellClasses(meta), background, meta?.cellClassName);
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

/** Define columns outside the component, or memoise them: a new array resets the table. */
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
  /** The pagination of the rows on screen, while those of another page are being fetched. */
  shown?: TablePagination;
  onChange: (next: PaginationState) => void;
  /** Hover or focus on the button of this page: prefetch it. */
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
  /** For server-side pagination: the rows are one page, and the caller fetches the others. */
  pagination?: ServerPagination;
  /** For server-side sorting; null is the server's default order. */
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
    // Refreshed rows must not reset the table to the first page.
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

/** Pagination of a list that the server pages. `view`: what was requested. `list`: the last answer, maybe to another request. */
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
    // By default the table keeps the first visible row in view; here another page size starts at page 1.
    onChange: (next) =>
      onChange(next.pageSize === pageSize ? { page: next.pageIndex + 1 } : { pageSize: next.pageSize }, {
        // From a page past the end the table goes to the last page by itself. That is not a step of history: Back would
        // lead past the end again.
        replace: page > pageCount,
      }),
    ...(onIntent && { onIntent: (pageIndex) => onIntent(pageIndex + 1) }),
  };
}

/** Sorting of a list that the server sorts: `name` or `-name`; empty is the server's default order. */
export function serverSorting<Column extends string>(
  ordering: Column | `-${Column}` | '',
  onChange: (change: { ordering: Column | `-${Column}` | '' }) => void,
): ServerSorting {
  return {
    sort: ordering === '' ? null : { id: ordering.replace(/^-/, ''), desc: ordering.startsWith('-') },
    onChange: (sort) => {
      const column = sort?.id as Column;
      onChange({ ordering: sort === null ? '' : sort.desc ? `-${column}` : column });
    },
  };
}

export function clampPageIndex(pageIndex: number, pageCount: number): number {
  return Math.max(0, Math.min(pageIndex, pageCount - 1));
}

/** If rows disappear, the requested page can be past the end: reports the last page, which the table shows instead. */
export function useReportClampedPage(pagination: ServerPagination | undefined, settled: boolean): void {
  const lastIndex = pagination ? clampPageIndex(pagination.pageIndex, pagination.pageCount) : 0;
  const report = useEffectEvent(() => pagination?.onChange({ pageIndex: lastIndex, pageSize: pagination.pageSize }));
  const outOfRange = settled && pagination !== undefined && pagination.pageIndex !== lastIndex;
  useEffect(() => {
    if (outOfRange) report();
  }, [outOfRange]);
}
