import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useSearchParams } from 'react-router';
import { toast } from '../../ui/toast-store.ts';
import { useAuthStore } from './auth-store.ts';

/** A new account, made in a browser where somebody else is signed in. */
interface NewAccount {
  email: string;
  signedInUserId: number;
}

/** Welcomes whoever comes from setting up their password, once: the message leaves the address with it. */
export function useAccountCreated() {
  const { t } = useTranslation();
  const [searchParams, setSearchParams] = useSearchParams();
  const email: string | undefined = useLocation().state?.email;
  const isLoading = useAuthStore((state) => state.isLoading);
  const [newAccount, setNewAccount] = useState<NewAccount>();
  const isWelcoming = searchParams.get('message') === 'account-created';
  const isWelcomed = useRef(false);

  useEffect(() => {
    if (!isWelcoming) isWelcomed.current = false;
    if (!isWelcoming || isLoading || isWelcomed.current) return;
    isWelcomed.current = true;
    const { user, setError } = useAuthStore.getState();
    // Of a sign-in before there was this account.
    setError(null);
    // Unknown where the page was loaded anew: then nobody can say whether it is another person.
    if (user && email && user.email.toLowerCase() !== email.toLowerCase()) {
      setNewAccount({ email, signedInUserId: user.id });
    }
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
  }, [isWelcoming, isLoading, email, setSearchParams, t]);

  return {
    /** True until the message has left the address: a redirect meanwhile would be undone by that. */
    isWelcoming,
    newAccount,
    forgetNewAccount: () => setNewAccount(undefined),
  };
}
