import { PAGES } from '@brand-portal/contract/pages';
import type { QueryClient } from '@tanstack/react-query';
import { matchPath, Navigate, type Path, type RouteObject } from 'react-router';
import { useAuthStore } from '../features/auth/auth-store.ts';
import { passwordPage } from '../features/auth/provider-client.ts';
import { signOut } from '../features/auth/sign-out.ts';
import { lazyFrom, withTexts } from '../lib/lazy.ts';
import { parseId } from '../lib/paths.ts';
import { PageErrorMessage } from './page-error.tsx';
import { PageFrame } from './page-frame.tsx';
import { loadMainShell, MainShell, SignedInArea } from './signed-in-area.tsx';

const CallbackPage = lazyFrom(
  withTexts(() => import('../features/auth/callback-page.tsx')),
  'CallbackPage',
);
const VerifyEmailPage = lazyFrom(
  withTexts(() => import('../features/onboarding/verify-email-page.tsx'), 'onboarding'),
  'VerifyEmailPage',
);
const SetupPasswordPage = lazyFrom(
  withTexts(() => import('../features/onboarding/setup-password-page.tsx'), 'onboarding'),
  'SetupPasswordPage',
);
const loadBrands = withTexts(() => import('../features/brands/brands-page.tsx'));
const BrandsPage = lazyFrom(loadBrands, 'BrandsPage');
const loadBrandShell = withTexts(() => import('../features/brands/brand-shell.tsx'));
const BrandShell = lazyFrom(loadBrandShell, 'BrandShell');
const loadVariants = withTexts(() => import('./variants-route.tsx'));
const VariantsRoute = lazyFrom(loadVariants, 'VariantsRoute');
const CertificatesPage = lazyFrom(
  withTexts(() => import('../features/certificates/certificates-page.tsx'), 'certificates'),
  'CertificatesPage',
);
const ImportsPage = lazyFrom(
  withTexts(() => import('../features/import/imports-page.tsx'), 'imports'),
  'ImportsPage',
);
const ImportPage = lazyFrom(
  withTexts(() => import('../features/import/import-page.tsx'), 'imports'),
  'ImportPage',
);
const AttentionPage = lazyFrom(
  withTexts(() => import('../features/attention/attention-page.tsx'), 'attention'),
  'AttentionPage',
);
const TeamPage = lazyFrom(
  withTexts(() => import('../features/team/team-page.tsx'), 'team'),
  'TeamPage',
);
const SettingsPage = lazyFrom(
  withTexts(() => import('../features/settings/settings-page.tsx'), 'settings'),
  'SettingsPage',
);
const ApiKeysPage = lazyFrom(
  withTexts(() => import('../features/api-keys/api-keys-page.tsx'), 'api-keys'),
  'ApiKeysPage',
);
const AccountPage = lazyFrom(
  withTexts(() => import('../features/account/account-page.tsx'), 'account'),
  'AccountPage',
);
const HistoryPage = lazyFrom(
  withTexts(() => import('../features/history/history-page.tsx'), 'history'),
  'HistoryPage',
);
const ReviewsPage = lazyFrom(
  withTexts(() => import('../features/reviews/reviews-page.tsx'), 'platform'),
  'ReviewsPage',
);
const PlatformBrandsPage = lazyFrom(
  withTexts(() => import('../features/platform/platform-brands-page.tsx'), 'platform'),
  'PlatformBrandsPage',
);
const loadPlatform = withTexts(() => import('../features/platform/platform-pages.tsx'), 'platform');
const FailuresPage = lazyFrom(loadPlatform, 'FailuresPage');
const RegistriesPage = lazyFrom(loadPlatform, 'RegistriesPage');
const JobsPage = lazyFrom(loadPlatform, 'JobsPage');
const NotFoundPage = lazyFrom(
  withTexts(() => import('./not-found-page.tsx')),
  'NotFoundPage',
);

