import type { BrandAnswer } from '@brand-portal/contract/brands';
import type { ImportForMember, ImportReceipt } from '@brand-portal/contract/import';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { brandQuery } from '../../brands/brands-queries.ts';
import { fjord } from '../../brands/test-support/brands.tsx';
import { ImportPage } from '../import-page.tsx';
import { ImportsPage } from '../imports-page.tsx';
import { receipt } from './import.tsx';

export const importsUrl = '*/api/v1/brands/1/imports/';
/** Loaded again after an import. */
export const brandHandler = (brand: BrandAnswer = fjord) => http.get('*/api/v1/brands/1/', () => HttpResponse.json(brand));
export const groupsUrl = '*/api/v1/brands/1/imports/7/error-groups/';
export const correctionsUrl = '*/api/v1/brands/1/imports/7/corrections/';
export const changesUrl = '*/api/v1/brands/1/imports/7/changes/';
export const undoUrl = '*/api/v1/brands/1/imports/7/undo/';

/** An import that has ended and can be undone. */
export function doneImport(change: Partial<ImportForMember> = {}): ImportForMember {
  return {
    ...receipt({ state: 'done', stage: null, rows_done: 20, total_rows: 20, imported: 20, rows_total: 20 }),
    imported_by: { first_name: 'Ada', last_name: 'Byron', email: 'ada@example.com' },
    variants_created: 11,
    variants_updated: 5,
    variants_unchanged: 4,
    may_edit: true,
    undo_until: new Date(Date.now() + 86_400_000).toISOString(),
    ...change,
  };
}

export function listed(change: Partial<ImportReceipt> = {}): ImportReceipt {
  const { errors: _errors, kept: _kept, may_edit: _mayEdit, ...fields } = doneImport();
  return { ...fields, ...change };
}

/** Opens the pages of imports at a path below the brand's. Failed calls are not retried. */
export function openImports(address = 'imports', brand: BrandAnswer = fjord) {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 60_000 } } });
  // The brand's shell, around these pages, has loaded it.
  queryClient.setQueryData(brandQuery(1).queryKey, brand);
  const router = createMemoryRouter(
    [
      { path: '/brands/:id/imports', element: <ImportsPage /> },
      { path: '/brands/:id/imports/:importId', element: <ImportPage /> },
    ],
    { initialEntries: [`/brands/1/${address}`] },
  );
  render(
    <QueryClientProvider client={queryClient}>
      <main tabIndex={-1}>
        <RouterProvider router={router} />
      </main>
    </QueryClientProvider>,
  );
  return { router, queryClient };
}

export const table = () => screen.getByRole('table', { name: 'Imports' });
export const cellsOf = (row: number) =>
  within(within(table()).getAllByRole('row')[row] as HTMLElement)
    .getAllByRole('cell')
    .map(({ textContent }) => textContent);
