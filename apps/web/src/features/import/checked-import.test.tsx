import type { ImportForMember } from '@brand-portal/contract/import';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { startMockServer } from '../../test/mock-server.ts';
import { clearToasts, getToasts } from '../../ui/toast-store.ts';
import { fjord, refusal } from '../brands/test-support/brands.tsx';
import { cancelUrl, importUrl, preview, result } from './test-support/import.tsx';
import { changesUrl, doneImport, groupsUrl, importsUrl, openImports } from './test-support/imports.tsx';

const server = startMockServer();
const previewUrl = '*/api/v1/brands/1/imports/7/preview/';
const confirmUrl = '*/api/v1/brands/1/imports/7/confirm/';
const warnings = [{ code: 'ignored_columns', message: 'Unknown columns are ignored: Notes.' }];

let now: Partial<ImportForMember>;
beforeEach(() => {
  clearToasts();
  now = { state: 'checked', total_rows: 0, undo_until: null, warnings };
  server.use(
    http.get(importUrl, () => HttpResponse.json(doneImport(now))),
    http.get(previewUrl, () => HttpResponse.json(preview({ warnings }))),
    http.get(changesUrl, () => HttpResponse.json({ results: [], count: 0 })),
    http.get(groupsUrl, () => HttpResponse.json([])),
    http.get(importsUrl, () => HttpResponse.json({ results: [], count: 0 })),
  );
});

test('a check is shown on its page as in the dialog, and can be imported from there', async () => {
  const confirmed: unknown[] = [];
  server.use(
    http.post(confirmUrl, async ({ request }) => {
      confirmed.push(await request.json());
      now = { state: 'done', imported: 3 };
      return HttpResponse.json(result());
    }),
  );
  openImports('imports/7');
  expect(await screen.findByText('Nothing has been imported yet')).toBeVisible();
  expect(screen.getByText('Checked, not imported')).toBeVisible();
  expect(screen.getByText(/You can import it until .*2026/)).toBeVisible();
  expect(screen.getAllByText('Unknown columns are ignored: Notes.')).toHaveLength(1);
  await userEvent.click(screen.getByRole('button', { name: 'Import 3 rows' }));
  expect(await screen.findByText('Done')).toBeVisible();
  expect(confirmed).toMatchObject([{ variants_created: 1, rejected: 1, sent_again: 2 }]);
  expect(screen.queryByText('Nothing has been imported yet')).toBeNull();
});

test('a certificate id that is probably mistyped is corrected on the page of the check', async () => {
  const likely = { certification_id: 5, certification_name: 'FSC', rows: 2 };
  const likely_ids = [{ ...likely, certificate_id: 'FSC-C12345O', likely_id: 'FSC-C123450' }];
  server.use(
    http.get(previewUrl, () => HttpResponse.json(preview({ likely_ids }))),
    http.post('*/api/v1/brands/1/imports/7/certificate-ids/', () => HttpResponse.json(preview())),
  );
  openImports('imports/7');
  await userEvent.click(await screen.findByRole('button', { name: 'Use “FSC-C123450” instead of “FSC-C12345O”' }));
  await waitFor(() => expect(screen.queryByText('FSC: FSC-C12345O (2 rows)')).not.toBeInTheDocument());
  expect(screen.getByRole('button', { name: 'Import 3 rows' })).toBeVisible();
});

test('a double click imports it once', async () => {
  let confirmed = 0;
  server.use(
    http.post(confirmUrl, () => {
      confirmed += 1;
      now = { state: 'done', imported: 3 };
      if (confirmed === 1) return HttpResponse.json(result());
      return HttpResponse.json({ detail: 'x', code: 'import_not_checked' }, { status: 409 });
    }),
  );
  openImports('imports/7');
  const button = await screen.findByRole('button', { name: 'Import 3 rows' });
  button.click();
  button.click();
  expect(await screen.findByText('Done')).toBeVisible();
  expect(confirmed).toBe(1);
  expect(getToasts()).toEqual([]);
});

