import { MAX_REVIEW_NOTE_LENGTH, type ReviewMany, type WaitingCertificate } from '@brand-portal/contract/reviews';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorMessage } from '../../lib/api-error.ts';
import { useFormat } from '../../lib/format.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { DayField } from '../../ui/day-field.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextAreaField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast-store.ts';
import { useReviewMany } from './reviews-queries.ts';

export type Verdict = ReviewMany['verdict'];

interface ReviewDialogProps {
  open: boolean;
  verdict: Verdict;
  certificates: readonly WaitingCertificate[];
  onClose: () => void;
  onDone: () => void;
  /** The element to focus on close, if it is not the one that had the focus before. */
  findOpener: () => HTMLElement | null;
}

/** Asks for the reason, which members can read, and for the last day of an approval. */
export function ReviewDialog({ open, verdict, certificates, onClose, onDone, findOpener }: ReviewDialogProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const [note, setNote] = useState('');
  const [lastDay, setLastDay] = useState('');
  /** What is typed as the last day is no date. */
  const [isNoDate, setNoDate] = useState(false);
  const [isSubmitted, setSubmitted] = useState(false);
  const { mutate, isPending, error, reset } = useReviewMany();
  const count = certificates.length;
  const counted = { count, number: format.number(count) };
  // The server's rule: west of Greenwich, yesterday in UTC is still today.
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  const isLastDayOver = lastDay !== '' && lastDay < yesterday;

  const close = () => {
    setNote('');
    setLastDay('');
    setNoDate(false);
    setSubmitted(false);
    reset();
    onClose();
  };
  const decide = () => {
    setSubmitted(true);
    if (note.trim() === '' || isLastDayOver || isNoDate) return;
    const chosen = certificates.map(({ brand_id, id }) => ({ brand_id, id }));
    const expires = verdict === 'approved' && lastDay !== '' ? { expires_on: lastDay } : {};
    mutate(
      { verdict, note: note.trim(), ...expires, certificates: chosen },
      {
        onSuccess: (answer) => {
          const { decided = count, skipped = 0 } = answer ?? {};
          toast({
            variant: skipped > 0 ? 'warning' : 'success',
            title: t(`reviews.done.${verdict}`, { count: decided, number: format.number(decided) }),
            ...(skipped > 0 && {
              description: t('reviews.done.skipped', { count: skipped, number: format.number(skipped) }),
            }),
          });
          onDone();
          close();
        },
      },
    );
  };

  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && close()}
      title={t(`reviews.ask.${verdict}`, counted)}
      description={
        certificates
          .map(({ certificate_id, certification_name, brand_name }) => `${certificate_id} (${certification_name}, ${brand_name})`)
          .slice(0, 5)
          .join(', ') + (count > 5 ? ' …' : '')
      }
      findOpener={findOpener}
      isLocked={isPending}
      isDirty={note.trim() !== ''}
      onConfirm={decide}
      footer={
        <>
          <Button disabled={isPending} onClick={close}>
            {t('reviews.cancel')}
          </Button>
          <Button type="submit" variant={verdict === 'rejected' ? 'danger' : 'primary'} busy={isPending} busyLabel={t('reviews.saving')}>
            {t(verdict === 'approved' ? 'reviews.approve' : 'reviews.reject')}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <TextAreaField
          label={t('reviews.note')}
          hint={t('reviews.note_hint')}
          error={isSubmitted && note.trim() === '' ? t('reviews.note_missing') : undefined}
          value={note}
          maxLength={MAX_REVIEW_NOTE_LENGTH}
          rows={3}
          onChange={(event) => setNote(event.target.value)}
        />
        {verdict === 'approved' && (
          <DayField
            label={t('reviews.last_day')}
            hint={t('reviews.last_day_hint')}
            error={
              isSubmitted && isNoDate ? t('day_field.unreadable') : isSubmitted && isLastDayOver ? t('reviews.last_day_over') : undefined
            }
            value={lastDay}
            onChange={(day) => {
              setNoDate(day === undefined);
              if (day !== undefined) setLastDay(day);
            }}
          />
        )}
        {error && <Alert tone="error">{errorMessage(error, t)}</Alert>}
      </div>
    </Dialog>
  );
}
