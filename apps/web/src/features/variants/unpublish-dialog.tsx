import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import type { ChosenAction } from './variants-queries.ts';

interface UnpublishDialogProps {
  /** Undefined: the dialog is closed. */
  selected: ChosenAction | undefined;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onConfirm: (selected: ChosenAction) => void;
}

export function UnpublishDialog({ selected, open, onOpenChange, onConfirm }: UnpublishDialogProps) {
  const { t } = useTranslation();
  const format = useFormat();
  // Keeps the number while the dialog fades out.
  const [count, setCount] = useState(0);
  if (selected && selected.count !== count) setCount(selected.count);
  const close = () => onOpenChange(false);
  const confirm = () => {
    if (!selected) return;
    close();
    onConfirm(selected);
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={t('publishing.unpublish.title', { count, number: format.number(count) })}
      description={t('publishing.unpublish.description')}
      footer={
        <>
          <Button onClick={close}>{t('publishing.dialog.cancel')}</Button>
          <Button variant="danger" onClick={confirm}>
            {t('variants.unpublish')}
          </Button>
        </>
      }
    />
  );
}
