import { BadgeCheck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { productVariantsPath } from '../../lib/paths.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';

export function NoCertificates({ brandId }: { brandId: number }) {
  const { t } = useTranslation();
  return (
    <Card>
      <EmptyState
        icon={BadgeCheck}
        title={t('certificates.empty.title')}
        description={t('certificates.empty.description')}
        action={
          <Button asChild variant="primary">
            <Link to={productVariantsPath(brandId)}>{t('certificates.empty.action')}</Link>
          </Button>
        }
      />
    </Card>
  );
}
