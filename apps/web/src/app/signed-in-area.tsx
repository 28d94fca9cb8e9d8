import { lazy, useEffect } from 'react';
import { Outlet } from 'react-router';
import { useAuthStore } from '../features/auth/auth-store.ts';
import { SignInPage } from '../features/auth/sign-in-page.tsx';
import { useAccountCreatedToast } from '../features/auth/use-account-created-toast.ts';
import { loadTexts } from '../lib/i18n.ts';
import { FullScreenSpinner } from '../ui/spinner.tsx';
import { loadToaster } from './lazy-toaster.tsx';
import { PageFrame } from './page-frame.tsx';

const loadMainShell = async () =>
  (await Promise.all([import('./main-shell.tsx'), loadTexts('portal'), loadToaster()]))[0];
export const MainShell = lazy(async () => ({ default: (await loadMainShell()).MainShell }));

/** The pages of members. Whoever is signed out sees the sign-in page in their place, at the same address. */
export function SignedInArea() {
  const isLoading = useAuthStore((state) => state.isLoading);
  const isAuthenticated = useAuthStore((state) => state.isAuthenticated);
  const userId = useAuthStore((state) => state.user?.id);
  const isWelcoming = useAccountCreatedToast();

  useEffect(() => {
    // While the provider is asked whether a stored session still holds, the shell is fetched for it.
    if (isAuthenticated) loadMainShell().catch(() => undefined);
  }, [isAuthenticated]);

  if (isLoading || isWelcoming) return <FullScreenSpinner />;
  // By the id: another tab may sign another member in, and nothing of the last one may stay on the page.
  if (isAuthenticated) return <Outlet key={userId} />;
  return (
    <PageFrame>
      <SignInPage />
    </PageFrame>
  );
}
