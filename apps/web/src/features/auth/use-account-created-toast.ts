import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { toast } from '../../ui/toast-store.ts';

/**
 * Welcomes whoever comes from setting up their password, once: the message leaves the address with it. True until it has:
 * a redirect meanwhile would be undone by that.
 */
export function useAccountCreatedToast(): boolean {
  const { t } = useTranslation();
  const [searchParams, setSearchParams] = useSearchParams();
  const isAccountCreated = searchParams.get('message') === 'account-created';
  const shown = useRef(false);

  useEffect(() => {
    if (!isAccountCreated || shown.current) return;
    shown.current = true;
    toast({
      variant: 'success',
      title: t('auth.account_created.title'),
      description: t('auth.account_created.description'),
    });
    setSearchParams(
      (current) => {
        current.delete('message');
        return current;
      },
      { replace: true },
    );
  }, [isAccountCreated, setSearchParams, t]);

  return isAccountCreated;
}
