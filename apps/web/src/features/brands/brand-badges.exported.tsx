import type { BrandStatus } from '@brand-portal/contract/brand-status';
import clsx from 'clsx';
import { Sparkles } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../ui/badge.tsx';

const tones = { active: 'success', inactive: 'neutral', pending: 'warning' } as const;

export function BrandStatusBadge({ status }: { status: BrandStatus }) {
  const { t } = useTranslation();
  return <Badge tone={tones[status]}>{t(`brands.status.${status}`)}</Badge>;
}

export function TrialBadge({ className }: { className?: string }) {
  const { t } = useTranslation();
  return (
    <Badge tone="info" icon={Sparkles} className={clsx('shrink-0', className)}>
      {t('trial.active')}
    </Badge>
  );
}
