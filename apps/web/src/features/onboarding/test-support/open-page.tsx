import { PAGES } from '@brand-portal/contract/pages';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { MemoryRouter, Route, Routes, useLocation, useNavigationType } from 'react-router';
import { createQueryClient } from '../../../lib/query-client.ts';
import { SetupPasswordPage } from '../setup-password-page.tsx';
import { VerifyEmailPage } from '../verify-email-page.tsx';

function Address() {
  const { pathname, search, state } = useLocation();
  const whom = state?.email ? ` for ${state.email}` : '';
  return <output aria-label="address">{`${useNavigationType()} ${pathname}${search}${whom}`}</output>;
}

/** Both onboarding pages, and a placeholder for the page they lead to. */
export function openPage(path: string) {
  const queryClient = createQueryClient();
  const { queries } = queryClient.getDefaultOptions();
  // Retry delays are tested with the query client.
  queryClient.setDefaultOptions({ queries: { ...queries, retryDelay: 0 } });
  return render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter initialEntries={[path]}>
        <Routes>
          <Route path={PAGES.verifyEmail} element={<VerifyEmailPage />} />
          <Route path={PAGES.setupPassword} element={<SetupPasswordPage />} />
          <Route path={PAGES.login} element={<h1>Sign in</h1>} />
        </Routes>
        <Address />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

/** How the router navigated, and the current URL. */
export const address = () => screen.getByRole('status', { name: 'address' }).textContent;
