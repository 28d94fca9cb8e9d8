import { Slot } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';
import { useOpener } from './use-opener.ts';

interface PopoverProps {
  /** A single button. */
  trigger: ReactElement;
  label: string;
  children: ReactNode | ((close: () => void) => ReactNode);
  side?: 'top' | 'right' | 'bottom' | 'left';
}

/** For details, and for small choices that close it. Unlike a tooltip, it can be opened by touch. */
export function Popover({ trigger, label, children, side = 'bottom' }: PopoverProps) {
  const { isOpen, setOpen, parts, buttonProps, contentProps } = useOpener('dialog');
  return (
    <>
      <Slot.Root {...buttonProps} onClick={() => setOpen(!isOpen)}>
        {trigger}
      </Slot.Root>
      {parts && (
        <parts.PopoverContent {...contentProps} aria-label={label} side={side} sideOffset={6} className="max-w-72 p-3 outline-none">
          {typeof children === 'function' ? children(() => setOpen(false)) : children}
        </parts.PopoverContent>
      )}
    </>
  );
}
