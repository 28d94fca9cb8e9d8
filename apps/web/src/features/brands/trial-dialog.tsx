import { GO_LIVE_DATE } from '@brand-portal/contract/constants';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { errorMessage, serverMessage } from '../../lib/api-error.ts';
import { useFormat } from '../../lib/format.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toast-store.ts';
import { useWhyWaiting } from '../settings/channel-queries.ts';
import { ConnectionWarning } from '../settings/connection-warning.exported.tsx';
import { useBrand, useOptInForTrial } from './brands-queries.ts';

interface TrialDialogProps {
  brandId: number;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Called after the start, for example to continue publishing. */
  onStarted?: () => void;
}

export function TrialDialog({ brandId, open, onOpenChange, onStarted }: TrialDialogProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { mutate, isPending, error, reset } = useOptInForTrial(brandId, () => {
    toast({ variant: 'success', title: t('trial.started') });
    onOpenChange(false);
    onStarted?.();
  });
  const isLive = Date.now() >= Date.parse(GO_LIVE_DATE);
  const { data: brand } = useBrand(brandId);
  const isInReview = brand?.status === 'pending';
  const waits = useWhyWaiting(brandId, open) !== undefined || isInReview;

  useEffect(() => {
    // Clears the error of the last attempt.
    if (open) reset();
  }, [open, reset]);

  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={t('trial.title')}
      description={t(`trial.description${isLive ? (waits ? '_waits' : '_live') : ''}` as const, {
        date: format.day(GO_LIVE_DATE.slice(0, 10)),
      })}
      onConfirm={mutate}
      // The user would not know whether the trial has started.
      isLocked={isPending}
      footer={
        <>
          {/* First in DOM order, so that it gets the focus and Enter confirms; displayed last. */}
          <Button type="submit" variant="primary" busy={isPending} busyLabel={t('trial.starting')} className="order-last">
            {t('trial.confirm')}
          </Button>
          <Button disabled={isPending} onClick={() => onOpenChange(false)}>
            {t('trial.cancel')}
          </Button>
        </>
      }
    >
      {open && (isInReview ? <Alert tone="warning">{t('errors.brand_pending')}</Alert> : <ConnectionWarning brandId={brandId} />)}
      {error && (
        <Alert tone="error">
          <p className="font-medium">{t('trial.failed')}</p>
          <p>{serverMessage(error, t) ?? errorMessage(error, t)}</p>
        </Alert>
      )}
    </Dialog>
  );
}
