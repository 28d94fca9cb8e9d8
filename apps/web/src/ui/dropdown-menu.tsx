import clsx from 'clsx';
import { DropdownMenu as RadixMenu } from 'radix-ui';
import type { ComponentProps, ReactElement, ReactNode } from 'react';
import { usePortalContainer } from './portal-container.ts';

interface DropdownMenuProps {
  /** A single button. */
  trigger: ReactElement;
  children: ReactNode;
  align?: 'start' | 'end';
}

export function DropdownMenu({ trigger, children, align = 'end' }: DropdownMenuProps) {
  return (
    // A modal menu would hide the page from screen readers, but not from the keyboard, and lock scrolling.
    <RadixMenu.Root modal={false}>
      <RadixMenu.Trigger asChild>{trigger}</RadixMenu.Trigger>
      <RadixMenu.Portal container={usePortalContainer()}>
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
  /** Disables the item and is shown below it. The item stays focusable, so that screen readers can read the reason. */
  disabledReason?: string | undefined;
  /** Shown below the item, which stays enabled. */
  hint?: string | undefined;
}

export function DropdownMenuItem(props: DropdownMenuItemProps) {
  const { icon, tone = 'regular', disabledReason, hint, className, children, onSelect, ...rest } = props;
  const look = clsx(
    'flex cursor-default select-none items-center gap-2 rounded-md px-2 text-small focus-visible:-outline-offset-2',
    'data-disabled:cursor-not-allowed data-highlighted:bg-surface-hover data-disabled:opacity-50',
    tone === 'danger' ? 'text-error' : 'text-text',
    className,
  );
  if (disabledReason === undefined && hint === undefined) {
    return (
      <RadixMenu.Item {...rest} onSelect={onSelect} className={clsx('control-height-dense', look)}>
        {/* With `asChild` the single child, such as a link, is the item. */}
        {rest.asChild ? (
          children
        ) : (
          <>
            {icon}
            {children}
          </>
        )}
      </RadixMenu.Item>
    );
  }
  const isDisabled = disabledReason !== undefined;
  const faded = isDisabled ? 'opacity-50' : undefined;
  return (
    <RadixMenu.Item
      {...rest}
      aria-disabled={isDisabled || undefined}
      onSelect={isDisabled ? (event) => event.preventDefault() : onSelect}
      className={clsx(isDisabled && 'cursor-not-allowed', 'py-1.5', look)}
    >
      {icon && <span className={faded}>{icon}</span>}
      <span className="flex flex-col">
        <span className={faded}>{children}</span>{' '}
        <span className="text-caption text-text-secondary">{disabledReason ?? hint}</span>
      </span>
    </RadixMenu.Item>
  );
}

export function DropdownMenuSeparator() {
  return <RadixMenu.Separator className="-mx-1 my-1 h-px bg-border" />;
}
