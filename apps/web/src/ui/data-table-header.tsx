import { FlexRender, type RowData } from '@tanstack/react-table';
import clsx from 'clsx';
import type { ParseKeys } from 'i18next';
import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { cellClasses, type DataTableModel } from './data-table-model.ts';

const sortIcons = { asc: ArrowUp, desc: ArrowDown, none: ArrowUpDown };
const ariaSort = { asc: 'ascending', desc: 'descending', none: 'none' } as const;

type Header<Row extends RowData> = ReturnType<DataTableModel<Row>['getHeaderGroups']>[number]['headers'][number];

/** Translated column header. Columns are created once, outside of components, and cannot call `t` themselves. */
export function ColumnLabel({ text }: { text: ParseKeys }) {
  const { t } = useTranslation();
  return t(text);
}

interface DataTableHeaderProps<Row extends RowData> {
  table: DataTableModel<Row>;
  /** Sticks to the top of the window, `--list-top` below it. On a phone only its controls are visible. */
  isSticky?: boolean;
}

export function DataTableHeader<Row extends RowData>({ table, isSticky = false }: DataTableHeaderProps<Row>) {
  return (
    <thead
      className={clsx(
        isSticky &&
          'max-md:block md:tall:sticky md:tall:top-(--list-top,0px) md:tall:z-22 md:tall:[&_th]:shadow-[inset_0_-1px_var(--color-border)]',
      )}
    >
      {table.getHeaderGroups().map((group) => (
        <tr
          key={group.id}
          className={clsx(
            'h-9 border-b bg-background text-left text-caption text-text-secondary',
            isSticky &&
              'max-md:flex max-md:min-h-11 max-md:items-center max-md:not-has-[button,input]:sr-only max-md:[&>th:not(:has(button,input))]:sr-only max-md:[&>th]:min-w-0!',
          )}
        >
          {group.headers.map((header) => (
            <HeaderCell key={header.id} header={header} />
          ))}
        </tr>
      ))}
    </thead>
  );
}

function HeaderCell<Row extends RowData>({ header }: { header: Header<Row> }) {
  const { column } = header;
  const meta = column.columnDef.meta;
  const sortable = column.getCanSort() && column.columnDef.enableSorting === true;
  const direction = column.getIsSorted() || 'none';
  const Icon = sortIcons[direction];
  const content = <FlexRender header={header} />;
  if (meta?.isControl) return <td className={cellClasses(meta)}>{content}</td>;
  return (
    <th
      scope="col"
      aria-sort={sortable ? ariaSort[direction] : undefined}
      className={clsx('whitespace-nowrap px-4 font-medium', meta?.sticky && 'bg-background', cellClasses(meta))}
    >
      {sortable ? (
        <button
          type="button"
          onClick={column.getToggleSortingHandler()}
          className="-mx-2 inline-flex h-7 items-center gap-1 rounded-md px-2 text-left font-medium transition-colors focus-visible:-outline-offset-2 hover:bg-surface-hover hover:text-text max-md:h-11"
        >
          {content}
          <Icon className={clsx('size-3.5 shrink-0', direction === 'none' ? 'text-text-tertiary' : 'text-primary')} />
        </button>
      ) : meta?.hiddenHeader ? (
        <span className="sr-only">{content}</span>
      ) : (
        content
      )}
    </th>
  );
}
