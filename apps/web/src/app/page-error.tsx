import { useTranslation } from 'react-i18next';
import { useSupportLink } from '../lib/runtime-config.ts';
import { Button } from '../ui/button.tsx';
import { ErrorState } from '../ui/error-state.tsx';

/** For an error of the whole page. */
export function PageError() {
  return (
    <main className="grid min-h-dvh place-items-center px-4">
      <PageErrorMessage />
    </main>
  );
}

/** For a page that fails to load or to render. After a release its files may be gone: a reload fetches the new ones. */
export function PageErrorMessage() {
  const { t } = useTranslation();
  const supportLink = useSupportLink();
  return (
    <ErrorState
      heading="h1"
      title={t('page_error.title')}
      description={t('page_error.description')}
      retryLabel={t('page_error.reload')}
      onRetry={() => window.location.reload()}
      action={
        supportLink && (
          <Button asChild variant="ghost">
            <a href={supportLink}>{t('page_error.support')}</a>
          </Button>
        )
      }
    />
  );
}
