import type { ImportForMember } from '@brand-portal/contract/import';
import type { ImportErrorGroup } from '@brand-portal/contract/import-corrections';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { errorMessage } from '../../lib/api-error.ts';
import { useFormat } from '../../lib/format.ts';
import { Alert } from '../../ui/alert.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Corrections } from './corrections.tsx';
import { correctionsQuery, FIRST_PAGE } from './corrections-queries.ts';
import { RetryButton } from './dialog-parts.tsx';
import { errorGroupsQuery } from './imports-queries.ts';
import { RejectedRows } from './partial-result.tsx';

/** The errors of the rejected rows by kind, with two ways to correct them: here, or in a spreadsheet. */
export function ImportErrors({ brandId, receipt }: { brandId: number; receipt: ImportForMember }) {
  const { t } = useTranslation();
  const { data: groups, error, refetch } = useQuery(errorGroupsQuery(brandId, receipt.id));
  const { data: rows } = useQuery(correctionsQuery(brandId, receipt.id, FIRST_PAGE));
  if (rows?.count === 0) return <p className="text-small text-text-secondary">{t('imports.errors.deleted')}</p>;
  return (
    <>
      {groups ? (
        groups.length > 0 && (
          <ul className="divide-y rounded-control border">
            {groups.map((group) => (
              <li key={`${group.code} ${group.field}`}>
                <ErrorGroup group={group} />
              </li>
            ))}
          </ul>
        )
      ) : error ? (
        <Alert tone="error">
          <p className="font-medium">{t('imports.errors.failed')}</p>
          <p>{errorMessage(error, t)}</p>
          <RetryButton onRetry={() => void refetch()} className="mt-2" />
        </Alert>
      ) : (
        <Skeleton className="h-11 w-full" />
      )}
      <Corrections brandId={brandId} receipt={receipt} />
      <RejectedRows brandId={brandId} importId={receipt.id} fileName={receipt.file_name} />
    </>
  );
}

function ErrorGroup({ group: { title, field, count, rows } }: { group: ImportErrorGroup }) {
  const { t } = useTranslation();
  const format = useFormat();
  const more = count - rows.length;
  return (
    <details className="text-small">
      <summary className="min-h-11 cursor-pointer px-3 py-2.5 hover:bg-surface-hover">
        <span className="font-medium">{t('imports.errors.group', { number: format.number(count), title })}</span>
        {field && <span className="ml-2 text-text-secondary">{t('import.partial.field', { field })}</span>}
      </summary>
      <ul className="flex flex-col gap-1 px-3 pb-3">
        {rows.map(({ row, message }, index) => (
          // A row can have the same error twice.
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
          <li key={index} className="break-words">
            {t('import.partial.row', { row, message })}
          </li>
        ))}
        {more > 0 && <li className="text-text-secondary">{t('imports.errors.more', { count: more, number: format.number(more) })}</li>}
      </ul>
    </details>
  );
}
