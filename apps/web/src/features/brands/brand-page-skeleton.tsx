import { useTranslation } from 'react-i18next';
import { Skeleton } from '../../ui/skeleton.tsx';
import { LoadingHeading } from '../../ui/spinner.tsx';

/** What the pages of a brand have in common: a title, a search and a table. */
export function BrandPageSkeleton() {
  const { t } = useTranslation();
  return (
    <div className="flex animate-late flex-col gap-4">
      <LoadingHeading label={t('ui.loading')} />
      <div>
        <Skeleton className="my-1 h-5 w-56" />
        <Skeleton className="mt-2.5 mb-0.5 h-4 w-80 max-w-full" />
      </div>
      <Skeleton className="control-height w-full rounded-control" />
      <div className="h-120 rounded-card border bg-surface" />
    </div>
  );
}
