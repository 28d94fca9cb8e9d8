import clsx from 'clsx';
import type { ReactNode } from 'react';

interface ScrollRegionProps {
  label: string;
  className?: string;
  children: ReactNode;
}

/** Scrolls within the dialog: the keyboard must be able to stand on it. */
export function ScrollRegion({ label, className, children }: ScrollRegionProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard's only way to what is out of sight
    <section aria-label={label} tabIndex={0} className={clsx('overflow-y-auto', className)}>
      {children}
    </section>
  );
}

/** As the ref of a message: it may appear below what a small screen shows of the dialog. */
export function bringIntoView(message: HTMLElement | null): void {
  message?.scrollIntoView({ block: 'nearest' });
}
