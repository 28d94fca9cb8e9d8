import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { errorMessage } from '../../lib/api-error.ts';
import { useFormat } from '../../lib/format.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { matchingNow, type VariantsToDelete, variantTotalsQuery } from './variant-actions-queries.ts';

interface DeletionDialogProps {
  brandId: number;
  target: VariantsToDelete | undefined;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  findOpener: () => HTMLElement | null;
  busy: boolean;
  error: Error | null;
  onConfirm: () => void;
}

export function DeletionDialog({ brandId, target, open, onOpenChange, findOpener, busy, error, onConfirm }: DeletionDialogProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const numbers = { count: target?.count ?? 0, number: format.number(target?.count ?? 0) };
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={target?.name ? t('deletion.title_named', { name: target.name }) : t('deletion.title', numbers)}
      description={t('deletion.description', numbers)}
      findOpener={findOpener}
      isLocked={busy}
      footer={
        <>
          <Button disabled={busy} onClick={() => onOpenChange(false)}>
            {t('deletion.cancel')}
          </Button>
          <Button variant="danger" busy={busy} busyLabel={t('deletion.busy')} disabled={target?.count === 0} onClick={onConfirm}>
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
