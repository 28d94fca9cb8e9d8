import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { FullScreenSpinner } from '../../ui/spinner.tsx';
import { finishSignIn } from './finish-sign-in.ts';

export function CallbackPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();

  useEffect(() => {
    void finishSignIn().then((path) => path && navigate(path, { replace: true }));
  }, [navigate]);

  return <FullScreenSpinner label={t('auth.completing')} />;
}
