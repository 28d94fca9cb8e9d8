import type { VariantDetail } from '@brand-portal/contract/variant-detail';
import { NO_FIELDS } from '@brand-portal/contract/variant-fields';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { Route, Routes } from 'react-router';
import { AppRouter } from '../../../app/app-router.tsx';
import { refusal, renderAt } from '../../brands/test-support/brands.tsx';
import { VariantsPage } from '../variants-page.tsx';
import { makeVariant, manyVariants, mockVariants } from './variants.tsx';

export const detailUrl = /\/api\/v1\/brands\/1\/variants\/(\d+)\/$/;

export function makeDetail(id: number, change: Partial<VariantDetail> = {}): VariantDetail {
  return {
    ...NO_FIELDS,
    ...makeVariant(id),
    category: 'Clothing',
    description: 'Warm.',
    image_link: 'https://fjord.no/s.jpg',
    version: 3,
    may_edit: true,
    countries: [],
    issues: [],
    readiness: [],
    certificates: [],
    timeline: [{ kind: 'created', at: '2025-10-01T08:00:00Z', by: 'Ana Ruiz', import: null, changes: [], detail: '' }],
    ...change,
  };
}

export const fsc = {
  id: 9,
  certification_name: 'FSC',
  certifying_body_name: 'FSC Council',
  status: 'validated' as const,
  reason: 'listed',
  external_certificate_id: 'FSC-C1',
  expires_on: null,
};

/** Mocks the list and the details; records what is saved. */
export function mockDetails(details: VariantDetail[] = [1, 2, 3].map((id) => makeDetail(id)), variants = manyVariants(3)) {
  const saved: unknown[] = [];
  const find = (id: unknown) => details.find((detail) => detail.id === Number(id));
  const handlers = [
    ...mockVariants(variants).handlers,
    http.get(detailUrl, ({ params }) => {
      const detail = find(params[0]);
      return detail ? HttpResponse.json(detail) : refusal('variant_not_found');
    }),
    http.patch(detailUrl, async ({ params, request }) => {
      const { version: _version, ...body } = (await request.json()) as Partial<VariantDetail>;
      saved.push({ version: _version, ...body });
      const detail = find(params[0]) as VariantDetail;
      Object.assign(detail, body, { version: detail.version + 1 });
      return HttpResponse.json(detail);
    }),
  ];
  return { saved, handlers };
}

export const panel = (name = 'Wool socks 1') => screen.findByRole('dialog', { name });
export const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
export const field = (name: string) => screen.getByRole('textbox', { name });

/** Opens a URL of brand 1 in the router of the app, which asks before unsaved changes are lost. */
export async function openVariants(query = '') {
  window.history.replaceState(null, '', '/brands');
  window.history.pushState(null, '', `/brands/1/product-variants${query}`);
  const { queryClient } = renderAt(
    '',
    <Routes>
      <Route path="/brands" element={null} />
      <Route path="/brands/:id/product-variants/:variantId?" element={<VariantsPage onAdd={() => {}} />} />
    </Routes>,
    AppRouter,
  );
  await screen.findByText(/^Showing/);
  return { queryClient, path: () => window.location.pathname, query: () => window.location.search };
}
