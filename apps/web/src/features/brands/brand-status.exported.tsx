import type { BrandStatus } from '@brand-portal/contract/brands';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../ui/badge.tsx';

const tones = { active: 'success', inactive: 'neutral', pending: 'warning' } as const;

export function BrandStatusBadge({ status }: { status: BrandStatus }) {
  const { t } = useTranslation();
  return <Badge tone={tones[status]}>{t(`brands.status.${status}`)}</Badge>;
}
