import { RotateCw, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';
import { useFocusHandover } from './use-focus-handover.ts';

interface ErrorStateProps {
  /** What happened. */
  title?: string;
  /** What to do. */
  description?: string;
  onRetry?: () => void;
  retrying?: boolean;
  retryLabel?: string;
  action?: ReactNode;
  /** Where the error is the whole page, its title is the page's. */
  heading?: 'h1' | 'h2';
}

export function ErrorState(props: ErrorStateProps) {
  const { title, description, onRetry, retrying = false, retryLabel, action, heading: Heading = 'h2' } = props;
  const { t } = useTranslation();
  const retryRef = useFocusHandover('main');
  return (
    <div role="alert" className="mx-auto flex max-w-md flex-col items-center px-4 py-12 text-center">
      <span className="mb-4 grid size-11 place-items-center rounded-card bg-error-bg text-error">
        <TriangleAlert aria-hidden="true" className="size-5" />
      </span>
      <Heading className="text-balance font-semibold text-heading">{title ?? t('ui.error.title')}</Heading>
      <p className="mt-1 text-balance text-body text-text-secondary">{description ?? t('ui.error.description')}</p>
      {(onRetry || action) && (
        <div className="mt-5 flex flex-wrap justify-center gap-2">
          {onRetry && (
            <Button
              ref={retryRef}
              onClick={onRetry}
              busy={retrying}
              focusableWhileBusy
              icon={<RotateCw aria-hidden="true" className="size-4" />}
            >
              {retryLabel ?? t('ui.retry')}
            </Button>
          )}
          {action}
        </div>
      )}
    </div>
  );
}
