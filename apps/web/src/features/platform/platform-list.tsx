import type { UseQueryResult } from '@tanstack/react-query';
import { CircleCheck, Info } from 'lucide-react';
import type { ReactNode } from 'react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { errorMessage } from '../../lib/api-error.ts';
import { useFormat } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { QueryError } from '../../ui/query-error.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { toast } from '../../ui/toast-store.ts';
import { useMoveFocusOnUnmount } from '../../ui/use-move-focus-on-unmount.ts';

interface PlatformListProps<Answer, Row> {
  title: string;
  empty: string;
  /** An empty list is not good news: no success icon. */
  isEmptyNeutral?: boolean;
  query: Pick<UseQueryResult<Answer>, 'data' | 'error' | 'refetch'>;
  rowsOf: (answer: Answer) => readonly Row[];
  /** The total, if there are more than are listed. */
  count?: number | undefined;
  isNewestFirst?: boolean;
  children: (row: Row) => ReactNode;
}

/** A list of problems, with its loading, error and empty states. */
export function PlatformList<Answer, Row>(props: PlatformListProps<Answer, Row>) {
  const { title, empty, isEmptyNeutral, query, rowsOf, count, isNewestFirst, children } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const id = useId();
  const { data, error, refetch } = query;
  const rows = data && rowsOf(data);
  return (
    <section aria-labelledby={id} className="overflow-clip rounded-card border bg-surface">
      <h2 id={id} className="border-b px-4 py-3 font-semibold">
        {title}
      </h2>
      {rows ? (
        rows.length > 0 ? (
          <ul aria-labelledby={id} className="divide-y">
            {rows.map(children)}
          </ul>
        ) : (
          <p className="flex items-center gap-2 px-4 py-4 text-text-secondary">
            {isEmptyNeutral ? <Info className="size-4 shrink-0" /> : <CircleCheck className="size-4 shrink-0 text-success" />}
            {empty}
          </p>
        )
      ) : error ? (
        <QueryError title={t('platform.error')} error={error} refetch={refetch} />
      ) : (
        <Card>
          <div aria-busy="true" className="flex flex-col gap-5">
            <span className="sr-only">{t('ui.loading')}</span>
            {['w-2/3', 'w-1/2', 'w-3/5'].map((width) => (
              <Skeleton key={width} className={`h-5 ${width}`} />
            ))}
          </div>
        </Card>
      )}
      {rows && count !== undefined && count > rows.length && (
        <p className="border-t px-4 py-2 text-small text-text-secondary">
          {t(isNewestFirst ? 'platform.newest' : 'platform.oldest', {
            shown: format.number(rows.length),
            number: format.number(count),
          })}
        </p>
      )}
    </section>
  );
}

interface PlatformRowProps {
  /** What it is about. */
  name: string;
  lines: readonly string[];
  actions?: ReactNode;
}

export function PlatformRow({ name, lines, actions }: PlatformRowProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2.5">
      <div className="min-w-0 flex-1 basis-60">
        <p className="wrap-anywhere font-medium">{name}</p>
        {lines.filter(Boolean).map((line) => (
          <p key={line} className="wrap-anywhere text-small text-text-secondary">
            {line}
          </p>
        ))}
      </div>
      {actions && <div className="flex gap-2">{actions}</div>}
    </li>
  );
}

interface RetryRowButtonProps {
  /** Name of the row, for screen readers. */
  name: string;
  isPending: boolean;
  onRetry: () => void;
}

export function RetryRowButton({ name, isPending, onRetry }: RetryRowButtonProps) {
  const { t } = useTranslation();
  // The row is gone when its retry has succeeded.
  const ref = useMoveFocusOnUnmount('main');
  return (
    <Button
      ref={ref}
      size="dense"
      busy={isPending}
      busyLabel={t('platform.working')}
      aria-label={t('platform.retry_label', { name })}
      onClick={onRetry}
    >
      {t('platform.retry')}
    </Button>
  );
}

/** Callbacks of a mutation that show its result as a toast. */
export function useResultToast() {
  const { t } = useTranslation();
  return (title: string) => ({
    onSuccess: () => void toast({ variant: 'success', title }),
    onError: (error: unknown) => void toast({ variant: 'error', title: t('platform.failed'), description: errorMessage(error, t) }),
  });
}
