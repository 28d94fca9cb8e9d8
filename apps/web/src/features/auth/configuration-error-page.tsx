import { Settings } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { logError } from '../../lib/log.ts';
import { EmptyState } from '../../ui/empty-state.tsx';

export function ConfigurationErrorPage() {
  const { t } = useTranslation();
  useEffect(() => logError('Missing Auth0 configuration'), []);
  return (
    <main className="grid min-h-dvh place-items-center px-4">
      <div role="alert">
        <EmptyState
          heading="h1"
          icon={Settings}
          title={t('auth.configuration_error.title')}
          description={t('auth.configuration_error.description')}
        />
      </div>
    </main>
  );
}
