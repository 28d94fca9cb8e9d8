import { UNDO_TOAST_MS } from '@brand-portal/contract/constants';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorMessage } from '../../lib/api-error.ts';
import { useFormat } from '../../lib/format.ts';
import { withTexts } from '../../lib/lazy.ts';
import { dialogFrom } from '../../ui/dialog-from.ts';
import { toast } from '../../ui/toast-store.ts';
import { showRunning } from './unanswered.ts';
import { matchingNow, useDeleteVariants, useRestoreDeletion, type VariantsToDelete } from './variant-actions-queries.ts';

/** Restores deleted variants and shows the result, even after the member has left the page. */
export function useRestore(brandId: number) {
  const { t } = useTranslation();
  const format = useFormat();
  return useRestoreDeletion(brandId, {
    onSlow: () => showRunning(t, t('deletion.slow_restore')),
    onSuccess: ({ restored, kept }) =>
      toast({
        variant: restored > 0 && kept === 0 ? 'success' : 'warning',
        title: t('deletion.restored', { count: restored, number: format.number(restored) }),
        ...(kept > 0 && { description: t('deletion.kept', { count: kept, number: format.number(kept) }) }),
      }),
    onError: (error) => toast({ variant: 'error', title: t('deletion.restore_failed'), description: errorMessage(error, t) }),
  });
}

const DeletionDialog = dialogFrom(
  withTexts(() => import('./deletion-dialog.tsx')),
  'DeletionDialog',
);

/** Deletes variants after a confirmation, with undo. Render `dialog` where it is not unmounted with the deleted rows. */
export function useVariantDeletion(brandId: number) {
  const { t } = useTranslation();
  const format = useFormat();
  const [target, setTarget] = useState<VariantsToDelete>();
  const [open, setOpen] = useState(false);
  const isDeleted = useRef(false);
  /** The dialog was closed while the variants were still being deleted. */
  const isLeft = useRef(false);
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
    onSlow: () => {
      isLeft.current = true;
      setOpen(false);
      return showRunning(t, t('deletion.slow'));
    },
    onError: (failure, variants) => {
      const count = matchingNow(failure);
      if (count === undefined || 'ids' in variants.chosen) {
        if (isLeft.current) toast({ variant: 'error', title: t('deletion.failed'), description: errorMessage(failure, t) });
        return;
      }
      // Asks again with the current number.
      setTarget({ ...variants, count, chosen: { ...variants.chosen, expected: count } });
      setOpen(true);
    },
  });

  const ask = (variants: VariantsToDelete) => {
    reset();
    isDeleted.current = false;
    isLeft.current = false;
    setTarget(variants);
    setOpen(true);
  };
  const confirm = () => {
    if (target && open) mutate(target);
  };

  const dialog = (
    <DeletionDialog
      brandId={brandId}
      target={target}
      open={open}
      onOpenChange={setOpen}
      // The button that opened it disappears with the deleted rows.
      findOpener={() => (isDeleted.current ? findTable() : null)}
      busy={isPending}
      error={error}
      onConfirm={confirm}
    />
  );
  return { ask, dialog };
}

/** Gets the focus when the focused row or bar is gone. */
const findTable = () => document.querySelector('table')?.closest<HTMLElement>('section') ?? null;

/** Call it while the row is still there: returns the row before or after it, or the search field if it is the only row. */
export function findAfterDeletion(id: number): HTMLElement | null {
  const rows = [...document.querySelectorAll<HTMLElement>('tr[data-row]')];
  const index = rows.findIndex((row) => row.dataset.row === String(id));
  return rows[index - 1] ?? rows[index + 1] ?? document.querySelector<HTMLElement>('input[type="search"]') ?? findTable();
}
