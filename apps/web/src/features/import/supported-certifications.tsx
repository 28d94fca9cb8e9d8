import { useQuery } from '@tanstack/react-query';
import { ChevronRight } from 'lucide-react';
import { Collapsible } from 'radix-ui';
import { useTranslation } from 'react-i18next';
import { errorMessage } from '../../lib/api-error.ts';
import { useFormat } from '../../lib/format.ts';
import { Alert } from '../../ui/alert.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { catalogueQuery } from '../certificates/certificates-queries.ts';
import { RetryButton, ScrollRegion } from './dialog-parts.tsx';

/** Valid values of the column `certification_name`. Collapsed, because the list is long and few users need it. */
export function SupportedCertifications() {
  const { t } = useTranslation();
  const format = useFormat();
  const { data, error, refetch } = useQuery(catalogueQuery());
  const title = t('import.certifications.title');
  return (
    <Collapsible.Root className="rounded-control border">
      <Collapsible.Trigger className="control-height group flex w-full items-center gap-2 rounded-control px-3 text-left font-medium text-small transition-colors hover:bg-surface-hover">
        <ChevronRight className="size-4 shrink-0 text-text-tertiary transition-transform group-data-[state=open]:rotate-90" />
        <span className="min-w-0 truncate">{title}</span>{' '}
        {data && (
          <span className="ml-auto rounded-full bg-background-secondary px-2 font-medium text-caption text-text-secondary tabular-nums leading-5 dark:bg-surface-hover">
            {format.number(data.length)}
          </span>
        )}
      </Collapsible.Trigger>
      <Collapsible.Content className="border-t">
        {data ? (
          <ScrollRegion label={title} className="max-h-47 rounded-b-control px-3 py-2">
            <ul className="grid gap-x-4 gap-y-1 text-small text-text-secondary sm:grid-cols-2">
              {data.map(({ id, name }) => (
                <li key={id} className="min-w-0 break-words">
                  {name}
                </li>
              ))}
            </ul>
          </ScrollRegion>
        ) : error ? (
          <Alert tone="warning" className="m-3">
            <p className="font-medium">{t('import.certifications.failed')}</p>
            <p>{errorMessage(error, t)}</p>
            <RetryButton onRetry={() => void refetch()} className="mt-2" />
          </Alert>
        ) : (
          // As tall as the loaded list.
          <div className="grid h-47 content-start gap-2 overflow-hidden px-3 py-2.5 sm:grid-cols-2">
            {['w-40', 'w-32', 'w-28', 'w-44', 'w-36', 'w-24', 'w-42'].map((width) => (
              <Skeleton key={width} className={`h-4 ${width}`} />
            ))}
          </div>
        )}
      </Collapsible.Content>
    </Collapsible.Root>
  );
}
