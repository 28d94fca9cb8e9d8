import { PAGES } from '@brand-portal/contract/pages';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useRoutes } from 'react-router';
import { ConfigurationErrorPage } from '../features/auth/configuration-error-page.tsx';
import { isProviderConfigured } from '../features/auth/provider-client.ts';
import { useSession } from '../features/auth/use-session.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { FullScreenSpinner } from '../ui/spinner.tsx';
import { PageError } from './page-error.tsx';
import { routes } from './routes.tsx';

/** The page at the current URL. Needs a router and `Providers` around it. */
export function App() {
  return isProviderConfigured() ? <ConfiguredApp /> : <ConfigurationErrorPage />;
}

function ConfiguredApp() {
  useSession();
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const page = useRoutes(routes);
  const label = pathname === PAGES.callback ? t('auth.completing') : undefined;
  return (
    <ErrorBoundary resetKey={pathname} fallback={<PageError />}>
      {/* Shown on the first load only: later navigations keep the old page until the new one's code is loaded. */}
      <Suspense fallback={<FullScreenSpinner label={label} />}>{page}</Suspense>
    </ErrorBoundary>
  );
}
