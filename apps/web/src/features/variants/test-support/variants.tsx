import type { VariantCertification } from '@brand-portal/contract/certificates';
import type { ProductVariant } from '@brand-portal/contract/variants';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { fjord } from '../../brands/test-support/brands.tsx';
import { VariantsPage } from '../variants-page.tsx';

export function makeVariant(id: number, change: Partial<ProductVariant> = {}): ProductVariant {
  return {
    id,
    gtin: String(4_006_381_000_000 + id),
    name: `Wool socks ${id}`,
    published: false,
    created_at: '2025-10-01T08:00:00Z',
    certifications: [],
    channel: null,
    ...change,
  };
}

export function makeCertification(name: string, change: Partial<VariantCertification> = {}): VariantCertification {
  return {
    certification_name: name,
    certifying_body_name: `${name} Council`,
    status: 'validated',
    reason: '',
    external_certificate_id: `${name}-1`,
    ...change,
  };
}

export const manyVariants = (count: number) => Array.from({ length: count }, (_variant, index) => makeVariant(index + 1));

export const listUrl = '*/api/v1/brands/1/variants/';

/** Mocks the list of variants: searches, filters and pages like the server. Records the requests. */
export function mockVariants(variants: readonly ProductVariant[], brand = fjord) {
  const requests: Record<string, string>[] = [];
  const handlers = [
    http.get('*/api/v1/brands/1/', () => HttpResponse.json(brand)),
    http.get(listUrl, ({ request }) => {
      const query = Object.fromEntries(new URL(request.url).searchParams);
      requests.push(query);
      const found = variants.filter(
        ({ gtin, name, published, certifications }) =>
          (gtin + name).toLowerCase().includes((query.search ?? '').toLowerCase()) &&
          (query.published ?? String(published)) === String(published) &&
          (query.has_certs ?? String(certifications.length > 0)) === String(certifications.length > 0) &&
          // Rows do not have the ids of their certificates, so such a filter matches none.
          query.certificate === undefined,
      );
      if (query.ordering?.endsWith('name')) found.sort((a, b) => (a.name < b.name ? -1 : 1));
      if (query.ordering === '-name') found.reverse();
      const [page, size] = [Number(query.page), Number(query.page_size)];
      return HttpResponse.json({ results: found.slice((page - 1) * size, page * size), count: found.length });
    }),
  ];
  return { handlers, requests };
}

/** Opens a URL of brand 1. Failed calls are not retried, to keep tests fast. */
export function openVariants(query = '', onAdd = () => {}) {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 60_000 } } });
  const router = createMemoryRouter(
    [
      { path: '/brands', element: null },
      {
        path: '/brands/:id/product-variants/:variantId?',
        element: <VariantsPage onAdd={onAdd} />,
      },
    ],
    { initialEntries: ['/brands', `/brands/1/product-variants${query}`], initialIndex: 1 },
  );
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return { router, queryClient, query: () => router.state.location.search };
}

export const table = () => screen.getByRole('table');
export const bodyRows = () => within(table()).getAllByRole('row').slice(1);
export const names = () => bodyRows().map((row) => within(row).getAllByRole('cell')[2]?.textContent);
export const searchBox = () => screen.getByRole('searchbox', { name: 'Search product variants' });
