import type { Brand, BrandList } from '@brand-portal/contract/brands';
import type { ErrorCode } from '@brand-portal/contract/errors';
import { ERROR_STATUS } from '@brand-portal/contract/errors';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render } from '@testing-library/react';
import { HttpResponse } from 'msw';
import type { ComponentType, ReactElement, ReactNode } from 'react';
import { MemoryRouter, useLocation } from 'react-router';

export const fjord: Brand = {
  id: 1,
  name: 'Fjord & Forest',
  logo: '/demo-logos/fjord.svg',
  website: 'https://www.fjord-forest.example/',
  status: 'active',
  opted_in_for_trial: true,
  description: 'Outdoor clothing, made to be mended.',
  member_count: 3,
  owner: { first_name: 'Olivia', last_name: 'Lindqvist' },
};

export const tiny: Brand = {
  id: 2,
  name: 'Tiny',
  logo: '',
  website: '',
  status: 'pending',
  opted_in_for_trial: false,
  description: '',
  member_count: 1,
  owner: { first_name: '', last_name: '' },
};

export const brandList: BrandList = { results: [fjord, tiny], member_count: 1_234 };

export function refusal(code: ErrorCode) {
  return HttpResponse.json({ detail: code, code, request_id: 'r' }, { status: ERROR_STATUS[code] });
}

function Address() {
  return <output aria-label="address">{useLocation().pathname}</output>;
}

function RouterAt({ path, children }: { path: string; children: ReactNode }) {
  return <MemoryRouter initialEntries={[path]}>{children}</MemoryRouter>;
}

/**
 * Renders with a query client and a router, at `path` or with the test's own router. Failed calls are not retried, to
 * keep tests fast.
 */
export function renderAt(path: string, element: ReactElement, Router: ComponentType<{ path: string; children: ReactNode }> = RouterAt) {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 60_000 } } });
  const view = render(
    <QueryClientProvider client={queryClient}>
      <Router path={path}>
        {element}
        <Address />
      </Router>
    </QueryClientProvider>,
  );
  return { ...view, queryClient };
}

/** The browser's Back, for tests with the router of the app. */
export const goBack = () =>
  act(async () => {
    const { promise: isThere, resolve } = Promise.withResolvers<unknown>();
    window.addEventListener('popstate', resolve, { once: true });
    window.history.back();
    await isThere;
  });
