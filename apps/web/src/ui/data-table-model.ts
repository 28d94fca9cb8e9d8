import { DEFAULT_PAGE_SIZE } from '@brand-portal/contract/constants';
import clsx from 'clsx';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';

export interface Column<Row, Id extends string = string> {
  /** With `sortable`: the name by which the server sorts. */
  id: Id;
  header: ReactNode;
  cell: (row: Row) => ReactNode;
  /** The header is a button, if the table has `sorting`. */
  sortable?: boolean;
  /** Classes for all cells of the column, including the header: its width. */
  className?: string;
  /** Classes for the cells below the header, such as the font. */
  cellClassName?: string;
  align?: 'end';
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

export interface PageChoice {
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

export interface ColumnSort {
  id: string;
  desc: boolean;
}

export interface ServerSorting {
  /** Null is the server's default order. */
  sort: ColumnSort | null;
  onChange: (next: ColumnSort | null) => void;
}

/** The rows of the page and its pagination: the server's, or without one our own over all rows, if they are paged. */
export function usePage<Row>(
  allRows: readonly Row[],
  server: ServerPagination | undefined,
  { isPaged, isSettled }: { isPaged: boolean; isSettled: boolean },
): { rows: readonly Row[]; pagination: ServerPagination } {
  const [own, setOwn] = useState<PageChoice>({ pageIndex: 0, pageSize: DEFAULT_PAGE_SIZE });
  const requested = server ?? { ...withCounts(own, allRows.length), onChange: setOwn };
  const { pageSize } = requested;
  // If rows disappear, the requested page can be past the end: the table shows the last page instead, and reports it.
  const pageIndex = clampPageIndex(requested.pageIndex, requested.pageCount);
  const report = useEffectEvent(() => requested.onChange({ pageIndex, pageSize }));
  const isPastEnd = isSettled && requested.pageIndex !== pageIndex;
  useEffect(() => {
    if (isPastEnd) report();
  }, [isPastEnd]);
  return {
    rows: server || !isPaged ? allRows : allRows.slice(pageIndex * pageSize, (pageIndex + 1) * pageSize),
    pagination: { ...requested, pageIndex },
  };
}

function withCounts({ pageIndex, pageSize }: PageChoice, totalCount: number): TablePagination {
  return { pageIndex, pageSize, pageCount: Math.ceil(totalCount / pageSize), totalCount };
}

export function clampPageIndex(pageIndex: number, pageCount: number): number {
  return Math.max(0, Math.min(pageIndex, pageCount - 1));
}

interface Paged {
  page: number;
  pageSize: number;
}

/** Pagination of a list that the server pages. `view`: what was requested. `list`: the last answer, maybe to another request. */
export function serverPagination(
  view: Paged,
  list: { count: number; view: Paged } | undefined,
  onChange: (change: Partial<Paged>, options: { replace: boolean }) => void,
  onIntent?: (page: number) => void,
): ServerPagination {
  const count = list?.count ?? 0;
  const pages = ({ page, pageSize }: Paged) => withCounts({ pageIndex: page - 1, pageSize }, count);
  const requested = pages(view);
  const shown = list && pages(list.view);
  return {
    ...requested,
    shown: shown && { ...shown, pageIndex: clampPageIndex(shown.pageIndex, shown.pageCount) },
    onChange: ({ pageIndex, pageSize }) =>
      onChange(pageSize === view.pageSize ? { page: pageIndex + 1 } : { page: pageIndex + 1, pageSize }, {
        // From a page past the end the table goes to the last page by itself. That is not a step of history: Back would
        // lead past the end again.
        replace: view.page > requested.pageCount,
      }),
    onIntent: onIntent && ((pageIndex) => onIntent(pageIndex + 1)),
  };
}

/** Sorting of a list that the server sorts: `name` or `-name`; empty is the server's default order. */
export function serverSorting<Name extends string>(
  ordering: Name | `-${Name}` | '',
  onChange: (change: { ordering: Name | `-${Name}` | '' }) => void,
): ServerSorting {
  return {
    sort: ordering === '' ? null : { id: ordering.replace(/^-/, ''), desc: ordering.startsWith('-') },
    onChange: (sort) => {
      const name = sort?.id as Name;
      onChange({ ordering: sort === null ? '' : sort.desc ? `-${name}` : name });
    },
  };
}