test('another check can be imported while the first is still being confirmed', async () => {
  const confirmed: unknown[] = [];
  server.use(
    http.get('*/api/v1/brands/1/imports/9/', () => HttpResponse.json(doneImport({ ...now, id: 9 }))),
    http.get('*/api/v1/brands/1/imports/9/preview/', () => HttpResponse.json(preview({ import_id: 9 }))),
    http.post('*/api/v1/brands/1/imports/:id/confirm/', ({ params }) => {
      confirmed.push(params.id);
      return new Promise<Response>(() => {});
    }),
  );
  const { router } = openImports('imports/7');
  await userEvent.click(await screen.findByRole('button', { name: 'Import 3 rows' }));
  await act(() => router.navigate('/brands/1/imports/9'));
  await userEvent.click(await screen.findByRole('button', { name: 'Import 3 rows' }));
  await waitFor(() => expect(confirmed).toEqual(['7', '9']));
});

test('numbers that have changed since the check are shown before anything is imported', async () => {
  server.use(
    http.post(confirmUrl, () => {
      server.use(http.get(previewUrl, () => HttpResponse.json(preview({ total_rows: 9 }))));
      return HttpResponse.json({ detail: 'x', code: 'import_plan_changed' }, { status: 409 });
    }),
  );
  openImports('imports/7');
  await userEvent.click(await screen.findByRole('button', { name: 'Import 3 rows' }));
  expect(await screen.findByText(/^Somebody changed this brand meanwhile/)).toBeVisible();
  expect(await screen.findByRole('button', { name: 'Import 8 rows' })).toBeVisible();
  expect(getToasts()).toEqual([]);
});

test('for a check without changes, Discard is the primary action', async () => {
  const nothing = { variants_created: 0, variants_updated: 0, channel: { published: 0, sent_again: 0 } };
  server.use(http.get(previewUrl, () => HttpResponse.json(preview({ ...nothing, created: [], updated: [] }))));
  openImports('imports/7');
  expect(await screen.findByText('Nothing would change')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Discard' })).toHaveClass('bg-primary');
  expect(screen.getByRole('button', { name: 'Import anyway' })).not.toHaveClass('bg-primary');
});

test('a check is discarded on its page, and a failure is shown', async () => {
  server.use(http.post(cancelUrl, () => HttpResponse.json({ detail: 'x', code: 'internal_error' }, { status: 500 })));
  openImports('imports/7');
  await userEvent.click(await screen.findByRole('button', { name: 'Discard' }));
  await waitFor(() => expect(getToasts()).toMatchObject([{ title: 'The check could not be discarded' }]));
  server.use(
    http.post(cancelUrl, () => {
      now = { state: 'discarded' };
      return HttpResponse.json(doneImport(now));
    }),
  );
  await userEvent.click(screen.getByRole('button', { name: 'Discard' }));
  expect(await screen.findByText('This file was only checked. Nothing was imported.')).toBeVisible();
  // The pressed button is gone.
  expect(screen.getByRole('main')).toHaveFocus();
});

test('a viewer sees that the file was checked', async () => {
  now = { ...now, may_edit: false };
  openImports('imports/7', { ...fjord, role: 'viewer' });
  expect(await screen.findByText(/^This file was checked, and nothing was imported/)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Discard' })).toBeNull();
});

test('a check of a brand that became inactive can be discarded, and says beforehand that it cannot be imported', async () => {
  now = { ...now, may_edit: false };
  server.use(
    http.post(confirmUrl, () => refusal('brand_inactive')),
    http.post(cancelUrl, () => {
      now = { ...now, state: 'discarded' };
      return HttpResponse.json(doneImport(now));
    }),
  );
  openImports('imports/7', { ...fjord, role: 'editor', status: 'inactive' });
  const confirm = await screen.findByRole('button', { name: 'Import 3 rows' });
  await userEvent.hover(confirm);
  expect(await screen.findByRole('tooltip')).toHaveTextContent(/^This brand is inactive/);
  await userEvent.click(confirm);
  await waitFor(() => expect(getToasts()).toMatchObject([{ description: expect.stringMatching(/^This brand is inact/) }]));
  await userEvent.click(screen.getByRole('button', { name: 'Discard' }));
  expect(await screen.findByText('This file was only checked. Nothing was imported.')).toBeVisible();
});

test('a preview that could not be loaded can be loaded again', async () => {
  server.use(http.get(previewUrl, () => HttpResponse.json({ detail: 'x', code: 'internal_error' }, { status: 500 })));
  openImports('imports/7');
  expect(await screen.findByText('What the file would do could not be loaded')).toBeVisible();
  server.use(http.get(previewUrl, () => HttpResponse.json(preview())));
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Nothing has been imported yet')).toBeVisible();
});
