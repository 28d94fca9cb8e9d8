import { type RenderOptions, screen, waitFor, within } from '@testing-library/react';
import userEvent, { PointerEventsCheckLevel } from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { StrictMode } from 'react';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { CONNECTED, startMockServer } from '../../test/mock-server.ts';
import { clearToasts, getToasts } from '../../ui/toast-store.ts';
import {
  csvFile,
  dialogHandlers,
  importUrl,
  openDialog,
  preview,
  receipt,
  result,
  uploadPicked,
  uploadUrl,
} from './test-support/import.tsx';

const server = startMockServer();
beforeEach(() => server.use(...dialogHandlers()));
afterEach(() => vi.useRealTimers());

const checkUrl = '*/api/v1/brands/1/imports/check/';
const confirmUrl = '*/api/v1/brands/1/imports/7/confirm/';
const previewUrl = '*/api/v1/brands/1/imports/7/preview/';

async function checkFile(options?: RenderOptions) {
  const user = userEvent.setup();
  await openDialog(options);
  await user.upload(screen.getByLabelText('CSV file'), csvFile());
  await user.click(screen.getByRole('button', { name: 'Check first' }));
  return user;
}

test('a file is checked first: its changes are shown, then it is imported', async () => {
  const confirmed: unknown[] = [];
  server.use(
    http.post(checkUrl, () => HttpResponse.json(preview())),
    http.post(confirmUrl, async ({ request }) => {
      confirmed.push(await request.json());
      return HttpResponse.json(result({ imported: 3, total_rows: 3 }));
    }),
  );
  const user = await checkFile();
  const outcome = await screen.findByRole('region', { name: 'Upload status' });
  expect(await within(outcome).findByText('Nothing has been imported yet')).toBeInTheDocument();
  expect(within(outcome).getByText('2 published variants are sent to Google again.')).toBeInTheDocument();
  const changes = within(outcome).getByRole('region', { name: 'Changes' });
  expect(changes).toHaveTextContent('Before: Salt → After: Sea salt');
  expect(changes).toHaveTextContent('Certificates: Before: Fairtrade A → After: Fairtrade A, Fairtrade B');
  const created = within(outcome).getByRole('region', { name: 'New variants' });
  expect(created).toHaveTextContent('Certificates: FSC FSC-C1');
  expect(within(outcome).getByText('Row 5: The GTIN is too short.')).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Upload File' })).not.toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Import 3 rows' }));
  expect(await screen.findByText('3 rows imported successfully')).toBeInTheDocument();
  expect(confirmed).toEqual([
    { variants_created: 1, variants_updated: 1, variants_unchanged: 1, rejected: 1, published: 0, sent_again: 2 },
  ]);
});

test('a check does not promise that published variants are sent again, where the brand is not connected', async () => {
  server.use(
    http.post(checkUrl, () => HttpResponse.json(preview())),
    http.get('*/api/v1/brands/:id/channel/', () => HttpResponse.json({ ...CONNECTED, state: 'not_connected' })),
  );
  await checkFile();
  expect(await screen.findByText('Published variants wait: this brand is not connected to Google.')).toBeInTheDocument();
  expect(screen.queryByText(/sent to Google again/)).toBeNull();
});

test('an upload that would rename many products waits to be confirmed, with their number at the top', async () => {
  const message = 'Products you already have that would be renamed: 200 of 200. Check that the new names are right.';
  const warnings = [
    { code: 'chosen_columns', message: 'Columns as you chose them: Descripción → variant_name.' },
    { code: 'many_renamed', message },
  ];
  server.use(
    http.post(uploadUrl, () => HttpResponse.json({ import_id: 7, state: 'checked' }, { status: 202 })),
    http.get(importUrl, () => HttpResponse.json(receipt({ state: 'checked' }))),
    http.get(previewUrl, () => HttpResponse.json(preview({ warnings }))),
    http.post(confirmUrl, () => HttpResponse.json(result({ imported: 3, total_rows: 3 }))),
  );
  await openDialog();
  await uploadPicked();
  expect(await screen.findByText('Nothing has been imported yet')).toBeVisible();
  expect(screen.getByRole('alert')).toHaveTextContent(message);
  expect(screen.getAllByText(message)).toHaveLength(1);
  expect(screen.getByText(/Columns as you chose them/)).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Import 3 rows' }));
  expect(await screen.findByText('3 rows imported successfully')).toBeInTheDocument();
});

