import { UNDO_TOAST_MS } from '@brand-portal/contract/constants';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorMessage } from '../../lib/api-error.ts';
import { useFormat } from '../../lib/format.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toast-store.ts';
import {
  matchingNow,
  useDeleteVariants,
  useRestoreDeletion,
  type VariantsToDelete,
  variantTotalsQuery,
} from './variant-actions-queries.ts';

/** Restores deleted variants and shows the result, even after the member has left the page. */
export function useRestore(brandId: number) {
  const { t } = useTranslation();
  const format = useFormat();
  return useRestoreDeletion(brandId, {
    onSuccess: ({ restored, kept }) =>
      toast({
        variant: restored > 0 && kept === 0 ? 'success' : 'warning',
        title: t('deletion.restored', { count: restored, number: format.number(restored) }),
        ...(kept > 0 && { description: t('deletion.kept', { count: kept, number: format.number(kept) }) }),
      }),
    onError: (error) =>
      toast({ variant: 'error', title: t('deletion.restore_failed'), description: errorMessage(error, t) }),
  });
}

/** Deletes variants after a confirmation, with undo. Render `dialog` where it is not unmounted with the deleted rows. */
export function useVariantDeletion(brandId: number) {
  const { t } = useTranslation();
  const format = useFormat();
  const [target, setTarget] = useState<VariantsToDelete>();
  const [open, setOpen] = useState(false);
  const isDeleted = useRef(false);
  // Not `mutate`: several deletions may be undone at a time.
  const { mutateAsync: restore } = useRestore(brandId);
  const { mutate, isPending, error, reset } = useDeleteVariants(brandId, {
    onSuccess: ({ changed, skipped, deletion_id }, { onDeleted }) => {
      isDeleted.current = true;
      setOpen(false);
      onDeleted();
      const gone = skipped.reduce((sum, { count }) => sum + count, 0);
      toast({
        variant: 'success',
        durationMs: UNDO_TOAST_MS,
        title: t('deletion.done', { count: changed, number: format.number(changed) }),
        ...(gone > 0 && {
          description: t('publishing.skipped.not_found', { count: gone, number: format.number(gone) }),
        }),
        ...(deletion_id !== null && {
          action: { label: t('deletion.undo'), onSelect: () => void restore(deletion_id).catch(() => undefined) },
        }),
      });
    },
    onError: (failure, variants) => {
      const count = matchingNow(failure);
      if (count === undefined || 'ids' in variants.chosen) return;
      // Asks again with the current number.
      setTarget({ ...variants, count, chosen: { ...variants.chosen, expected: count } });
    },
  });

  const ask = (variants: VariantsToDelete) => {
    reset();
    isDeleted.current = false;
    setTarget(variants);
    setOpen(true);
  };
  const confirm = () => {
    if (target && open) mutate(target);
  };

  const numbers = { count: target?.count ?? 0, number: format.number(target?.count ?? 0) };
  const dialog = (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      title={target?.name ? t('deletion.title_named', { name: target.name }) : t('deletion.title', numbers)}
      description={t('deletion.description', numbers)}
      // The button that opened it disappears with the deleted rows.
      findOpener={() => (isDeleted.current ? findTable() : null)}
      isLocked={isPending}
      footer={
        <>
          <Button disabled={isPending} onClick={() => setOpen(false)}>
            {t('deletion.cancel')}
          </Button>
          <Button
            variant="danger"
            busy={isPending}
            busyLabel={t('deletion.busy')}
            disabled={target?.count === 0}
            onClick={confirm}
          >
            {t('deletion.confirm')}
          </Button>
        </>
      }
    >
      {target && <RemovedFromGoogle brandId={brandId} {...target} />}
      {error && (
        <Alert tone="error" className="mt-3">
          {matchingNow(error) === undefined ? errorMessage(error, t) : t('selection.changed', numbers)}
        </Alert>
      )}
    </Dialog>
  );
  return { ask, dialog };
}

/** Gets the focus when the focused row or bar is gone. */
const findTable = () => document.querySelector('table')?.closest<HTMLElement>('section') ?? null;

/** Call it while the row is still there: returns the row before or after it, or the search field if it is the only row. */
export function findAfterDeletion(id: number): HTMLElement | null {
  const rows = [...document.querySelectorAll<HTMLElement>('tr[data-row]')];
  const index = rows.findIndex((row) => row.dataset.row === String(id));
  return (
    rows[index - 1] ?? rows[index + 1] ?? document.querySelector<HTMLElement>('input[type="search"]') ?? findTable()
  );
}

/** How many of them are removed from Google. Reserves its line while loading. */
function RemovedFromGoogle({ brandId, chosen, count, published: known }: VariantsToDelete & { brandId: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  const isFilter = 'filter' in chosen;
  const { data } = useQuery({ ...variantTotalsQuery(brandId, isFilter ? chosen.filter : {}), enabled: isFilter });
  const published = isFilter ? data && Math.max(data.published - known, 0) : known;
  const text = () => {
    if (published === undefined) return '';
    if (count === 1) return t(published === 0 ? 'deletion.one_unpublished' : 'deletion.one_published');
    const numbers = { count: published, number: format.number(published) };
    return t(published === 0 ? 'deletion.none_withdrawn' : 'deletion.withdrawn', numbers);
  };
  return (
    <p role="status" className="min-h-6 font-medium">
      {text()}
    </p>
  );
}
