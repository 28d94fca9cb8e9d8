import { GO_LIVE_DATE } from '@brand-portal/contract/constants';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { errorMessage, serverMessage } from '../../lib/api-error.ts';
import { useFormat } from '../../lib/format.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toast-store.ts';
import { useOptInForTrial } from './brands-queries.ts';

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
  const { mutateAsync, isPending, error, reset } = useOptInForTrial(brandId);
  // The button becomes disabled only with the next render; the second click of a double click may come before.
  const isStarting = useRef(false);
  const isLive = Date.now() >= Date.parse(GO_LIVE_DATE);

  useEffect(() => {
    // Clears the error of the last attempt.
    if (open) reset();
  }, [open, reset]);

  const start = async () => {
    if (isStarting.current) return;
    isStarting.current = true;
    try {
      await mutateAsync();
    } catch {
      // The mutation's error is shown below.
      return;
    } finally {
      isStarting.current = false;
    }
    toast({ variant: 'success', title: t('trial.started') });
    onOpenChange(false);
    onStarted?.();
  };

  return (
    <Dialog
      open={open}
      // Cannot be closed meanwhile: the user would not know whether the trial has started.
      onOpenChange={(next) => {
        if (next || !isStarting.current) onOpenChange(next);
      }}
      title={t('trial.title')}
      description={t(isLive ? 'trial.description_live' : 'trial.description', { date: format.day(GO_LIVE_DATE) })}
      onConfirm={() => void start()}
      isLocked={isPending}
      footer={
        <>
          {/* First in DOM order, so that it gets the focus and Enter confirms; displayed last. */}
          <Button
            type="submit"
            variant="primary"
            busy={isPending}
            busyLabel={t('trial.starting')}
            focusableWhileBusy
            className="order-last"
          >
            {t('trial.confirm')}
          </Button>
          <Button disabled={isPending} onClick={() => onOpenChange(false)}>
            {t('trial.cancel')}
          </Button>
        </>
      }
    >
      {error && (
        <Alert tone="error">
          <p className="font-medium">{t('trial.failed')}</p>
          <p>{serverMessage(error, t) ?? errorMessage(error, t)}</p>
        </Alert>
      )}
    </Dialog>
  );
}
