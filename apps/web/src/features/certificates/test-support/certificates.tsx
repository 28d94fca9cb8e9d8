import type { ListedCertification } from '@brand-portal/contract/certificates';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { fjord } from '../../brands/test-support/brands.tsx';
import { CertificatesPage } from '../certificates-page.tsx';

export const listUrl = '*/api/v1/brands/1/certifications/';

let nextId = 1;

export function makeCertificate(id: string, change: Partial<ListedCertification> = {}): ListedCertification {
  return {
    id: nextId++,
    certificate_id: id,
    certifying_body_code: 'FSC',
    certifying_body_name: 'Forest Stewardship Council',
    certification_name: 'FSC',
    overall_status: 'validated',
    reason: 'listed',
    expires_on: null,
    variants: 0,
    live_variants: 0,
    ...change,
  };
}

/** The brand, with the member's role. */
export const mockBrand = (role: 'editor' | 'viewer' = 'editor') =>
  http.get('*/api/v1/brands/1/', () => HttpResponse.json({ ...fjord, role }));

/** The message on actions that a viewer may not use. */
export const VIEWERS_HINT = 'Your role in this brand is Viewer; this takes at least the role Editor. Ask Olivia Lindqvist.';

/** Mocks the list: searches, filters, sorts and pages like the server. Records the requests. */
export function mockCertificates(certificates: readonly ListedCertification[]) {
  const requests: Record<string, string>[] = [];
  const handler = http.get(listUrl, ({ request }) => {
    const query = Object.fromEntries(new URL(request.url).searchParams);
    requests.push(query);
    const words = (query.search ?? '').toLowerCase().split(' ');
    const found = certificates.filter(
      ({ certificate_id, certifying_body_name, certification_name, overall_status }) =>
        words.every((word) => `${certificate_id} ${certifying_body_name} ${certification_name}`.toLowerCase().includes(word)) &&
        (query.status ?? overall_status) === overall_status,
    );
    const [page, size] = [Number(query.page), Number(query.page_size)];
    return HttpResponse.json({ results: found.slice((page - 1) * size, page * size), count: found.length });
  });
  return { handler, requests };
}

export function openCertificates(query = '') {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const router = createMemoryRouter(
    [
      { path: '/brands/:id/certifications/:certificateId?', element: <CertificatesPage /> },
      { path: '/brands/:id/product-variants', element: <p>The variants</p> },
    ],
    { initialEntries: [`/brands/1/certifications${query}`] },
  );
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return { router, queryClient, query: () => router.state.location.search };
}

export const table = () => screen.getByRole('table', { name: /Certificates|Certificados/ });
export const bodyRows = () => within(table()).getAllByRole('row').slice(1);
export const ids = () => bodyRows().map((row) => within(row).getAllByRole('cell')[0]?.textContent);
export const searchBox = () => screen.getByRole('searchbox', { name: 'Search certificates' });
