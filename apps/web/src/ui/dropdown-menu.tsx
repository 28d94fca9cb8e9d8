import { Slot } from 'radix-ui';
import { type KeyboardEvent, type PointerEvent, type ReactElement, type ReactNode, useId, useRef } from 'react';
import { lazyFrom } from '../lib/lazy.ts';
import { loadFloating, useOpener } from './use-opener.ts';

interface DropdownMenuProps {
  /** A single button. */
  trigger: ReactElement;
  children: ReactNode;
  align?: 'start' | 'end';
}

export function DropdownMenu({ trigger, children, align = 'end' }: DropdownMenuProps) {
  const { isOpen, setOpen, parts, buttonProps, contentProps } = useOpener('menu');
  const isByKey = useRef(false);
  const id = useId();
  const press = (event: PointerEvent | KeyboardEvent, open: boolean) => {
    isByKey.current = event.type === 'keydown';
    // Otherwise the button would take the focus from the menu, and a key would also click it.
    if (open || isByKey.current) event.preventDefault();
    setOpen(open);
  };
  return (
    <>
      <Slot.Root
        {...buttonProps}
        id={id}
        onPointerDown={(event: PointerEvent) => {
          if (event.button === 0 && !event.ctrlKey) press(event, !isOpen);
        }}
        onKeyDown={(event: KeyboardEvent) => {
          if (event.key === 'Enter' || event.key === ' ') press(event, !isOpen);
          else if (event.key === 'ArrowDown') press(event, true);
        }}
      >
        {trigger}
      </Slot.Root>
      {parts && (
        <parts.MenuContent {...contentProps} labelledBy={id} align={align} isByKey={isByKey}>
          {children}
        </parts.MenuContent>
      )}
    </>
  );
}

export const DropdownMenuItem = lazyFrom(loadFloating, 'MenuItem');
export const DropdownMenuSeparator = lazyFrom(loadFloating, 'MenuSeparator');
