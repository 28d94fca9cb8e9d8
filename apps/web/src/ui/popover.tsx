import { Popover as RadixPopover } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';
import { usePortalContainer } from './portal-container.ts';

interface PopoverProps {
  /** One button. */
  trigger: ReactElement;
  label: string;
  children: ReactNode;
  side?: 'top' | 'right' | 'bottom' | 'left';
}

/** For what is worth a look and needs no answer; unlike a tooltip, fingers reach it too. */
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
