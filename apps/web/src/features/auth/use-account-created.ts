import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useSearchParams } from 'react-router';
import { toast } from '../../ui/toast-store.ts';
import { useAuthStore } from './auth-store.ts';

/** An account that was created in a browser where somebody else is signed in. */
interface NewAccount {
  email: string;
  signedInUserId: number;
}

/** Shows a welcome message after the password was set up, once: then removes the message from the URL. */
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
    // A failure from before the account existed.
    setError(null);
    // The email is unknown after a reload: then the two accounts cannot be compared.
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
    /** True until the message is removed from the URL: removing it would undo a redirect that happens before. */
    isWelcoming,
    newAccount,
    clearNewAccount: () => setNewAccount(undefined),
  };
}
