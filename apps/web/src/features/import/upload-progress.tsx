import { Progress } from 'radix-ui';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format.ts';
import { bringIntoView } from './bring-into-view.ts';
import type { PendingUpload } from './upload-state.ts';

/** Said aloud at these only: every percent would be a flood of words. */
const SPOKEN_STEP = 25;

interface UploadProgressProps {
  upload: PendingUpload;
  /** The member has tried to close the dialog meanwhile. */
  triedToClose: boolean;
}

export function UploadProgress({ upload, triedToClose }: UploadProgressProps) {
  const { t } = useTranslation();
  const { title, percent, isMeasured, spoken } = useStep(upload);
  const isSending = upload.sent < 1;
  return (
    <div className="flex flex-col gap-2">
      <div className="flex justify-between gap-4 text-small tabular-nums">
        <p className="font-medium">{title}</p>
        <p className="text-text-secondary">{t('import.progress.percent', { number: percent })}</p>
      </div>
      <Progress.Root
        value={percent}
        getValueLabel={() => spoken(percent)}
        aria-label={t('import.progress.label')}
        className="h-2 overflow-hidden rounded-full bg-background-secondary dark:bg-surface-hover"
      >
        <Progress.Indicator
          className={`size-full origin-left rounded-full bg-primary transition-transform ${isMeasured ? '' : 'animate-[breathe_1.6s_ease-in-out_infinite]'}`}
          style={{ transform: `translateX(${percent - 100}%)` }}
        />
      </Progress.Root>
      <p role="status" className="sr-only">
        {spoken(percent - (percent % SPOKEN_STEP))}
      </p>
      <p className="text-pretty text-small text-text-secondary">
        {t(isSending ? 'import.progress.keep_open' : 'import.progress.may_leave')}
      </p>
      {triedToClose && (
        <p role="status" ref={bringIntoView} className="scroll-mb-5 text-pretty text-small text-text-secondary">
          {t(isSending ? 'import.progress.stays_open' : 'import.progress.stays_open_saving')}
        </p>
      )}
    </div>
  );
}

/** What is being done, and how much of it. Steps whose length nobody knows are shown as full, and breathe. */
function useStep({ sent, progress, cancelling }: PendingUpload) {
  const { t } = useTranslation();
  const format = useFormat();
  const unmeasured = (title: string) => ({ title, percent: 100, isMeasured: false, spoken: () => title });
  if (cancelling) return unmeasured(t('import.progress.cancelling'));
  if (sent < 1) {
    return {
      title: t('import.progress.title'),
      percent: Math.floor(sent * 100),
      isMeasured: true,
      spoken: (percent: number) => t('import.progress.sending', { number: format.number(percent) }),
    };
  }
  if (!progress) return unmeasured(t('import.progress.saving'));
  const { state, stage, rows_done: done, rows_total: total } = progress;
  if (state === 'waiting') return unmeasured(t('import.progress.waiting'));
  if (stage === 'merging' || total === 0) return unmeasured(t('import.progress.merging'));
  return {
    title: t('import.progress.reading', { done: format.number(done), total: format.number(total) }),
    percent: Math.floor((done / total) * 100),
    isMeasured: true,
    spoken: (percent: number) => t('import.progress.read', { number: format.number(percent) }),
  };
}