/**
 * Starts what a member's first page needs: its code and, once there is code that can ask for it, its data. Waits for the shell's code
 * only: without it React would show one placeholder after the other, each for at least 300 ms. What cannot be loaded is reported by the
 * page itself.
 */
export async function loadFirstPage(queryClient: QueryClient, { pathname = '', search = '' }: Partial<Path>): Promise<void> {
  const isSignedIn = () => useAuthStore.getState().isAuthenticated;
  if (!isSignedIn()) return;
  const shell = loadMainShell().catch(() => undefined);
  const begin = <Module,>(load: () => Promise<Module>, prefetch: (part: Module) => void) =>
    void load().then(
      // The session may have ended meanwhile.
      (part) => isSignedIn() && prefetch(part),
      () => undefined,
    );
  if ([PAGES.home, PAGES.login, PAGES.brands].some((path) => path === pathname)) {
    begin(loadBrands, ({ prefetchBrands }) => prefetchBrands(queryClient));
  }
  const { id, page = 'product-variants' } = matchPath(`${PAGES.brand}/:page?/*`, pathname)?.params ?? {};
  const brandId = parseId(id);
  if (brandId) begin(loadBrandShell, ({ prefetchBrand }) => prefetchBrand(queryClient, brandId));
  if (brandId && page === 'product-variants') {
    begin(loadVariants, ({ prefetchVariants }) => prefetchVariants(queryClient, brandId, search));
  }
  await shell;
}

export const routes: RouteObject[] = [
  { path: PAGES.callback, element: <CallbackPage loadPage={loadFirstPage} /> },
  {
    element: <PageFrame />,
    children: [
      { path: PAGES.verifyEmail, element: <VerifyEmailPage /> },
      { path: PAGES.setupPassword, element: <SetupPasswordPage /> },
    ],
  },
  {
    element: <SignedInArea />,
    children: [
      { path: PAGES.home, element: <Navigate to={PAGES.brands} replace /> },
      { path: PAGES.login, element: <Navigate to={PAGES.brands} replace /> },
      {
        element: <MainShell />,
        children: [
          { path: PAGES.brands, element: <BrandsPage /> },
          {
            path: PAGES.brand,
            children: [
              { index: true, element: <Navigate to="product-variants" replace /> },
              {
                element: <BrandShell notFound={<NotFoundPage />} pageError={<PageErrorMessage />} />,
                children: [
                  { path: `${PAGES.productVariant}?`, element: <VariantsRoute /> },
                  { path: `${PAGES.certification}?`, element: <CertificatesPage /> },
                  { path: PAGES.imports, element: <ImportsPage /> },
                  { path: PAGES.import, element: <ImportPage /> },
                  { path: PAGES.attention, element: <AttentionPage /> },
                  { path: PAGES.team, element: <TeamPage /> },
                  { path: PAGES.settings, element: <SettingsPage /> },
                  { path: PAGES.apiKeys, element: <ApiKeysPage /> },
                  { path: PAGES.history, element: <HistoryPage /> },
                ],
              },
            ],
          },
          { path: PAGES.account, element: <AccountPage findPasswordPage={passwordPage} signOut={signOut} /> },
          { path: PAGES.reviews, element: <ReviewsPage notFound={<NotFoundPage />} /> },
          { path: PAGES.platform, element: <Navigate to={PAGES.platformBrands} replace /> },
          { path: PAGES.platformBrands, element: <PlatformBrandsPage notFound={<NotFoundPage />} /> },
          { path: PAGES.platformFailures, element: <FailuresPage notFound={<NotFoundPage />} /> },
          { path: PAGES.platformRegistries, element: <RegistriesPage notFound={<NotFoundPage />} /> },
          { path: PAGES.platformJobs, element: <JobsPage notFound={<NotFoundPage />} /> },
          { path: '*', element: <NotFoundPage /> },
        ],
      },
    ],
  },
];
