import { RotateCw, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';
import { EmptyState } from './empty-state.tsx';
import { useMoveFocusOnUnmount } from './use-move-focus-on-unmount.ts';

interface ErrorStateProps {
  /** What happened. */
  title?: string;
  /** What to do. */
  description?: string;
  onRetry: () => void;
  retryLabel?: string;
  action?: ReactNode;
  /** `h1` if the error is the whole page. */
  heading?: 'h1' | 'h2';
}

export function ErrorState({ title, description, onRetry, retryLabel, action, heading }: ErrorStateProps) {
  const { t } = useTranslation();
  const retryRef = useMoveFocusOnUnmount('main');
  return (
    <div role="alert">
      <EmptyState
        icon={TriangleAlert}
        tone="error"
        title={title ?? t('ui.error.title')}
        description={description ?? t('ui.error.description')}
        heading={heading}
        action={
          <>
            <Button ref={retryRef} onClick={onRetry} icon={<RotateCw className="size-4" />}>
              {retryLabel ?? t('ui.retry')}
            </Button>
            {action}
          </>
        }
      />
    </div>
  );
}
