import { fullName } from '@brand-portal/contract/people';
import { type Deletion, RESTORABLE_DAYS, restoreDeletion } from '@brand-portal/contract/variant-actions';
import { useQuery } from '@tanstack/react-query';
import { Undo2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { errorMessage } from '../../lib/api-error.ts';
import { useFormat } from '../../lib/format.ts';
import { Card } from '../../ui/card.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { ExplainedButton } from '../../ui/explained-button.tsx';
import { useDeniedReason } from '../brands/brands-queries.ts';
import { deletionsQuery } from './variant-actions-queries.ts';
import { useRestore } from './variant-deletion.exported.tsx';

/** What was deleted lately, to be restored. Nothing where nothing was. */
export function DeletedVariants({ brandId }: { brandId: number }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(deletionsQuery(brandId));
  if (error && !data) {
    return (
      <Card>
        <ErrorState
          title={t('deletion.list_error')}
          description={errorMessage(error, t)}
          onRetry={() => void refetch()}
        />
      </Card>
    );
  }
  return data?.count ? <Deletions brandId={brandId} deletions={data.results} count={data.count} /> : null;
}

interface DeletionsProps {
  brandId: number;
  deletions: readonly Deletion[];
  /** How many there are, of which the newest are listed. */
  count: number;
}

function Deletions({ brandId, deletions, count }: DeletionsProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const denied = useDeniedReason(brandId)(restoreDeletion);
  const { restore, restoring } = useRestore(brandId);
  const more = count - deletions.length;
  return (
    <section aria-labelledby="deleted-variants">
      <Card>
        <h2 id="deleted-variants" className="font-semibold">
          {t('deletion.list')}
        </h2>
        <p className="mb-2 text-small text-text-secondary">{t('deletion.list_hint', { days: RESTORABLE_DAYS })}</p>
        <ul className="divide-y">
          {deletions.map((deletion) => (
            <li key={deletion.id} className="flex min-h-14 flex-wrap items-center gap-x-4 gap-y-1 py-2">
              <p className="min-w-0 flex-1 basis-56">
                <span className="block font-medium">
                  {t('deletion.variants', { count: deletion.variants, number: format.number(deletion.variants) })}
                </span>
                <Names deletion={deletion} />
                <span className="block break-words text-small text-text-secondary">
                  {format.time(deletion.created_at)} · {nameOf(deletion) ?? t('deletion.nobody')}
                </span>
              </p>
              {deletion.restored_at ? (
                <span className="text-small text-text-secondary">
                  {t('deletion.restored_at', { time: format.time(deletion.restored_at) })}
                </span>
              ) : (
                deletion.restorable && (
                  <ExplainedButton
                    size="dense"
                    icon={<Undo2 aria-hidden="true" className="size-4" />}
                    busy={restoring === deletion.id}
                    busyLabel={t('deletion.restoring')}
                    focusableWhileBusy
                    disabled={restoring !== undefined && restoring !== deletion.id}
                    hint={denied}
                    onClick={() => restore(deletion.id)}
                  >
                    {t('deletion.restore')}
                  </ExplainedButton>
                )
              )}
            </li>
          ))}
        </ul>
        {more > 0 && (
          <p className="mt-2 text-small text-text-secondary">
            {t('deletion.more', { count: more, number: format.number(more) })}
          </p>
        )}
      </Card>
    </section>
  );
}

/** Which ones: the first of them, and how many more. */
function Names({ deletion: { first_variants: first = [], variants } }: { deletion: Deletion }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (first.length === 0) return null;
  const names = first.map(({ name, gtin }) => t('deletion.named', { name, gtin })).join(', ');
  const more = variants - first.length;
  return (
    <span className="wrap-anywhere block text-small">
      {more > 0 ? t('deletion.names_and_more', { names, count: more, number: format.number(more) }) : names}
    </span>
  );
}

function nameOf({ deleted_by }: Deletion): string | undefined {
  return deleted_by ? fullName(deleted_by) || deleted_by.email : undefined;
}
