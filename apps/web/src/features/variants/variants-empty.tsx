import { PackagePlus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { AddVariantButton } from './variants-actions.tsx';

/** The brand has no variants at all. */
export function NoVariants() {
  const { t } = useTranslation();
  return (
    <Card>
      <EmptyState
        icon={PackagePlus}
        title={t('variants.empty.title')}
        description={t('variants.empty.description')}
        action={<AddVariantButton isFirst />}
      />
    </Card>
  );
}
