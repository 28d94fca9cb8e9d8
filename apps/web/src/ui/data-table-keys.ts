import { createContext, type KeyboardEvent, useContext } from 'react';

/** The tabIndex of a control that may be inside a row. There the row is the tab stop, and arrow keys move to its controls. */
export const TabStop = createContext<0 | -1>(0);
export const useTabStop = () => useContext(TabStop);

const CONTROLS = 'a[href], button:not(:disabled), input:not(:disabled), [tabindex]';

const controlsOf = (row: Element) =>
  [...row.querySelectorAll<HTMLElement>(CONTROLS)].filter((control) => control.checkVisibility?.() ?? true);

/** Key handler for the table's body: Up, Down, Home and End move between rows, Left and Right between the controls of a row. */
export function moveByKeys(event: KeyboardEvent<HTMLElement>): void {
  const body = event.currentTarget;
  const target = event.target;
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (!(target instanceof HTMLElement) || !body.contains(target) || target.matches('input:not([type="checkbox"])')) return;
  const row = target.closest('tr');
  if (!row) return;
  const next = nextFocus(event.key, body, row, target);
  if (!next) return;
  event.preventDefault();
  next.focus();
}

function nextFocus(key: string, body: Element, row: HTMLElement, target: HTMLElement): HTMLElement | undefined {
  const rows = [...body.querySelectorAll<HTMLElement>('tr[tabindex]')];
  const controls = controlsOf(row);
  const column = controls.indexOf(target);
  const inColumn = (other: HTMLElement | undefined) => other && (controlsOf(other)[column] ?? other);
  switch (key) {
    case 'ArrowDown':
      return inColumn(rows[rows.indexOf(row) + 1]);
    case 'ArrowUp':
      return inColumn(rows[rows.indexOf(row) - 1]);
    case 'Home':
      return rows[0];
    case 'End':
      return rows.at(-1);
    case 'ArrowRight':
      return controls[column + 1];
    case 'ArrowLeft':
      return column > 0 ? controls[column - 1] : column === 0 ? row : undefined;
    default:
      return undefined;
  }
}
