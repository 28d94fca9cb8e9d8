import { PAGES } from '@brand-portal/contract/pages';
import { lazy } from 'react';
import { Navigate, type RouteObject } from 'react-router';
import { PageFrame } from './page-frame.tsx';
import { SignedInArea } from './signed-in-area.tsx';

const CallbackPage = lazy(async () => ({ default: (await import('../features/auth/callback-page.tsx')).CallbackPage }));
const UnavailablePage = lazy(async () => ({ default: (await import('./unavailable-page.tsx')).UnavailablePage }));
const NotFoundPage = lazy(async () => ({ default: (await import('./not-found-page.tsx')).NotFoundPage }));

export const routes: RouteObject[] = [
  { path: PAGES.callback, element: <CallbackPage /> },
  {
    element: <PageFrame />,
    children: [
      { path: PAGES.verifyEmail, element: <UnavailablePage /> },
      { path: PAGES.setupPassword, element: <UnavailablePage /> },
    ],
  },
  {
    element: <SignedInArea />,
    children: [
      { path: PAGES.home, element: <Navigate to={PAGES.brands} replace /> },
      { path: PAGES.login, element: <Navigate to={PAGES.brands} replace /> },
      {
        element: <PageFrame />,
        children: [
          { path: PAGES.brands, element: <UnavailablePage /> },
          {
            path: PAGES.brand,
            children: [
              { index: true, element: <Navigate to="product-variants" replace /> },
              { path: 'product-variants', element: <UnavailablePage /> },
              { path: 'certifications', element: <UnavailablePage /> },
            ],
          },
          { path: '*', element: <NotFoundPage /> },
        ],
      },
    ],
  },
];
