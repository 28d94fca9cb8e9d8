import clsx from 'clsx';
import { LoaderCircle } from 'lucide-react';
import { useTranslation } from 'react-i18next';

interface SpinnerProps {
  /** Without one the spinner is decoration beside words that already say what goes on. */
  label?: string;
  className?: string;
}

export function Spinner({ label, className }: SpinnerProps) {
  const icon = <LoaderCircle aria-hidden="true" className={clsx('size-4 shrink-0 animate-spin', className)} />;
  if (!label) return icon;
  return (
    <span role="status" className="inline-flex">
      {icon}
      <span className="sr-only">{label}</span>
    </span>
  );
}

export function FullScreenSpinner({ label }: { label?: string }) {
  const { t } = useTranslation();
  return (
    <main className="grid min-h-dvh place-items-center bg-background">
      <div role="status" className="flex animate-late flex-col items-center gap-3 text-text-secondary">
        <Spinner className="size-6 text-primary" />
        <h1 className={label ? undefined : 'sr-only'}>{label ?? t('ui.loading')}</h1>
      </div>
    </main>
  );
}
