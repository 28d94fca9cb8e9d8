import clsx from 'clsx';
import { LoaderCircle } from 'lucide-react';
import { useTranslation } from 'react-i18next';

interface SpinnerProps {
  /** Without a label the spinner is decorative, beside text that says the same. */
  label?: string;
  className?: string;
}

export function Spinner({ label, className }: SpinnerProps) {
  const icon = <LoaderCircle className={clsx('size-4 shrink-0 animate-spin', className)} />;
  if (!label) return icon;
  return (
    <span role="status" className="inline-flex">
      {icon}
      <span className="sr-only">{label}</span>
    </span>
  );
}

/** Visually hidden: announces that a page is loading, and is its heading until then. */
export function LoadingHeading({ label }: { label: string }) {
  return (
    <div role="status" className="sr-only">
      <h1>{label}</h1>
    </div>
  );
}

interface FullScreenSpinnerProps {
  label?: string;
  /** False if it is part of a page that has its own landmark and heading. */
  isWholePage?: boolean;
}

export function FullScreenSpinner({ label, isWholePage = true }: FullScreenSpinnerProps) {
  const { t } = useTranslation();
  const [Frame, Heading] = isWholePage ? (['main', 'h1'] as const) : (['div', 'p'] as const);
  return (
    <Frame className="grid min-h-dvh place-items-center bg-background">
      <div role="status" className="flex flex-col items-center gap-3 text-text-secondary opacity-(--late)">
        <Spinner className="size-6 text-primary" />
        <Heading className={label ? undefined : 'sr-only'}>{label ?? t('ui.loading')}</Heading>
      </div>
    </Frame>
  );
}
