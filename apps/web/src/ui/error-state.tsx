import { RotateCw, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';

interface ErrorStateProps {
  /** What happened. */
  title?: string;
  /** What to do. */
  description?: string;
  onRetry?: () => void;
  retrying?: boolean;
  retryLabel?: string;
  action?: ReactNode;
}

export function ErrorState({ title, description, onRetry, retrying = false, retryLabel, action }: ErrorStateProps) {
  const { t } = useTranslation();
  return (
    <div role="alert" className="mx-auto flex max-w-md flex-col items-center px-4 py-12 text-center">
      <span className="mb-4 grid size-11 place-items-center rounded-card bg-error-bg text-error">
        <TriangleAlert aria-hidden="true" className="size-5" />
      </span>
      <p className="text-balance font-semibold text-heading">{title ?? t('ui.error.title')}</p>
      <p className="mt-1 text-pretty text-text-secondary">{description ?? t('ui.error.description')}</p>
      {(onRetry || action) && (
        <div className="mt-5 flex flex-wrap justify-center gap-2">
          {onRetry && (
            <Button onClick={onRetry} busy={retrying} icon={<RotateCw aria-hidden="true" className="size-4" />}>
              {retryLabel ?? t('ui.retry')}
            </Button>
          )}
          {action}
        </div>
      )}
    </div>
  );
}
