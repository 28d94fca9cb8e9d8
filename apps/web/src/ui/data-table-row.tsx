import clsx from 'clsx';
import { type KeyboardEvent, type MouseEvent, memo } from 'react';
import { TabStop } from './data-table-keys.ts';
import { bodyCellClasses, type Column } from './data-table-model.ts';

interface DataTableRowProps<Row> {
  id: string;
  row: Row;
  columns: readonly Column<Row>[];
  onClick?: (row: Row) => void;
  /** The row is one tab stop; arrow keys move inside it. */
  hasArrowKeys?: boolean;
  className?: string;
}

const ROW_CONTROLS = 'a, button, input, select, textarea, label, [role="menuitem"], [role="option"]';

/** A click on a control inside the row, or in a menu that it opened in a portal, is not a click on the row. */
function isControlClick(event: MouseEvent<HTMLElement>): boolean {
  const target = event.target;
  if (!(target instanceof Element) || !event.currentTarget.contains(target)) return true;
  return target.closest(ROW_CONTROLS) !== null;
}

/** The click ends a text selection inside the row. */
function isSelecting(row: HTMLElement): boolean {
  const selection = window.getSelection();
  return selection !== null && !selection.isCollapsed && row.contains(selection.anchorNode);
}

/** Memoised: typing in a search above the table does not render the rows again. */
export const DataTableRow = memo(PlainRow) as typeof PlainRow;

function PlainRow<Row>(props: DataTableRowProps<Row>) {
  const { id, row, columns, onClick, hasArrowKeys = false, className } = props;
  const interaction = onClick && {
    onClick: (event: MouseEvent<HTMLElement>) => {
      if (!isControlClick(event) && !isSelecting(event.currentTarget)) onClick(row);
    },
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      if (event.target !== event.currentTarget || (event.key !== 'Enter' && event.key !== ' ')) return;
      event.preventDefault();
      const box = event.currentTarget.querySelector('input[type="checkbox"]');
      // Space selects the row where rows can be selected. As a click, because Shift selects a range.
      if (event.key === ' ' && box) box.dispatchEvent(new MouseEvent('click', { bubbles: true, shiftKey: event.shiftKey }));
      else onClick(row);
    },
  };
  return (
    <tr
      {...interaction}
      data-row={id}
      data-opens={onClick && ''}
      tabIndex={onClick || hasArrowKeys ? 0 : undefined}
      className={clsx(
        'focus-visible:-outline-offset-2 h-11 border-t transition-colors first:border-t-0 hover:bg-surface-hover',
        'has-[[type=checkbox]:checked]:bg-primary-bg/60',
        onClick && 'cursor-pointer',
        hasArrowKeys && 'clear-of-sticky',
        className,
      )}
    >
      <TabStop value={hasArrowKeys ? -1 : 0}>
        {columns.map((column) => (
          <td key={column.id} className={clsx('px-4 py-1.5 tabular-nums', bodyCellClasses(column))}>
            {column.cell(row)}
          </td>
        ))}
      </TabStop>
    </tr>
  );
}
