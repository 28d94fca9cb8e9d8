import clsx from 'clsx';
import { X } from 'lucide-react';
import { Dialog as RadixDialog } from 'radix-ui';
import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';
import { focusFirstInvalid } from './field.tsx';
import { PortalContainer } from './portal-container.ts';

export interface DialogWindowProps {
  open: boolean;
  /** Without it the dialog has no close button: it ends by one of its actions. */
  onOpenChange?: (open: boolean) => void;
  title: string;
  description?: string;
  children?: ReactNode;
  /** The actions; with `onConfirm`, Enter triggers the submit button. */
  footer?: ReactNode;
  onConfirm?: () => void;
  /** Why the server refused: the field that it is about gets the focus. */
  error?: Error | null;
  /** `side`: a panel at the edge of the window, full screen on a phone. Its children have their own padding. */
  size?: 'regular' | 'wide' | 'side';
  /** Buttons beside the close button. */
  tools?: ReactNode;
  onKeyDown?: (event: KeyboardEvent<HTMLElement>) => void;
  /** The element to focus on close, if it is not the one that had the focus before. */
  findOpener?: () => HTMLElement | null;
  /** Cannot be closed, neither by Escape nor by a click outside: something is running that closing would not stop. Nor does Back leave the page. */
  isLocked?: boolean;
  /** Whether a click outside does nothing; asked at each click. Escape and the close button still close the dialog. */
  ignoresClickOutside?: () => boolean;
  /** Closed only by its buttons, not by Escape or a click outside: what it shows cannot be shown again. Asks before another page. */
  isPinned?: boolean;
  /** Above toasts, menus and tooltips of the page, too. */
  isOnTop?: boolean;
}

/** The elements to return the focus to, by dialog element. */
const openersOf = new WeakMap<Element, readonly HTMLElement[]>();

/**
 * The elements to return the focus to, best first: the focused element (or the button of the focused menu), then the
 * openers of the dialog around it. That dialog may close when this one opens, or together with it.
 */
function currentOpeners(): readonly HTMLElement[] {
  const focused = document.activeElement;
  const menuButton = focused?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  const opener = menuButton ? document.getElementById(menuButton) : focused;
  if (!(opener instanceof HTMLElement) || opener === document.body) return [];
  const dialog = opener.closest('[role="dialog"]');
  return [opener, ...((dialog && openersOf.get(dialog)) ?? [])];
}

/**
 * Focuses the first opener that is still in the document, else the page's main content. If another dialog is open, only
 * something in it: the opener, or the dialog itself unless it has the focus already.
 */
function returnFocus(openers: readonly (HTMLElement | null | undefined)[]): void {
  const opener = openers.find((element) => element?.isConnected && !element.closest('[role="dialog"][data-state="closed"]'));
  const next = [...document.querySelectorAll<HTMLElement>('[role="dialog"][data-state="open"]')].at(-1);
  if (!next || (opener && next.contains(opener))) (opener ?? document.querySelector('main'))?.focus();
  else if (!next.contains(document.activeElement)) next.focus();
}

/** Number of open dialogs. */
let locks = 0;

/**
 * Keeps the page behind a dialog from scrolling. Radix's overlay does this with a CSS variable on the body, which every
 * element inherits: the browser recomputes all styles of the page, a third of the time that a dialog takes to open.
 */
function useScrollLock(open: boolean): void {
  useLayoutEffect(() => {
    if (!open) return;
    const { style } = document.body;
    if (locks++ === 0) {
      // Padding in place of the scroll bar, so that the layout does not shift.
      style.paddingRight = `${window.innerWidth - document.documentElement.clientWidth}px`;
      style.overflow = 'hidden';
    }
    return () => {
      if (--locks === 0) Object.assign(style, { paddingRight: '', overflow: '' });
    };
  }, [open]);
}

