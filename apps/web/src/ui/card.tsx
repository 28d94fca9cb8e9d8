import clsx from 'clsx';
import type { ComponentProps } from 'react';

export function Card({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={clsx('rounded-card border bg-surface p-5', className)} />;
}

interface DetailListProps {
  label: string;
  details: readonly { label: string; value: string }[];
}

/** Labels and values; empty values are left out. */
export function DetailList({ label, details }: DetailListProps) {
  return (
    <dl
      aria-label={label}
      className="mt-5 grid gap-x-4 gap-y-3 rounded-control bg-background-secondary p-4 dark:bg-surface-hover text-small sm:grid-cols-[auto_1fr]"
    >
      {details
        .filter(({ value }) => value !== '')
        .map((detail) => (
          <div key={detail.label} className="sm:col-span-2 sm:grid sm:grid-cols-subgrid">
            <dt className="text-text-secondary">{detail.label}</dt>
            <dd className="wrap-anywhere min-w-0 font-medium">{detail.value}</dd>
          </div>
        ))}
    </dl>
  );
}