test('a certificate id that is probably mistyped is corrected by one click, and the numbers are those of the new preview', async () => {
  const likely = { certification_id: 5, certification_name: 'FSC', rows: 2 };
  const likely_ids = [
    { ...likely, certificate_id: 'FSC-C12345O', likely_id: 'FSC-C123450' },
    { ...likely, certificate_id: 'FSC C777777', likely_id: 'FSC-C777777', rows: 1 },
  ];
  const warnings = [
    { code: 'mistyped_certificates', message: 'FSC-C12345O → FSC-C123450' },
    { code: 'malformed_certificates', message: "A certificate ID doesn't have its certification's format: FSC X." },
  ];
  const bodies: unknown[] = [];
  server.use(
    http.post(checkUrl, () => HttpResponse.json(preview({ likely_ids, warnings }))),
    http.post('*/api/v1/brands/1/imports/7/certificate-ids/', async ({ request }) => {
      bodies.push(await request.json());
      return bodies.length === 1
        ? HttpResponse.json({ detail: 'x', code: 'import_not_checked' }, { status: 409 })
        : HttpResponse.json(preview({ likely_ids: likely_ids.slice(1), variants_unchanged: 77 }));
    }),
  );
  const user = await checkFile();
  expect(await screen.findByText('FSC: FSC-C12345O (2 rows)')).toBeVisible();
  expect(screen.getByText('FSC: FSC C777777 (1 row)')).toBeVisible();
  // The list says the same as the warning.
  expect(screen.queryByText('FSC-C12345O → FSC-C123450')).not.toBeInTheDocument();
  expect(screen.getAllByRole('alert').map(({ textContent }) => textContent)).toContain(warnings[1]?.message);
  const button = () => screen.getByRole('button', { name: 'Use “FSC-C123450” instead of “FSC-C12345O”' });
  await user.click(button());
  await waitFor(() => expect(getToasts()).toMatchObject([{ title: "Couldn't correct the certificate ID" }]));
  clearToasts();
  await user.click(button());
  expect(await screen.findByText('77')).toBeVisible();
  expect(screen.queryByText('FSC: FSC-C12345O (2 rows)')).not.toBeInTheDocument();
  expect(screen.getByText('“FSC-C12345O” is now “FSC-C123450”')).toHaveRole('status');
  expect(document.body).not.toHaveFocus();
  expect(bodies[1]).toEqual({ certification_id: 5, certificate_id: 'FSC-C12345O', likely_id: 'FSC-C123450' });
});

test('the headings say that only some of the changes are listed', async () => {
  server.use(http.post(checkUrl, () => HttpResponse.json(preview({ variants_created: 21, variants_updated: 22 }))));
  await checkFile();
  expect(await screen.findByRole('region', { name: 'Some of the changes' })).toBeVisible();
  expect(screen.getByRole('region', { name: 'Some of the new variants' })).toBeVisible();
});

test.each(['pending', 'answered'])(
  'the second click of a double click, outside the smaller dialog, does not close it (%s)',
  async (answer) => {
    const answered = Promise.withResolvers<void>();
    if (answer === 'answered') answered.resolve();
    server.use(
      http.post(checkUrl, () => HttpResponse.json(preview())),
      http.post(confirmUrl, async () => {
        await answered.promise;
        return HttpResponse.json(result({ errors: preview().errors }));
      }),
    );
    const user = await checkFile();
    vi.useFakeTimers({ toFake: ['performance'] });
    await user.click(await screen.findByRole('button', { name: 'Import 3 rows' }));
    await screen.findByRole('button', { name: answer === 'answered' ? 'Done' : 'Cancel' });
    const backdrop = screen.getByRole('dialog').previousElementSibling as Element;
    // Without styles the backdrop inherits `pointer-events: none` from the body.
    const clickOutside = () => userEvent.click(backdrop, { pointerEventsCheck: PointerEventsCheckLevel.Never });
    await clickOutside();
    expect(screen.getByRole('dialog')).toBeVisible();
    vi.advanceTimersByTime(1_000);
    await clickOutside();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    answered.resolve();
  },
);

