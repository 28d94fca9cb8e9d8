import clsx from 'clsx';
import { useTranslation } from 'react-i18next';
import { LoadingHeading } from './spinner.tsx';

/** Placeholder in the shape of the content. It takes its space at once, but is visible only after 150 ms. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={clsx('block animate-skeleton rounded-md bg-background-secondary dark:bg-surface-hover', className)}
    />
  );
}

/** What most pages have in common: a title, a search field and a table. */
export function PageSkeleton() {
  const { t } = useTranslation();
  return (
    <div className="flex animate-late flex-col gap-4">
      <LoadingHeading label={t('ui.loading')} />
      <div>
        <Skeleton className="my-1 h-5 w-56" />
        <Skeleton className="mt-2.5 mb-0.5 h-4 w-80 max-w-full" />
      </div>
      <Skeleton className="control-height w-full rounded-control" />
      <TableSkeleton />
    </div>
  );
}

/** For a table that is not there yet. */
export function TableSkeleton() {
  return <div className="h-120 animate-late rounded-card border bg-surface" />;
}
