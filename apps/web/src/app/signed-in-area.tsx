import { ACCOUNT_CREATED } from '@brand-portal/contract/pages';
import { Outlet } from 'react-router';
import { memberOnPage, useAuthStore } from '../features/auth/auth-store.ts';
import { SignInPage } from '../features/auth/sign-in-page.tsx';
import { signOut } from '../features/auth/sign-out.ts';
import { useAccountCreated } from '../features/auth/use-account-created.ts';
import { lazyFrom, withTexts } from '../lib/lazy.ts';
import { logError } from '../lib/log.ts';
import { FullScreenSpinner } from '../ui/spinner.tsx';
import { PageFrame } from './page-frame.tsx';

export const loadMainShell = withTexts(() => import('./main-shell.tsx'), 'portal');
export const MainShell = lazyFrom(loadMainShell, 'MainShell');
const OtherSessionPage = lazyFrom(
  withTexts(() => import('../features/onboarding/other-session-page.tsx'), 'onboarding'),
  'OtherSessionPage',
);

/** The pages of members. Signed-out visitors see the sign-in page in their place, at the same URL. */
export function SignedInArea() {
  const isLoading = useAuthStore((state) => state.isLoading);
  const isAuthenticated = useAuthStore((state) => state.isAuthenticated);
  const user = useAuthStore((state) => state.user);
  const member = useAuthStore(memberOnPage);
  const { isWelcoming, newAccount, clearNewAccount } = useAccountCreated();

  const switchAccount = () => {
    signOut({ returnTo: ACCOUNT_CREATED }).catch((error: unknown) => logError('Failed to sign out of the identity provider:', error));
  };

  if (isLoading || (isWelcoming && isAuthenticated)) return <FullScreenSpinner />;
  if (isAuthenticated && user && newAccount?.signedInUserId === user.id) {
    return (
      <PageFrame>
        <OtherSessionPage user={user} email={newAccount.email} onSwitch={switchAccount} onStay={clearNewAccount} />
      </PageFrame>
    );
  }
  // Keyed by user: another tab may sign another member in, and no state of the last one may stay on the page.
  // It also stays for a member whose session has expired; the shell covers it then.
  if (isAuthenticated || member) return <Outlet key={member} />;
  return (
    <PageFrame>
      <SignInPage />
    </PageFrame>
  );
}