test('Escape closes the dialog right after the import was started', async () => {
  server.use(
    http.post(checkUrl, () => HttpResponse.json(preview())),
    http.post(confirmUrl, () => HttpResponse.json(result())),
  );
  const user = await checkFile();
  await user.click(await screen.findByRole('button', { name: 'Import 3 rows' }));
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('numbers that have changed since the check are shown before anything is imported', async () => {
  server.use(
    http.post(checkUrl, () => HttpResponse.json(preview())),
    http.post(confirmUrl, () => HttpResponse.json({ detail: 'x', code: 'import_plan_changed' }, { status: 409 })),
    http.get(previewUrl, () => HttpResponse.json(preview({ variants_created: 0, variants_updated: 2 }))),
  );
  const user = await checkFile();
  await user.click(await screen.findByRole('button', { name: 'Import 3 rows' }));
  expect(await screen.findByText(/^Somebody changed this brand meanwhile/)).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Import 3 rows' })).toBeEnabled();
});

test.each([
  ['the server fails', () => HttpResponse.json({ detail: 'x', code: 'internal_error' }, { status: 500 })],
  ['the connection is lost', () => HttpResponse.error()],
])('the preview stays if %s when it is confirmed, and can be confirmed again', async (_case, answer) => {
  server.use(
    http.post(checkUrl, () => HttpResponse.json(preview())),
    http.post(confirmUrl, answer),
  );
  const user = await checkFile();
  await user.click(await screen.findByRole('button', { name: 'Import 3 rows' }));
  expect(await screen.findByText('The file could not be imported')).toBeVisible();
  expect(screen.getByText('Row 5: The GTIN is too short.')).toBeVisible();
  server.use(http.post(confirmUrl, () => HttpResponse.json(result({ imported: 3, total_rows: 3 }))));
  await user.click(screen.getByRole('button', { name: 'Import 3 rows' }));
  expect(await screen.findByText('3 rows imported successfully')).toBeVisible();
});

test('if only the answer was lost, confirming again shows the result', async () => {
  server.use(
    http.post(checkUrl, () => HttpResponse.json(preview())),
    http.post(confirmUrl, () => HttpResponse.error()),
    http.get('*/api/v1/brands/1/imports/7/', () => HttpResponse.json(receipt({ state: 'done', imported: 3 }))),
  );
  const user = await checkFile();
  await user.click(await screen.findByRole('button', { name: 'Import 3 rows' }));
  await screen.findByText('The file could not be imported');
  server.use(http.post(confirmUrl, () => HttpResponse.json({ detail: 'x', code: 'import_not_checked' }, { status: 409 })));
  await user.click(screen.getByRole('button', { name: 'Import 3 rows' }));
  expect(await screen.findByText('3 rows imported successfully')).toBeVisible();
});

test('a dialog that was closed before confirming failed leaves a toast that leads to the check', async () => {
  clearToasts();
  const answered = Promise.withResolvers<void>();
  server.use(
    http.post(checkUrl, () => HttpResponse.json(preview())),
    http.post(confirmUrl, async () => {
      await answered.promise;
      return HttpResponse.json({ detail: 'x', code: 'internal_error' }, { status: 500 });
    }),
  );
  const user = await checkFile();
  await user.click(await screen.findByRole('button', { name: 'Import 3 rows' }));
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  answered.resolve();
  await waitFor(() =>
    expect(getToasts()).toContainEqual(
      expect.objectContaining({
        title: 'The file could not be imported',
        link: { to: '/brands/1/imports/7', label: 'See this import' },
      }),
    ),
  );
});

test('a check is discarded on the server too, and the file is still chosen', async () => {
  let discarded = 0;
  vi.stubEnv('TZ', 'America/Los_Angeles');
  onTestFinished(() => void vi.unstubAllEnvs());
  server.use(
    http.post(checkUrl, () => HttpResponse.json(preview({ same_as: { import_id: 3, created_at: '2026-11-01T03:00:00Z' } }))),
    http.post('*/api/v1/brands/1/imports/7/cancel/', () => {
      discarded += 1;
      return HttpResponse.json(receipt({ state: 'discarded' }));
    }),
  );
  const user = await checkFile();
  expect(await screen.findByText(/^You uploaded the same rows on October\s31,\s2026/)).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Discard' }));
  expect(await screen.findByRole('button', { name: 'Upload File' })).toBeEnabled();
  expect(screen.getByText('socks.csv')).toBeInTheDocument();
  await waitFor(() => expect(discarded).toBe(1));
});

const unchanging = () =>
  preview({
    variants_created: 0,
    variants_updated: 0,
    variants_unchanged: 3,
    created: [],
    updated: [],
    channel: { published: 0, sent_again: 0 },
  });

test('for a file without changes, Discard is the primary action', async () => {
  server.use(
    http.post(checkUrl, () => HttpResponse.json(unchanging())),
    http.post(confirmUrl, () => HttpResponse.json(result())),
  );
  const user = await checkFile();
  expect(await screen.findByText('Nothing would change')).toBeVisible();
  expect(screen.queryByText('Nothing has been imported yet')).toBeNull();
  expect(screen.getByRole('button', { name: 'Discard' })).toHaveClass('bg-primary');
  const anyway = screen.getByRole('button', { name: 'Import anyway' });
  expect(anyway).not.toHaveClass('bg-primary');
  await user.click(anyway);
  expect(await screen.findByText('2 rows imported successfully')).toBeVisible();
});

test('the list of rejected rows has a heading', async () => {
  server.use(http.post(checkUrl, () => HttpResponse.json(preview())));
  await checkFile();
  expect(await screen.findByText('Rejected rows', { selector: 'p' })).toBeVisible();
  expect(screen.getByRole('region', { name: 'Validation errors' })).toBeVisible();
});

test.each([
  ['', {}],
  [' in development too, where React mounts everything twice', { wrapper: StrictMode }],
])('a check whose dialog is closed is kept, and a toast leads to it%s', async (_where, options) => {
  clearToasts();
  server.use(http.post(checkUrl, () => HttpResponse.json(preview())));
  const user = await checkFile(options);
  await screen.findByText('Nothing has been imported yet');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(getToasts()).toMatchObject([
    { title: 'Your file has been checked', link: { to: '/brands/1/imports/7', label: 'See this import' } },
  ]);
});

test('a check that takes longer is polled by its id', async () => {
  server.use(
    http.post(checkUrl, () => HttpResponse.json({ import_id: 7, state: 'running' }, { status: 202 })),
    http.get('*/api/v1/brands/1/imports/7/', () => HttpResponse.json(receipt({ state: 'checked' }))),
    http.get(previewUrl, () => HttpResponse.json(preview({ total_rows: 1, rejected: 1, created: [], updated: [] }))),
  );
  await checkFile();
  expect(await screen.findByRole('button', { name: 'Import 0 rows' })).toHaveAttribute('aria-disabled', 'true');
});
