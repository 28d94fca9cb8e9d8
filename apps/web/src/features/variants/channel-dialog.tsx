import { BLOCKING_REASONS } from '@brand-portal/contract/attention';
import type { VariantAnswer } from '@brand-portal/contract/variants';
import { useQuery } from '@tanstack/react-query';
import clsx from 'clsx';
import { Ellipsis, type LucideIcon, Search } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useFormat } from '../../lib/format.ts';
import { productVariantsPath } from '../../lib/paths.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { readinessQuery } from '../attention/attention-queries.ts';
import { ConnectionWarning } from '../settings/connection-warning.exported.tsx';

interface ChannelDialogProps {
  brandId: number;
  /** The variant to publish; undefined if it is all of them. */
  variant: Pick<VariantAnswer, 'id' | 'name'> | undefined;
  /** Number of selected variants to publish. */
  selected: number | undefined;
  /** Number of variants in the list, if it is filtered. */
  shown: number | undefined;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onConfirm: () => void;
}

export function ChannelDialog(props: ChannelDialogProps) {
  const { brandId, variant, selected, shown, open, onOpenChange, onConfirm } = props;
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={t('publishing.dialog.title')}
      description={
        selected !== undefined
          ? t('publishing.dialog.selected', { count: selected, number: format.number(selected) })
          : variant === undefined
            ? t('publishing.dialog.all')
            : t('publishing.dialog.variant', { name: variant.name })
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
      {open && <ConnectionWarning brandId={brandId} />}
      {open && !variant && selected === undefined && (
        <PublishAllSummary brandId={brandId} shown={shown} onLeave={() => onOpenChange(false)} />
      )}
      {open && variant && selected === undefined && <VariantReadiness brandId={brandId} variantId={variant.id} />}
    </Dialog>
  );
}

interface SummaryProps {
  brandId: number;
  shown: number | undefined;
  /** The link leads to the list behind the dialog. */
  onLeave: () => void;
}

/**
 * Counts for publishing the whole brand, with a note that the list's filter does not apply. Reserves its line while
 * loading. Both numbers come from one answer, so that they match.
 */
function PublishAllSummary({ brandId, shown, onLeave }: SummaryProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { data, error } = useQuery({ ...readinessQuery(brandId, undefined), retry: false });
  if (error && !data) return null;
  const { ready, ready_with_remarks, blocked, published } = data ?? NOTHING;
  const total = ready + ready_with_remarks + blocked;
  const numbers = {
    count: total,
    number: format.number(total),
    published: format.number(published),
    shown: format.number(shown ?? 0),
  };
  return (
    <div role="status" className="mt-3 flex flex-col gap-2 text-small">
      <p className="min-h-5 font-medium">{data && t('publishing.dialog.totals', numbers)}</p>
      {blocked > 0 && (
        <p className="text-text-secondary">
          {t('attention.readiness.blocked', { count: blocked, number: format.number(blocked) })}{' '}
          <Link
            to={`${productVariantsPath(brandId)}?reason=${BLOCKING_REASONS[0]}`}
            onClick={onLeave}
            className="font-medium text-primary hover:underline"
          >
            {t('attention.readiness.show_blocked')}
          </Link>
        </p>
      )}
      {shown !== undefined && (!data || shown < total) && (
        <Alert tone="info">{data ? t('publishing.dialog.not_only_shown', numbers) : t('ui.loading')}</Alert>
      )}
    </div>
  );
}

const NOTHING = { ready: 0, ready_with_remarks: 0, blocked: 0, published: 0 };

/** Google's requirements that are not met, shown before publishing. If they cannot be loaded, the dialog leaves them out. */
function VariantReadiness({ brandId, variantId }: { brandId: number; variantId: number }) {
  const { t } = useTranslation();
  const { data } = useQuery(readinessQuery(brandId, variantId));
  if (!data) return null;
  const remarks = data.reasons.filter(({ reason }) => !(BLOCKING_REASONS as readonly string[]).includes(reason));
  return (
    <div role="status" className="mt-3 flex flex-col gap-1 text-small text-text-secondary">
      {data.blocked > 0 && <p>{t('attention.readiness.variant')}</p>}
      {remarks.length > 0 && (
        <p>
          {t('attention.readiness.remarks', {
            reasons: remarks.map(({ reason }) => t(`attention.reasons.${reason}.title`)).join(', '),
          })}
        </p>
      )}
    </div>
  );
}

interface ChannelProps {
  name: 'google' | 'more';
  icon: LucideIcon;
  disabled?: boolean;
}

/** There is only one channel so far, so it is always selected. */
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
      <Icon className={clsx('size-5 shrink-0', disabled ? 'text-text-tertiary' : 'text-primary')} />
      <span className="min-w-0 flex-1">
        <span className={clsx('block font-medium', disabled && 'text-text-tertiary')}>{t(`publishing.channels.${name}.name`)}</span>
        <span id={descriptionId} className={clsx('block text-small', disabled ? 'text-text-tertiary' : 'text-text-secondary')}>
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
        // The native disabled radio button is filled in dark mode, as if it were selected.
        className={clsx('size-4 shrink-0', disabled ? 'appearance-none rounded-full border' : 'accent-primary')}
      />
    </label>
  );
}
