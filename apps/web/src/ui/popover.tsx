import { Popover as RadixPopover } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';
import { usePortalContainer } from './portal-container.ts';

interface PopoverProps {
  /** A single button. */
  trigger: ReactElement;
  label: string;
  children: ReactNode;
  side?: 'top' | 'right' | 'bottom' | 'left';
}

/** For details that need no answer. Unlike a tooltip, it can be opened by touch. */
export function Popover({ trigger, label, children, side = 'bottom' }: PopoverProps) {
  return (
    <RadixPopover.Root>
      <RadixPopover.Trigger asChild>{trigger}</RadixPopover.Trigger>
      <RadixPopover.Portal container={usePortalContainer()}>
        <RadixPopover.Content
          aria-label={label}
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="z-50 max-w-72 animate-appear rounded-control border bg-surface p-3 shadow-float outline-none"
        >
          {children}
        </RadixPopover.Content>
      </RadixPopover.Portal>
    </RadixPopover.Root>
  );
}
