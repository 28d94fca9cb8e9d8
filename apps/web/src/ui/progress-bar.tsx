import clsx from 'clsx';
import { Progress } from 'radix-ui';

interface ProgressBarProps {
  label: string;
  percent: number;
  /** False for a step of unknown length: the bar pulses and is never quite empty. */
  isMeasured?: boolean;
  /** Text for screen readers in place of the percentage. */
  spoken?: string;
  className?: string;
}

const SHORTEST = 8;

export function ProgressBar({ label, percent, isMeasured = true, spoken, className }: ProgressBarProps) {
  return (
    <Progress.Root
      value={isMeasured ? percent : null}
      getValueLabel={() => spoken ?? `${percent}%`}
      aria-label={label}
      className={clsx('h-2 overflow-hidden rounded-full bg-background-secondary dark:bg-surface-hover', className)}
    >
      <Progress.Indicator
        className={clsx(
          'size-full origin-left rounded-full bg-primary transition-transform',
          !isMeasured && 'animate-[breathe_1.6s_ease-in-out_infinite]',
        )}
        style={{ transform: `translateX(${(isMeasured ? percent : Math.max(percent, SHORTEST)) - 100}%)` }}
      />
    </Progress.Root>
  );
}
