/**
 * Takes the focus if nothing has it, as after the button that was pressed is gone or disabled. Whoever has moved on
 * meanwhile is left alone.
 */
export function focusWhenLost(element: HTMLElement | null): void {
  const { activeElement } = document;
  if (activeElement === null || activeElement === document.body) element?.focus();
}
