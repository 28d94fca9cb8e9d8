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
  const toggle = (event: PointerEvent | KeyboardEvent) => {
    isByKey.current = event.type === 'keydown';
    // Otherwise the button takes the focus from the menu, and a key would also press it.
    if (!isOpen || isByKey.current) event.preventDefault();
    setOpen(!isOpen);
  };
  return (
    <>
      <Slot.Root
        {...buttonProps}
        id={useId()}
        onPointerDown={(event: PointerEvent) => {
          if (event.button === 0 && !event.ctrlKey) toggle(event);
        }}
        onKeyDown={(event: KeyboardEvent) => {
          if (event.key === 'Enter' || event.key === ' ' || (event.key === 'ArrowDown' && !isOpen)) toggle(event);
        }}
      >
        {trigger}
      </Slot.Root>
      {parts && (
        <parts.MenuContent {...contentProps} align={align} isByKey={isByKey}>
          {children}
        </parts.MenuContent>
      )}
    </>
  );
}

export const DropdownMenuItem = lazyFrom(loadFloating, 'MenuItem');
export const DropdownMenuSeparator = lazyFrom(loadFloating, 'MenuSeparator');
