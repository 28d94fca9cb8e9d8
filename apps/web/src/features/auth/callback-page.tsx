import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { type Path, parsePath, useNavigate } from 'react-router';
import { FullScreenSpinner } from '../../ui/spinner.tsx';
import { finishSignIn } from './finish-sign-in.ts';

interface CallbackPageProps {
  /** Loads the page that follows, while this one still shows. */
  loadPage: (queryClient: QueryClient, path: Partial<Path>) => Promise<void>;
}

export function CallbackPage({ loadPage }: CallbackPageProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queryClient = useQueryClient();

  useEffect(() => {
    const finish = async () => {
      const path = await finishSignIn();
      if (!path) return;
      await loadPage(queryClient, parsePath(path));
      void navigate(path, { replace: true });
    };
    void finish();
  }, [loadPage, navigate, queryClient]);

  return <FullScreenSpinner label={t('auth.completing')} />;
}
