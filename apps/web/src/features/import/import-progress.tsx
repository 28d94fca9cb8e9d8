import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format.ts';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import type { ImportProgress } from './import-queries.ts';

/** Announced to screen readers only at these percentages, not at each one. */
const SPOKEN_STEP = 25;

export interface ProgressStep {
  title: string;
  /** Shown beside a title that has no number. */
  amount?: string;
  percent: number;
  /** False for a step of unknown length: the bar stays where it is and pulses. */
  isMeasured: boolean;
  spoken: (percent: number) => string;
}

export const unmeasured = (title: string, percent = 0): ProgressStep => ({
  title,
  percent,
  isMeasured: false,
  spoken: () => title,
});

/** The current step of an import and its progress. */
export function useImportStep() {
  const { t } = useTranslation();
  const format = useFormat();
  return ({ state, stage, rows_done: done, rows_total: total }: ImportProgress): ProgressStep => {
    if (state === 'waiting') return unmeasured(t('import.progress.waiting'));
    if (total === 0) return unmeasured(t('import.progress.merging'), 100);
    if (stage === 'merging') {
      return unmeasured(t('import.progress.merging_rows', { count: total, number: format.number(total) }), 100);
    }
    return {
      title: t('import.progress.reading', { done: format.number(done), total: format.number(total) }),
      percent: Math.floor((done / total) * 100),
      isMeasured: true,
      spoken: (percent) => t('import.progress.read', { number: format.number(percent) }),
    };
  };
}

export function StepProgress({ step, label }: { step: ProgressStep; label: string }) {
  const { title, amount, isMeasured, spoken } = step;
  // The total is a count of lines at first and of rows later: the bar must not move back.
  const [reached, setReached] = useState(0);
  const percent = Math.max(step.percent, reached);
  if (percent > reached) setReached(percent);
  return (
    <>
      <div className="flex justify-between gap-4 text-small tabular-nums">
        <p className="font-medium">{title}</p>
        {amount && <p className="text-text-secondary">{amount}</p>}
      </div>
      <ProgressBar label={label} percent={percent} isMeasured={isMeasured} spoken={spoken(percent)} />
      <p role="status" className="sr-only">
        {spoken(percent - (percent % SPOKEN_STEP))}
      </p>
    </>
  );
}
