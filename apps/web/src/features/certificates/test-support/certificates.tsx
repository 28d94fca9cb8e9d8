import type { BrandCertification } from '@brand-portal/contract/certificates';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { configure, render, screen, within } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { vi } from 'vitest';
import { CertificatesPage } from '../certificates-page.tsx';

// Whole screens and a mocked network: a busy machine needs more than the usual second.
configure({ asyncUtilTimeout: 8_000 });
vi.setConfig({ testTimeout: 30_000 });

export const listUrl = '*/api/v1/brands/1/certifications/';

let nextId = 1;

export function makeCertificate(id: string, change: Partial<BrandCertification> = {}): BrandCertification {
  return {
    id: nextId++,
    certificate_id: id,
    certifying_body_code: 'FSC',
    certifying_body_name: 'Forest Stewardship Council',
    certification_name: 'FSC',
    overall_status: 'validated',
    reason: 'listed',
    ...change,
  };
}

export function openCertificates() {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const router = createMemoryRouter(
    [
      { path: '/brands/:id/certifications', element: <CertificatesPage /> },
      { path: '/brands/:id/product-variants', element: <p>The variants</p> },
    ],
    { initialEntries: ['/brands/1/certifications'] },
  );
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return { router, queryClient };
}

export const table = () => screen.getByRole('table', { name: /Certificates|Certificados/ });
export const bodyRows = () => within(table()).getAllByRole('row').slice(1);
export const ids = () => bodyRows().map((row) => within(row).getAllByRole('cell')[0]?.textContent);
export const searchBox = () => screen.getByRole('searchbox', { name: 'Search certificates' });
