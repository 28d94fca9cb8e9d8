import clsx from 'clsx';
import { Sparkles } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../ui/badge.tsx';

export function TrialBadge({ className }: { className?: string }) {
  const { t } = useTranslation();
  return (
    <Badge tone="info" icon={Sparkles} className={clsx('shrink-0', className)}>
      {t('trial.active')}
    </Badge>
  );
}
