import clsx from 'clsx';
import { X } from 'lucide-react';
import { Dialog as RadixDialog, DropdownMenu as RadixMenu, Popover as RadixPopover, Tooltip as RadixTooltip } from 'radix-ui';
import { type ComponentProps, type FocusEvent, type ReactNode, type Ref, type RefObject, useImperativeHandle, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';
import { PortalContainer, usePortalContainer } from './portal-container.ts';

/** What opens at a button, a field or a text. Its code is loaded apart from that of the page (`use-opener.ts`). */
interface FloatingProps {
  /** Rendered by the page. */
  trigger: RefObject<HTMLElement | null>;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Stands in the place of Radix's own trigger, for the one that is on the page already: Radix needs it for place and focus. */
function TriggerOnPage({ trigger, ref }: { trigger: FloatingProps['trigger']; ref?: Ref<HTMLElement> }) {
  useImperativeHandle(ref, () => trigger.current as HTMLElement, [trigger]);
  return null;
}

interface MenuContentProps extends FloatingProps {
  id: string;
  labelledBy: string;
  align: 'start' | 'end';
  /** Opened by a key: the first item gets the focus. */
  isByKey: RefObject<boolean>;
  children: ReactNode;
}

export function MenuContent(props: MenuContentProps) {
  const { trigger, open, onOpenChange, id, labelledBy, align, isByKey, children } = props;
  const focusFirstItem = ({ target, currentTarget }: FocusEvent) => {
    if (target !== currentTarget || !isByKey.current) return;
    isByKey.current = false;
    // Radix does it only if the menu was rendered before the key was pressed.
    currentTarget.querySelector<HTMLElement>('[role="menuitem"]:not([data-disabled])')?.focus({ preventScroll: true });
  };
  return (
    // A modal menu would hide the page from screen readers, but not from the keyboard, and lock scrolling.
    <RadixMenu.Root modal={false} open={open} onOpenChange={onOpenChange}>
      <RadixMenu.Trigger asChild>
        <TriggerOnPage trigger={trigger} />
      </RadixMenu.Trigger>
      <RadixMenu.Portal container={usePortalContainer()}>
        <RadixMenu.Content
          id={id}
          aria-labelledby={labelledBy}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          onFocus={focusFirstItem}
          className="z-50 min-w-44 animate-appear rounded-control border bg-surface p-1 shadow-float"
        >
          {children}
        </RadixMenu.Content>
      </RadixMenu.Portal>
    </RadixMenu.Root>
  );
}

interface MenuItemProps extends ComponentProps<typeof RadixMenu.Item> {
  icon?: ReactNode;
  tone?: 'regular' | 'danger';
  /** Disables the item and is shown below it. The item stays focusable, so that screen readers can read the reason. */
  disabledReason?: string | undefined;
  /** Shown below the item, which stays enabled. */
  hint?: string | undefined;
}

export function MenuItem(props: MenuItemProps) {
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
        <span className={faded}>{children}</span> <span className="text-caption text-text-secondary">{disabledReason ?? hint}</span>
      </span>
    </RadixMenu.Item>
  );
}

export function MenuSeparator() {
  return <RadixMenu.Separator className="-mx-1 my-1 h-px bg-border" />;
}

type PopoverContentProps = FloatingProps & ComponentProps<typeof RadixPopover.Content>;

export function PopoverContent({ trigger, open, onOpenChange, className, ...content }: PopoverContentProps) {
  return (
    <RadixPopover.Root open={open} onOpenChange={onOpenChange}>
      <RadixPopover.Trigger asChild>
        <TriggerOnPage trigger={trigger} />
      </RadixPopover.Trigger>
      <RadixPopover.Portal container={usePortalContainer()}>
        <RadixPopover.Content
          collisionPadding={8}
          {...content}
          className={clsx('z-50 animate-appear rounded-control border bg-surface shadow-float', className)}
        />
      </RadixPopover.Portal>
    </RadixPopover.Root>
  );
}

interface TooltipContentProps extends Omit<FloatingProps, 'open'> {
  id: string;
  side: 'top' | 'right' | 'bottom' | 'left';
  children: ReactNode;
}

export function TooltipContent({ trigger, onOpenChange, id, side, children }: TooltipContentProps) {
  return (
    <RadixTooltip.Provider>
      <RadixTooltip.Root open onOpenChange={onOpenChange}>
        <RadixTooltip.Trigger asChild>
          <TriggerOnPage trigger={trigger} />
        </RadixTooltip.Trigger>
        <RadixTooltip.Portal container={usePortalContainer()}>
          <RadixTooltip.Content
            id={id}
            side={side}
            sideOffset={6}
            collisionPadding={8}
            className="z-50 max-w-72 wrap-anywhere animate-fade-in text-pretty rounded-control bg-text px-2.5 py-1.5 text-background text-caption shadow-float"
          >
            {children}
          </RadixTooltip.Content>
        </RadixTooltip.Portal>
      </RadixTooltip.Root>
    </RadixTooltip.Provider>
  );
}

interface DrawerProps extends FloatingProps {
  id: string;
  title: string;
  children: ReactNode;
}

/** A panel at the left edge of a phone. */
export function Drawer({ trigger, open, onOpenChange, id, title, children }: DrawerProps) {
  const { t } = useTranslation();
  const [content, setContent] = useState<HTMLElement | null>(null);
  return (
    <RadixDialog.Root open={open} onOpenChange={onOpenChange}>
      <RadixDialog.Trigger asChild>
        <TriggerOnPage trigger={trigger} />
      </RadixDialog.Trigger>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="fixed inset-0 z-40 bg-veil data-[state=closed]:animate-fade-out data-[state=open]:animate-fade-in" />
        <RadixDialog.Content
          ref={setContent}
          id={id}
          aria-describedby={undefined}
          className="fixed inset-y-0 left-0 z-40 flex w-72 max-w-[calc(100vw-3rem)] flex-col gap-3 overflow-y-auto border-r bg-surface px-3 py-3 shadow-float outline-none data-[state=closed]:animate-fade-out data-[state=open]:animate-fade-in"
        >
          <RadixDialog.Title className="sr-only">{title}</RadixDialog.Title>
          <RadixDialog.Close asChild>
            <Button variant="ghost" size="icon" aria-label={t('ui.close')} icon={<X className="size-5" />} className="self-end" />
          </RadixDialog.Close>
          {/* Outside, a menu of the drawer would be hidden from screen readers, like the page. */}
          <PortalContainer value={content}>{children}</PortalContainer>
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}
