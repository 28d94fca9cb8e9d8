import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { useFocusHandover } from '../../ui/use-focus-handover.ts';

/** Goes with the message it stands in as soon as it is pressed: the step around it has the focus then. */
export function RetryButton({ onRetry, className }: { onRetry: () => void; className?: string }) {
  const { t } = useTranslation();
  const ref = useFocusHandover('section');
  return (
    <Button ref={ref} size="dense" onClick={onRetry} className={className}>
      {t('ui.retry')}
    </Button>
  );
}
