import { DEFAULT_PAGE_SIZE } from '@brand-portal/contract/constants';
import clsx from 'clsx';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';

export interface Column<Row> {
  id: string;
  header: ReactNode;
  cell: (row: Row) => ReactNode;
  /** The header is a button, if the table has `sorting`. */
  sortable?: boolean;
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

type CellStyle = Pick<Column<never>, 'align' | 'sticky' | 'className' | 'cellClassName'>;

/** Classes for the cells of a column: header, rows and placeholders. */
export function cellClasses({ align, sticky, className }: CellStyle): string {
  return clsx(align === 'end' && 'text-right', sticky && 'sticky right-0 z-20', className);
}

/**
 * Cells below the header. A sticky cell needs the background colour of its row, and a z-index on focus so that the next
 * row does not cover its focus ring.
 */
export function bodyCellClasses(column: CellStyle): string {
  const background = column.sticky && 'bg-surface transition-colors focus-within:z-21 [tr:hover>&]:bg-surface-hover';
  return clsx(cellClasses(column), background, column.cellClassName);
}

interface PageChoice {
  pageIndex: number;
  pageSize: number;
}

export interface TablePagination extends PageChoice {
  pageCount: number;
  totalCount: number;
}

export interface ServerPagination extends TablePagination {
  /** The pagination of the rows on screen, while those of another page are being fetched. */
  shown?: TablePagination;
  onChange: (next: PageChoice) => void;
  /** Hover or focus on the button of this page: prefetch it. */
  onIntent?: (pageIndex: number) => void;
}

interface ColumnSort {
  id: string;
  desc: boolean;
}

export interface ServerSorting {
  /** Null is the server's default order. */
  sort: ColumnSort | null;
  onChange: (next: ColumnSort | null) => void;
}

/** The sort after a click on a column's header: ascending, then descending, then the server's default order. */
export function nextSort(current: ColumnSort | null, id: string): ColumnSort | null {
  if (current?.id !== id) return { id, desc: false };
  return current.desc ? null : { id, desc: true };
}

/** The rows of the page and its pagination: the server's, or without one our own over all rows. */
export function usePage<Row>(
  allRows: readonly Row[],
  server: ServerPagination | undefined,
  initialPageSize = DEFAULT_PAGE_SIZE,
): { rows: readonly Row[]; pagination: ServerPagination } {
  const [own, setOwn] = useState<PageChoice>({ pageIndex: 0, pageSize: initialPageSize });
  if (server) {
    return { rows: allRows, pagination: { ...server, pageIndex: clampPageIndex(server.pageIndex, server.pageCount) } };
  }
  const { pageSize } = own;
  const pageCount = Math.ceil(allRows.length / pageSize);
  const pageIndex = clampPageIndex(own.pageIndex, pageCount);
  return {
    rows: allRows.slice(pageIndex * pageSize, (pageIndex + 1) * pageSize),
    pagination: { pageIndex, pageSize, pageCount, totalCount: allRows.length, onChange: setOwn },
  };
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
    // The table keeps the first visible row in view; here another page size starts at page 1.
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
