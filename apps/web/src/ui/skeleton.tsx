import clsx from 'clsx';

/** The shape of what comes; seen only when that takes longer than 150 ms, its place kept from the start. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={clsx('block animate-skeleton rounded-md bg-background-secondary dark:bg-surface-hover', className)}
    />
  );
}
