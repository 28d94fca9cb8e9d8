import clsx from 'clsx';
import { Ellipsis, type LucideIcon, Search } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';

interface ChannelDialogProps {
  /** Of the one variant to be published; none when it is all of them. */
  variantName: string | undefined;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onConfirm: () => void;
}

export function ChannelDialog({ variantName, open, onOpenChange, onConfirm }: ChannelDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={t('publishing.dialog.title')}
      description={
        variantName === undefined ? t('publishing.dialog.all') : t('publishing.dialog.variant', { name: variantName })
      }
      onConfirm={onConfirm}
      footer={
        <>
          <Button onClick={() => onOpenChange(false)}>{t('publishing.dialog.cancel')}</Button>
          <Button type="submit" variant="primary">
            {t('publishing.dialog.confirm')}
          </Button>
        </>
      }
    >
      <fieldset className="flex flex-col gap-2">
        <legend className="sr-only">{t('publishing.dialog.channels')}</legend>
        <Channel name="google" icon={Search} />
        <Channel name="more" icon={Ellipsis} disabled />
      </fieldset>
    </Dialog>
  );
}

interface ChannelProps {
  name: 'google' | 'more';
  icon: LucideIcon;
  disabled?: boolean;
}

/** There is one channel so far: it is chosen, and stays so. */
function Channel({ name, icon: Icon, disabled = false }: ChannelProps) {
  const { t } = useTranslation();
  const descriptionId = `channel-${name}-description`;
  return (
    <label
      className={clsx(
        'flex items-center gap-3 rounded-control border p-3',
        disabled ? 'cursor-not-allowed bg-background' : 'border-primary bg-primary-bg',
      )}
    >
      <Icon aria-hidden="true" className={clsx('size-5 shrink-0', disabled ? 'text-text-tertiary' : 'text-primary')} />
      <span className="min-w-0 flex-1">
        <span className={clsx('block font-medium', disabled && 'text-text-tertiary')}>
          {t(`publishing.channels.${name}.name`)}
        </span>
        <span
          id={descriptionId}
          className={clsx('block text-small', disabled ? 'text-text-tertiary' : 'text-text-secondary')}
        >
          {t(`publishing.channels.${name}.description`)}
        </span>
      </span>
      <input
        type="radio"
        name="channel"
        value={name}
        defaultChecked={!disabled}
        disabled={disabled}
        aria-label={t(`publishing.channels.${name}.name`)}
        aria-describedby={descriptionId}
        // The browser's own disabled one is filled in dark mode, as if it were chosen.
        className={clsx('size-4 shrink-0', disabled ? 'appearance-none rounded-full border' : 'accent-primary')}
      />
    </label>
  );
}
