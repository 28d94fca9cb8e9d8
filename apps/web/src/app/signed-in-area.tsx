import { lazy } from 'react';
import { Outlet } from 'react-router';
import { useAuthStore } from '../features/auth/auth-store.ts';
import { FullScreenSpinner } from '../ui/spinner.tsx';
import { PageFrame } from './page-frame.tsx';

const SignInPage = lazy(async () => ({ default: (await import('../features/auth/sign-in-page.tsx')).SignInPage }));

/** The pages of members. Whoever is signed out sees the sign-in page in their place, at the same address. */
export function SignedInArea() {
  const isLoading = useAuthStore((state) => state.isLoading);
  const isAuthenticated = useAuthStore((state) => state.isAuthenticated);
  if (isLoading) return <FullScreenSpinner />;
  if (isAuthenticated) return <Outlet />;
  return (
    <PageFrame>
      <SignInPage />
    </PageFrame>
  );
}
