import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { useMoveFocusOnUnmount } from '../../ui/use-move-focus-on-unmount.ts';

/** Disappears with its message when it is pressed: the section around it gets the focus. */
export function RetryButton({ onRetry, className }: { onRetry: () => void; className?: string }) {
  const { t } = useTranslation();
  const ref = useMoveFocusOnUnmount('section');
  return (
    <Button ref={ref} size="dense" onClick={onRetry} className={className}>
      {t('ui.retry')}
    </Button>
  );
}
