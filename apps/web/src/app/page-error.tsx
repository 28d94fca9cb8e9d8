import { WifiOff } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { useSupportLink } from '../lib/runtime-config.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';

/** For an error of the whole page. */
export function PageError() {
  return (
    <main className="grid min-h-dvh place-items-center px-4">
      <PageErrorMessage />
    </main>
  );
}

function subscribeToConnection(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

export function useIsOnline(): boolean {
  return useSyncExternalStore(subscribeToConnection, () => navigator.onLine);
}

/** For a page that fails to load or to render. After a release its files may be gone: a reload fetches the new ones. */
export function PageErrorMessage() {
  const { t } = useTranslation();
  const supportLink = useSupportLink();
  const [failedOffline] = useState(() => !navigator.onLine);
  const isOnline = useIsOnline();
  useEffect(() => {
    if (failedOffline && isOnline) window.location.reload();
  }, [failedOffline, isOnline]);
  if (failedOffline) {
    // No button: a reload now would leave the app.
    return (
      <div role="alert">
        <EmptyState icon={WifiOff} heading="h1" title={t('page_error.title')} description={t('page_error.offline')} />
      </div>
    );
  }
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
