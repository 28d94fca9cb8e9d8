import clsx from 'clsx';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { useMoveFocusOnUnmount } from '../../ui/use-move-focus-on-unmount.ts';

interface ScrollRegionProps {
  label: string;
  className?: string;
  children: ReactNode;
}

/** A scrolling part of a dialog. It must be focusable, to be scrolled by keyboard. */
export function ScrollRegion({ label, className, children }: ScrollRegionProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users could not scroll it otherwise
    <section aria-label={label} tabIndex={0} className={clsx('overflow-y-auto', className)}>
      {children}
    </section>
  );
}

/** For the ref of a message, which may appear below the visible part of the dialog on a small screen. */
export function bringIntoView(message: HTMLElement | null): void {
  message?.scrollIntoView({ block: 'nearest' });
}

/** Disappears with its message when it is pressed: the section around it gets the focus. */
export function RetryButton({ onRetry, className }: { onRetry: () => void; className?: string }) {
  const { t } = useTranslation();
  const ref = useMoveFocusOnUnmount('section');
  return (
    <Button ref={ref} size="dense" onClick={onRetry} className={className}>
      {t('ui.retry')}
    </Button>
  );
}
