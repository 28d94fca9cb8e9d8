import clsx from 'clsx';
import type { ParseKeys } from 'i18next';
import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { type Column, type ColumnSort, cellClasses, type ServerSorting } from './data-table-model.ts';

const sortIcons = { asc: ArrowUp, desc: ArrowDown, none: ArrowUpDown };
const ariaSort = { asc: 'ascending', desc: 'descending', none: 'none' } as const;

/** Translated column header. Columns are created once, outside of components, and cannot call `t` themselves. */
export function ColumnLabel({ text }: { text: ParseKeys }) {
  const { t } = useTranslation();
  return t(text);
}

interface DataTableHeaderProps<Row> {
  columns: readonly Column<Row>[];
  sorting: ServerSorting | undefined;
  /** Sticks to the top of the window, `--list-top` below it. On a phone only its controls are visible. */
  isSticky: boolean;
}

export function DataTableHeader<Row>({ columns, sorting, isSticky }: DataTableHeaderProps<Row>) {
  return (
    <thead
      className={clsx(
        isSticky &&
          'max-md:block md:tall:sticky md:tall:top-(--list-top,0px) md:tall:z-22 md:tall:[&_th]:shadow-[inset_0_-1px_var(--color-border)]',
      )}
    >
      <tr
        className={clsx(
          'h-9 border-b bg-background text-left text-caption text-text-secondary',
          isSticky &&
            'max-md:flex max-md:min-h-11 max-md:items-center max-md:not-has-[button,input]:sr-only max-md:[&>th:not(:has(button,input))]:sr-only max-md:[&>th]:min-w-0!',
        )}
      >
        {columns.map((column) => (
          <HeaderCell key={column.id} column={column} sorting={column.sortable ? sorting : undefined} />
        ))}
      </tr>
    </thead>
  );
}

interface HeaderCellProps<Row> {
  column: Column<Row>;
  sorting: ServerSorting | undefined;
}

function HeaderCell<Row>({ column, sorting }: HeaderCellProps<Row>) {
  const { id, header, sticky, isControl, hiddenHeader } = column;
  if (isControl) return <td className={cellClasses(column)}>{header}</td>;
  const sort = sorting?.sort;
  const direction = sort?.id !== id ? 'none' : sort.desc ? 'desc' : 'asc';
  const Icon = sortIcons[direction];
  return (
    <th
      scope="col"
      aria-sort={sorting && ariaSort[direction]}
      className={clsx('whitespace-nowrap px-4 font-medium', sticky && 'bg-background', cellClasses(column))}
    >
      {sorting ? (
        <button
          type="button"
          onClick={() => sorting.onChange(nextSort(sorting.sort, id))}
          className="-mx-2 inline-flex h-7 items-center gap-1 rounded-md px-2 text-left font-medium transition-colors focus-visible:-outline-offset-2 hover:bg-surface-hover hover:text-text max-md:h-11"
        >
          {header}
          <Icon className={clsx('size-3.5 shrink-0', direction === 'none' ? 'text-text-tertiary' : 'text-primary')} />
        </button>
      ) : hiddenHeader ? (
        <span className="sr-only">{header}</span>
      ) : (
        header
      )}
    </th>
  );
}

/** The sort after a click on a column's header: ascending, then descending, then the server's default order. */
function nextSort(current: ColumnSort | null, id: string): ColumnSort | null {
  if (current?.id !== id) return { id, desc: false };
  return current.desc ? null : { id, desc: true };
}
