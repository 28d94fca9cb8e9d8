import clsx from 'clsx';
import { DropdownMenu as RadixMenu } from 'radix-ui';
import type { ComponentProps, ReactElement, ReactNode } from 'react';

interface DropdownMenuProps {
  /** One button. */
  trigger: ReactElement;
  children: ReactNode;
  align?: 'start' | 'end';
}

export function DropdownMenu({ trigger, children, align = 'end' }: DropdownMenuProps) {
  return (
    <RadixMenu.Root>
      <RadixMenu.Trigger asChild>{trigger}</RadixMenu.Trigger>
      <RadixMenu.Portal>
        <RadixMenu.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className="z-50 min-w-44 animate-appear rounded-control border bg-surface p-1 shadow-float"
        >
          {children}
        </RadixMenu.Content>
      </RadixMenu.Portal>
    </RadixMenu.Root>
  );
}

interface DropdownMenuItemProps extends ComponentProps<typeof RadixMenu.Item> {
  icon?: ReactNode;
  tone?: 'regular' | 'danger';
}

export function DropdownMenuItem({ icon, tone = 'regular', className, children, ...rest }: DropdownMenuItemProps) {
  return (
    <RadixMenu.Item
      {...rest}
      className={clsx(
        'control-height-dense flex cursor-default select-none items-center gap-2 rounded-md px-2 text-small outline-none',
        'data-disabled:cursor-not-allowed data-highlighted:bg-surface-hover data-disabled:opacity-50',
        tone === 'danger' ? 'text-error' : 'text-text',
        className,
      )}
    >
      {icon}
      {children}
    </RadixMenu.Item>
  );
}

export function DropdownMenuSeparator() {
  return <RadixMenu.Separator className="-mx-1 my-1 h-px bg-border" />;
}
