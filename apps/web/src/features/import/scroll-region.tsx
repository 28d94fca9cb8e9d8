import clsx from 'clsx';
import type { ReactNode } from 'react';

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
