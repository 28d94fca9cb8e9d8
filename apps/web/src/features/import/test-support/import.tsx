import type { CsvUploadResult, ImportDetail, ImportPreview } from '@brand-portal/contract/import';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, type RenderOptions, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { useState } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { brandQuery } from '../../brands/brands-queries.ts';
import { fjord } from '../../brands/test-support/brands.tsx';
import { ImportsPage } from '../imports-page.tsx';
import { UploadDialog } from '../upload-dialog.exported.tsx';

export const headersUrl = '*/api/v1/variant-certifications/csv-headers/';
export const templateUrl = '*/api/v1/variant-certifications/template/';
export const catalogueUrl = '*/api/v1/certifications/';
export const uploadUrl = '*/api/v1/brands/1/variant-certifications/upload/';
export const importUrl = '*/api/v1/brands/1/imports/7/';
export const cancelUrl = '*/api/v1/brands/1/imports/7/cancel/';
export const rejectedUrl = '*/api/v1/brands/1/imports/7/rejected-rows/';

const csvHeaders = {
  columns: ['variant_name', 'gtin', 'category', 'certificate_id'],
  required_columns: ['variant_name', 'gtin'],
  optional_columns: ['category', 'certificate_id'],
};

/** The requests that the dialog makes when it opens. */
export const dialogHandlers = () => [
  http.get('*/api/v1/brands/1/', () => HttpResponse.json(fjord)),
  http.get(headersUrl, () => HttpResponse.json(csvHeaders)),
  http.get(catalogueUrl, () =>
    HttpResponse.json([
      { id: 1, name: 'Fairtrade' },
      { id: 2, name: 'FSC Mix' },
    ]),
  ),
];

export function result(change: Partial<CsvUploadResult> = {}): CsvUploadResult {
  return {
    errors: [],
    imported: 2,
    total_rows: 2,
    error_count: 0,
    warnings: [],
    import_id: 7,
    variants_created: 2,
    variants_updated: 0,
    variants_unchanged: 0,
    ...change,
  };
}

/** The import of the file above, by default a running one. */
export function receipt(change: Partial<ImportDetail> = {}): ImportDetail {
  return {
    ...{
      kind: 'file',
      outcome: null,
      id: 7,
      file_name: 'socks.csv',
      file_bytes: 50,
      file_sha256: 'x',
      created_at: '2026-11-16T00:00:00Z',
    },
    imported_by: null,
    state: 'running',
    stage: 'reading',
    rows_done: 0,
    rows_total: 2,
    failure: null,
    total_rows: 0,
    imported: 0,
    rejected: 0,
    error_count: 0,
    variants_created: 0,
    variants_updated: 0,
    ...{
      variants_unchanged: 0,
      variants_removed: 0,
      undoes_import_id: null,
      corrects_import_id: null,
      undo_until: null,
      changed_nothing: false,
      kept_count: 0,
      kept: [],
    },
    warnings: [],
    errors: [],
    ...change,
  };
}

const unchanged = {
  category: '',
  old_name: null,
  old_category: null,
  details: {},
  old_details: null,
  certificates: [],
  old_certificates: [],
};

/** The answer to a dry run of the file. */
export function preview(change: Partial<ImportPreview> = {}): ImportPreview {
  return {
    import_id: 7,
    file_name: 'socks.csv',
    valid_until: '2026-11-16T00:30:00Z',
    total_rows: 4,
    rejected: 1,
    error_count: 1,
    variants_created: 1,
    variants_updated: 1,
    variants_unchanged: 1,
    needs_trial: false,
    channel: { published: 0, sent_again: 2 },
    created: [{ ...unchanged, gtin: '4006381333931', name: 'Socks', certificates: ['FSC FSC-C1'] }],
    updated: [
      { ...unchanged, gtin: '96385074', name: 'Sea salt', old_name: 'Salt' },
      { ...unchanged, gtin: '40170725', name: 'Tea', certificates: ['Fairtrade B'], old_certificates: ['Fairtrade A'] },
    ],
    errors: [{ row: 5, message: 'The GTIN is too short.', field: 'gtin', code: 'gtin_length' }],
    warnings: [],
    likely_ids: [],
    same_as: null,
    ...change,
  };
}

export const csvFile = (content = 'variant_name*,gtin*\r\nSocks,4006381333931\r\n', name = 'socks.csv') =>
  new File([content], name, { type: 'text/csv' });

function Page() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Add
      </button>
      <UploadDialog brandId={1} open={open} onOpenChange={setOpen} />
    </>
  );
}

/** Opens the dialog by its button; one link of it leads to the Imports page. Failed calls are not retried, to keep tests fast. */
export async function openDialog(options: RenderOptions = {}) {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 60_000 } } });
  // The brand's shell, around the page, has loaded it.
  queryClient.setQueryData(brandQuery(1).queryKey, fjord);
  const router = createMemoryRouter([
    { path: '/', element: <Page /> },
    { path: '/brands/:id/imports', element: <ImportsPage /> },
  ]);
  const view = render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
    options,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Add' }));
  return { ...view, queryClient, router };
}

export const uploadButton = () => screen.getByRole('button', { name: /^(Upload File|Subir archivo)$/ });
export const fileInput = () => screen.getByLabelText<HTMLInputElement>(/^(CSV( or Excel)? file|Archivo CSV( o Excel)?)$/);

export async function pick(...files: File[]) {
  // With "all files" in the picker a user can bypass its filter.
  await userEvent.upload(fileInput(), files, { applyAccept: false });
}

export function drop(...files: File[]) {
  const zone = fileInput().parentElement as HTMLElement;
  const items = files.map((file) => ({ kind: 'file', type: file.type, getAsFile: () => file }));
  fireEvent.drop(zone, { dataTransfer: { files, items, types: ['Files'] } });
}

export async function uploadPicked(file = csvFile()) {
  await pick(file);
  await userEvent.click(uploadButton());
}
