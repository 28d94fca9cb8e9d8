import { Progress } from 'radix-ui';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format.ts';
import { bringIntoView } from './bring-into-view.ts';

/** Said aloud at these only: every percent would be a flood of words. */
const SPOKEN_STEP = 25;

interface UploadProgressProps {
  /** From 0 to 1; at 1 it is the server's turn. */
  sent: number;
  /** The member has tried to close the dialog meanwhile. */
  triedToClose: boolean;
}

export function UploadProgress({ sent, triedToClose }: UploadProgressProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const percent = Math.floor(sent * 100);
  const isSaving = percent >= 100;
  const said = (number: number) => t('import.progress.sending', { number: format.number(number) });
  return (
    <div className="flex flex-col gap-2">
      <div className="flex justify-between gap-4 text-small">
        <p className="font-medium">{isSaving ? t('import.progress.saving') : t('import.progress.title')}</p>
        <p className="text-text-secondary tabular-nums">{t('import.progress.percent', { number: percent })}</p>
      </div>
      <Progress.Root
        value={percent}
        getValueLabel={() => (isSaving ? t('import.progress.saving') : said(percent))}
        aria-label={t('import.progress.label')}
        className="h-2 overflow-hidden rounded-full bg-background-secondary dark:bg-surface-hover"
      >
        <Progress.Indicator
          className={`size-full origin-left rounded-full bg-primary transition-transform ${isSaving ? 'animate-[breathe_1.6s_ease-in-out_infinite]' : ''}`}
          style={{ transform: `translateX(${percent - 100}%)` }}
        />
      </Progress.Root>
      <p role="status" className="sr-only">
        {isSaving ? t('import.progress.saving') : said(percent - (percent % SPOKEN_STEP))}
      </p>
      {triedToClose && (
        <p role="status" ref={bringIntoView} className="scroll-mb-5 text-pretty text-small text-text-secondary">
          {t(isSaving ? 'import.progress.stays_open_saving' : 'import.progress.stays_open')}
        </p>
      )}
    </div>
  );
}
