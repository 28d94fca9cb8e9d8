import { Sparkles } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../ui/badge.tsx';

export function TrialBadge() {
  const { t } = useTranslation();
  return (
    <Badge tone="info" icon={Sparkles} className="shrink-0">
      {t('trial.active')}
    </Badge>
  );
}
