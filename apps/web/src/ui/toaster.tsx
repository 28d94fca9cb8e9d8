import { TOAST_DURATION_MS, TOAST_HOTKEY, TOAST_SWIPE_THRESHOLD_PX } from '@brand-portal/contract/constants';
import clsx from 'clsx';
import { CircleCheck, CircleX, Info, type LucideIcon, TriangleAlert, X } from 'lucide-react';
import { Toast as RadixToast } from 'radix-ui';
import { type FocusEvent, type RefObject, useEffect, useRef, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useFormat } from '../lib/format.ts';
import { ProgressBar } from './progress-bar.tsx';
import { dismissToast, getToasts, subscribeToToasts, type Toast, type ToastVariant } from './toast-store.ts';

const variants: Record<ToastVariant, { icon: LucideIcon; tone: string }> = {
  default: { icon: Info, tone: 'text-text-secondary' },
  success: { icon: CircleCheck, tone: 'text-success' },
  error: { icon: CircleX, tone: 'text-error' },
  warning: { icon: TriangleAlert, tone: 'text-warning' },
};

/** Long names are truncated. Hover, a press or the focus, which also keep the toast open, show all of the text. */
const clamp = '[li:not(:hover,:focus-within)_&]:line-clamp-3';

const actionClasses = 'touch-area mt-1.5 inline-block rounded-sm font-medium text-primary text-small underline underline-offset-2';

export function Toaster() {
  const { t } = useTranslation();
  const toasts = useSyncExternalStore(subscribeToToasts, getToasts);
  const viewport = useRef<HTMLOListElement>(null);
  useStayAboveFooter(viewport, toasts);
  const onFocus = useReturnFocus(viewport, toasts);
  return (
    <RadixToast.Provider
      label={t('ui.toast.label')}
      duration={TOAST_DURATION_MS}
      swipeDirection="right"
      swipeThreshold={TOAST_SWIPE_THRESHOLD_PX}
    >
      {toasts.map((shown) => (
        <ToastItem key={shown.id} toast={shown} />
      ))}
      <RadixToast.Viewport
        hotkey={[TOAST_HOTKEY]}
        label={t('ui.toast.viewport', { hotkey: TOAST_HOTKEY })}
        ref={viewport}
        onFocus={onFocus}
        className="fixed right-0 bottom-(--above-footer,0px) z-45 flex w-full max-w-104 flex-col-reverse gap-2 rounded-card p-4 focus-visible:-outline-offset-4 sm:p-6"
      />
    </RadixToast.Provider>
  );
}

/**
 * Toasts must not cover the buttons of a list's footer, or of the bar above it: they are placed above both, or below if
 * they fit there, as at the end of a list.
 */
function useStayAboveFooter(viewport: RefObject<HTMLElement | null>, toasts: readonly Toast[]): void {
  useEffect(() => {
    if (toasts.length === 0) return;
    const place = () => {
      // A page may have several lists: only what is in the lower half of the window counts.
      const seen = [...document.querySelectorAll('[data-table-bar], [data-table-footer]')]
        .map((part) => part.getBoundingClientRect())
        .filter(({ top, bottom }) => top < window.innerHeight && bottom > window.innerHeight / 2);
      const below = window.innerHeight - Math.max(...seen.map(({ bottom }) => bottom));
      const fitsBelow = below > (viewport.current?.offsetHeight ?? 0);
      const above = fitsBelow ? 0 : window.innerHeight - Math.min(...seen.map(({ top }) => top));
      viewport.current?.style.setProperty('--above-footer', `${above}px`);
    };
    place();
    const events = ['scroll', 'resize'] as const;
    for (const event of events) window.addEventListener(event, place, { passive: true });
    return () => {
      for (const event of events) window.removeEventListener(event, place);
    };
  }, [viewport, toasts]);
}

/** If the list of toasts has the focus and is empty, the focus returns to where it was before. */
function useReturnFocus(viewport: RefObject<HTMLElement | null>, toasts: readonly Toast[]) {
  const before = useRef<HTMLElement | null>(null);
  const isEmpty = !toasts.some(({ open }) => open);
  const giveBack = () => {
    if (!isEmpty || document.activeElement !== viewport.current) return;
    const target = before.current?.isConnected ? before.current : document.querySelector('main');
    target?.focus();
  };
  useEffect(giveBack);
  return ({ currentTarget, relatedTarget }: FocusEvent) => {
    const isOutside = !currentTarget.contains(relatedTarget);
    if (isOutside) before.current = relatedTarget instanceof HTMLElement ? relatedTarget : null;
    giveBack();
  };
}

function ToastItem({ toast }: { toast: Toast }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { icon: Icon, tone } = variants[toast.variant];
  return (
    <RadixToast.Root
      open={toast.open}
      onOpenChange={(open) => {
        if (!open) dismissToast(toast.id);
      }}
      // Errors are announced immediately; other toasts wait until the screen reader pauses.
      type={toast.variant === 'error' ? 'foreground' : 'background'}
      duration={toast.isLasting ? Number.POSITIVE_INFINITY : toast.durationMs}
      data-variant={toast.variant}
      className={clsx(
        'flex items-start gap-3 rounded-card border bg-surface py-3 pr-2 pl-4 shadow-float',
        'data-[state=closed]:animate-fade-out data-[state=open]:animate-toast-in data-[swipe=end]:animate-swipe-out',
        'data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x) data-[swipe=cancel]:translate-x-0 data-[swipe=cancel]:transition-transform',
      )}
    >
      <span className={clsx('mt-1.5 grid size-4 shrink-0 place-items-center', tone)}>{toast.icon ?? <Icon className="size-4" />}</span>
      <div className="min-w-0 flex-1 py-1">
        {toast.title && (
          <RadixToast.Title className={clsx('text-balance wrap-anywhere font-medium', clamp)}>{toast.title}</RadixToast.Title>
        )}
        {toast.times !== undefined && (
          <RadixToast.Description className="font-medium text-small text-text-secondary">
            {t('ui.toast.times', { times: format.number(toast.times) })}
          </RadixToast.Description>
        )}
        {toast.description && (
          <RadixToast.Description className={clsx('mt-0.5 wrap-anywhere text-pretty text-small text-text-secondary', clamp)}>
            {toast.description}
          </RadixToast.Description>
        )}
        {toast.list && toast.list.length > 0 && (
          <RadixToast.Description asChild>
            <ul className="mt-0.5 flex max-h-60 list-disc flex-col gap-1 overflow-y-auto pl-4 text-pretty break-words text-small text-text-secondary">
              {toast.list.map((text) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
          </RadixToast.Description>
        )}
        {toast.progress !== undefined && (
          <ProgressBar label={toast.title ?? ''} percent={toast.progress ?? 100} isMeasured={toast.progress !== null} className="mt-2" />
        )}
        {toast.action && (
          <RadixToast.Action altText={toast.action.label} onClick={toast.action.onSelect} className={actionClasses}>
            {toast.action.label}
          </RadixToast.Action>
        )}
        {toast.link && (
          <RadixToast.Action asChild altText={toast.link.label}>
            <Link to={toast.link.to} className={actionClasses}>
              {toast.link.label}
            </Link>
          </RadixToast.Action>
        )}
      </div>
      <RadixToast.Close
        aria-label={t('ui.close')}
        className="grid size-7 shrink-0 place-items-center rounded-md text-text-tertiary transition-colors hover:bg-surface-hover hover:text-text max-md:-my-2 max-md:size-11"
      >
        <X className="size-4" />
      </RadixToast.Close>
    </RadixToast.Root>
  );
}
