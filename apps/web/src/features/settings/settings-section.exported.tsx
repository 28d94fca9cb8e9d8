import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../ui/card.tsx';
import { QueryError } from '../../ui/query-error.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

interface SettingsSectionProps<Data> {
  title: string;
  /** Undefined while loading. */
  data: Data | undefined;
  error: Error | null;
  errorTitle: string;
  onRetry: () => void;
  status?: ReactNode;
  children: (data: Data) => ReactNode;
}

export function SettingsSection<Data>(props: SettingsSectionProps<Data>) {
  const { title, data, error, errorTitle, onRetry, status, children } = props;
  const { t } = useTranslation();
  const id = useId();
  return (
    <Card>
      <section
        aria-labelledby={id}
        aria-busy={data === undefined && !error}
        // Takes the focus of a button that disappears.
        tabIndex={-1}
        className="min-h-36 outline-none"
      >
        <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-1.5">
          <h2 id={id} className="font-semibold text-heading">
            {title}
          </h2>
          {status}
        </div>
        {data !== undefined ? (
          children(data)
        ) : error ? (
          <QueryError title={errorTitle} error={error} refetch={onRetry} />
        ) : (
          <div className="flex flex-col gap-2.5">
            <span className="sr-only">{t('ui.loading')}</span>
            <Skeleton className="h-4 w-2/3" />
            <Skeleton className="h-4 w-1/2" />
            <Skeleton className="h-4 w-1/3" />
          </div>
        )}
      </section>
    </Card>
  );
}
