import { PAGES } from '@brand-portal/contract/pages';
import { lazy } from 'react';
import { matchPath, Navigate, type RouteObject } from 'react-router';
import { passwordPage } from '../features/auth/provider-client.ts';
import { signOut } from '../features/auth/sign-out.ts';
import type { BrandPrefetch } from '../features/brands/brand-shell.tsx';
import { loadTexts } from '../lib/i18n.ts';
import { PageErrorMessage } from './page-error.tsx';
import { PageFrame } from './page-frame.tsx';
import { MainShell, SignedInArea } from './signed-in-area.tsx';

const CallbackPage = lazy(async () => ({ default: (await import('../features/auth/callback-page.tsx')).CallbackPage }));
const VerifyEmailPage = lazy(async () => {
  const [page] = await Promise.all([import('../features/onboarding/verify-email-page.tsx'), loadTexts('onboarding')]);
  return { default: page.VerifyEmailPage };
});
const SetupPasswordPage = lazy(async () => {
  const [page] = await Promise.all([import('../features/onboarding/setup-password-page.tsx'), loadTexts('onboarding')]);
  return { default: page.SetupPasswordPage };
});
const BrandsPage = lazy(async () => ({ default: (await import('../features/brands/brands-page.tsx')).BrandsPage }));
const BrandShell = lazy(async () => ({ default: (await import('../features/brands/brand-shell.tsx')).BrandShell }));
const loadVariants = () => import('./variants-route.tsx');
const VariantsRoute = lazy(async () => ({ default: (await loadVariants()).VariantsRoute }));
const CertificatesPage = lazy(async () => ({
  default: (await import('../features/certificates/certificates-page.tsx')).CertificatesPage,
}));
const ImportsPage = lazy(async () => ({ default: (await import('../features/import/imports-page.tsx')).ImportsPage }));
const ImportPage = lazy(async () => ({ default: (await import('../features/import/import-page.tsx')).ImportPage }));
const AttentionPage = lazy(async () => ({
  default: (await import('../features/attention/attention-page.tsx')).AttentionPage,
}));
const TeamPage = lazy(async () => {
  const [page] = await Promise.all([import('../features/team/team-page.tsx'), loadTexts('team')]);
  return { default: page.TeamPage };
});
const SettingsPage = lazy(async () => ({
  default: (await import('../features/settings/settings-page.tsx')).SettingsPage,
}));
const ApiKeysPage = lazy(async () => {
  const [page] = await Promise.all([import('../features/api-keys/api-keys-page.tsx'), loadTexts('api-keys')]);
  return { default: page.ApiKeysPage };
});
const AccountPage = lazy(async () => {
  const [page] = await Promise.all([import('../features/account/account-page.tsx'), loadTexts('account')]);
  return { default: page.AccountPage };
});
const HistoryPage = lazy(async () => {
  const [page] = await Promise.all([import('../features/history/history-page.tsx'), loadTexts('history')]);
  return { default: page.HistoryPage };
});
const ReviewsPage = lazy(async () => ({
  default: (await import('../features/reviews/reviews-page.tsx')).ReviewsPage,
}));
const PlatformBrandsPage = lazy(async () => {
  const [page] = await Promise.all([import('../features/platform/platform-brands-page.tsx'), loadTexts('platform')]);
  return { default: page.PlatformBrandsPage };
});
const loadPlatform = async () => {
  const [pages] = await Promise.all([import('../features/platform/platform-pages.tsx'), loadTexts('platform')]);
  return pages;
};
const FailuresPage = lazy(async () => ({ default: (await loadPlatform()).FailuresPage }));
const RegistriesPage = lazy(async () => ({ default: (await loadPlatform()).RegistriesPage }));
const JobsPage = lazy(async () => ({ default: (await loadPlatform()).JobsPage }));
const NotFoundPage = lazy(async () => ({ default: (await import('./not-found-page.tsx')).NotFoundPage }));

/**
 * Prefetches the data of a brand's page in parallel with the brand. If the page's code cannot be loaded, the page
 * itself reports that or fetches later.
 */
const prefetchPage: BrandPrefetch = async (queryClient, brandId, { pathname, search }) => {
  if (!matchPath(PAGES.productVariants, pathname)) return;
  await loadVariants().then(
    ({ prefetchVariants }) => prefetchVariants(queryClient, brandId, search),
    () => undefined,
  );
};

export const routes: RouteObject[] = [
  { path: PAGES.callback, element: <CallbackPage /> },
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
                element: (
                  <BrandShell notFound={<NotFoundPage />} pageError={<PageErrorMessage />} prefetch={prefetchPage} />
                ),
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