export function DialogWindow(props: DialogWindowProps) {
  const { open, onOpenChange, title, description, children, footer, onConfirm, size = 'regular', isLocked } = props;
  const { tools, onKeyDown, findOpener, ignoresClickOutside, isPinned, isOnTop, error } = props;
  const isSide = size === 'side';
  const { t } = useTranslation();
  useScrollLock(open);
  // Radix returns the focus only to its own trigger, and these dialogs are opened by state. The openers are read during
  // render: in an effect it would be too late, because a dialog that this one replaces is unmounted by then, with the
  // focus.
  const [openers, setOpeners] = useState<readonly HTMLElement[]>([]);
  const [wasOpen, setWasOpen] = useState(false);
  if (open !== wasOpen) {
    setWasOpen(open);
    if (open) setOpeners(currentOpeners());
  }
  const [content, setContent] = useState<HTMLElement | null>(null);
  const formRef = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (error) focusFirstInvalid(formRef.current);
  }, [error]);
  const body = isSide ? (
    children
  ) : (
    <>
      {children && <div className="scroll-hairline min-h-0 overflow-y-auto px-5 pb-5">{children}</div>}
      {footer && <footer className="flex flex-wrap-reverse gap-2 border-t px-5 py-3.5 max-sm:*:flex-1 sm:justify-end">{footer}</footer>}
    </>
  );
  const confirm = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    // Rendered synchronously, so that the invalid fields are marked: the first of them gets the focus.
    flushSync(() => onConfirm?.());
    focusFirstInvalid(form);
  };
  return (
    <RadixDialog.Root open={open} onOpenChange={onOpenChange}>
      <RadixDialog.Portal>
        <div
          data-state={open ? 'open' : 'closed'}
          className={clsx(
            'pointer-events-auto fixed inset-0 touch-none bg-veil data-[state=closed]:animate-fade-out data-[state=open]:animate-fade-in',
            isOnTop ? 'z-60' : 'z-40',
          )}
        />
        <RadixDialog.Content
          ref={setContent}
          {...(description ? {} : { 'aria-describedby': undefined })}
          onKeyDown={onKeyDown}
          onEscapeKeyDown={(event) => isPinned && event.preventDefault()}
          onInteractOutside={(event) => isPinned && event.preventDefault()}
          onPointerDownOutside={(event) => ignoresClickOutside?.() && event.preventDefault()}
          onOpenAutoFocus={(event) => {
            openersOf.set(event.currentTarget as HTMLElement, openers);
            // A side panel focuses itself, not its first control: users read it from the top.
            if (!isSide) return;
            event.preventDefault();
            (event.currentTarget as HTMLElement).focus();
          }}
          onCloseAutoFocus={(event) => {
            if (findOpener) event.preventDefault();
            returnFocus([findOpener?.(), ...openers]);
          }}
          className={clsx(
            'fixed flex flex-col border bg-surface shadow-float focus:outline-none',
            isOnTop ? 'z-60' : 'z-40',
            'data-[state=closed]:animate-fade-out data-[state=open]:animate-fade-in',
            // Centred by margins: a transform by half the height can end between two pixels and blur the text.
            isSide
              ? 'inset-y-0 right-0 w-full border-y-0 border-r-0 max-md:border-l-0 md:max-w-xl'
              : 'inset-4 m-auto h-fit max-h-[calc(100dvh-2rem)] rounded-card',
            // A dialog that grows from step to step keeps its title in place.
            size === 'wide' && 'max-w-2xl md:mt-[4dvh] md:max-h-[calc(96dvh-2rem)]',
            size === 'regular' && 'max-w-md',
          )}
        >
          <div className={clsx('px-5 pt-5 pb-4', tools ? 'pr-34' : 'pr-14')}>
            <RadixDialog.Title className="wrap-anywhere text-balance font-semibold text-heading">{title}</RadixDialog.Title>
            {description && (
              <RadixDialog.Description className="mt-1 text-pretty text-text-secondary">{description}</RadixDialog.Description>
            )}
          </div>
          <PortalContainer value={content}>
            {onConfirm ? (
              <form ref={formRef} noValidate onSubmit={confirm} className="flex min-h-0 flex-col">
                {body}
              </form>
            ) : (
              body
            )}
          </PortalContainer>
          {tools && <div className="absolute top-3.5 right-13 flex gap-0.5">{tools}</div>}
          {/* Last in DOM order, so that the dialog's first control gets the focus on open. */}
          {onOpenChange && (
            <RadixDialog.Close asChild>
              <Button
                variant="ghost"
                size="icon-dense"
                aria-label={t('ui.close')}
                disabled={isLocked}
                icon={<X className="size-4" />}
                className="absolute top-3.5 right-3.5"
              />
            </RadixDialog.Close>
          )}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}
