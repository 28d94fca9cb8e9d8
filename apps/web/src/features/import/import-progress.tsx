import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format.ts';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import type { ImportProgress } from './import-queries.ts';

/** Said aloud at these only: every percent would be a flood of words. */
const SPOKEN_STEP = 25;

export interface ProgressStep {
  title: string;
  percent: number;
  /** False for a step whose length nobody knows: it is shown as full, and breathes. */
  isMeasured: boolean;
  spoken: (percent: number) => string;
}

export const unmeasured = (title: string): ProgressStep => ({
  title,
  percent: 100,
  isMeasured: false,
  spoken: () => title,
});

/** What an import is doing, and how much of it is done. */
export function useImportStep() {
  const { t } = useTranslation();
  const format = useFormat();
  return ({ state, stage, rows_done: done, rows_total: total }: ImportProgress): ProgressStep => {
    if (state === 'waiting') return unmeasured(t('import.progress.waiting'));
    if (stage === 'merging' || total === 0) return unmeasured(t('import.progress.merging'));
    return {
      title: t('import.progress.reading', { done: format.number(done), total: format.number(total) }),
      percent: Math.floor((done / total) * 100),
      isMeasured: true,
      spoken: (percent) => t('import.progress.read', { number: format.number(percent) }),
    };
  };
}

export function StepProgress({ step: { title, percent, isMeasured, spoken } }: { step: ProgressStep }) {
  const { t } = useTranslation();
  return (
    <>
      <div className="flex justify-between gap-4 text-small tabular-nums">
        <p className="font-medium">{title}</p>
        <p className="text-text-secondary">{t('import.progress.percent', { number: percent })}</p>
      </div>
      <ProgressBar
        label={t('import.progress.label')}
        percent={percent}
        isMeasured={isMeasured}
        spoken={spoken(percent)}
      />
      <p role="status" className="sr-only">
        {spoken(percent - (percent % SPOKEN_STEP))}
      </p>
    </>
  );
}
