import { PAGES } from '@brand-portal/contract/pages';
import { Compass } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { PageTitle } from '../ui/page-header.tsx';

export function NotFoundPage() {
  const { t } = useTranslation();
  return (
    <>
      <PageTitle parts={[t('not_found.title')]} />
      <EmptyState
        heading="h1"
        icon={Compass}
        title={t('not_found.title')}
        description={t('not_found.description')}
        action={
          <Button asChild variant="primary">
            <Link to={PAGES.home}>{t('not_found.action')}</Link>
          </Button>
        }
      />
    </>
  );
}
