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
  /** What waited for the trial can go on. */
  onStarted?: () => void;
}

export function TrialDialog({ brandId, open, onOpenChange, onStarted }: TrialDialogProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { mutateAsync, isPending, error, reset } = useOptInForTrial(brandId);
  // The button is disabled only with the next paint; a second click may come before it.
  const isStarting = useRef(false);
  const isLive = Date.now() >= Date.parse(GO_LIVE_DATE);

  useEffect(() => {
    // What failed the last time says nothing about this time.
    if (open) reset();
  }, [open, reset]);

  const start = async () => {
    if (isStarting.current) return;
    isStarting.current = true;
    try {
      await mutateAsync();
    } catch {
      // Shown below, from the mutation.
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
      // Whoever closes it meanwhile could not know whether the trial has started.
      onOpenChange={(next) => {
        if (next || !isStarting.current) onOpenChange(next);
      }}
      title={t('trial.title')}
      description={t(isLive ? 'trial.description_live' : 'trial.description', { date: format.day(GO_LIVE_DATE) })}
      onConfirm={() => void start()}
      isLocked={isPending}
      footer={
        <>
          {/* First in order, so that it has the focus and Enter confirms; shown last. */}
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
