import type { ImportDetail } from '@brand-portal/contract/import';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { changeLanguage } from '../../lib/i18n.ts';
import { startMockServer } from '../../test/mock-server.ts';
import { mockTransfers } from '../../test/mock-transfer.ts';
import { clearToasts, getToasts } from '../../ui/toast-store.ts';
import { brandKeys } from '../brands/brands-queries.ts';
import { refusal } from '../brands/test-support/brands.tsx';
import { importsToResume } from './running-imports-store.ts';
import {
  cancelUrl,
  dialogHandlers,
  importUrl,
  openDialog,
  receipt,
  result,
  uploadButton,
  uploadPicked,
  uploadUrl,
} from './test-support/import.tsx';

const server = startMockServer();

beforeEach(() => {
  clearToasts();
  server.use(...dialogHandlers());
  server.use(http.post(uploadUrl, () => HttpResponse.json({ import_id: 7, state: 'running' }, { status: 202 })));
});
afterEach(() => changeLanguage('en'));

/** Mocks the import's status, which the test can change. */
function mockImport(first: Partial<ImportDetail> = {}) {
  const mocked = { now: (): Response => HttpResponse.json(receipt(first)), requests: 0, cancelled: 0 };
  server.use(
    http.get(importUrl, () => {
      mocked.requests += 1;
      return mocked.now();
    }),
  );
  return {
    mocked,
    becomes: (change: Partial<ImportDetail>) => {
      mocked.now = () => HttpResponse.json(receipt(change));
    },
    fails: (response: () => Response) => {
      mocked.now = response;
    },
    /** Sets the answer to a cancellation. */
    isCancelledBy: (response: () => Response) =>
      server.use(
        http.post(cancelUrl, () => {
          mocked.cancelled += 1;
          return response();
        }),
      ),
  };
}

const done: Partial<ImportDetail> = { state: 'done', stage: null, imported: 1_234, total_rows: 1_234 };
const pressCancel = () => userEvent.click(screen.getByRole('button', { name: 'Cancel' }));

describe('an import that takes longer', () => {
  it('shows its stage and rows, and ends like any other', async () => {
    const { becomes } = mockImport({ state: 'waiting', stage: null });
    const { queryClient } = await openDialog();
    queryClient.setQueryData([...brandKeys.detail(1), 'variants'], {});
    await uploadPicked();
    expect(await screen.findByText('Waiting for another change of this brand to finish…', { selector: '.font-medium' })).toBeVisible();
    // Nothing is done yet, and the total is unknown.
    expect(screen.getByRole('progressbar')).not.toHaveAttribute('aria-valuenow');
    expect(screen.queryByText('100%')).toBeNull();
    becomes({ rows_done: 600_000, rows_total: 1_000_000 });
    expect(await screen.findByText('Reading rows: 600,000 of 1,000,000')).toBeVisible();
    expect(screen.getByRole('progressbar', { name: 'Import progress' })).toHaveAttribute('aria-valuenow', '60');
    expect(screen.getByRole('status')).toHaveTextContent('50% of the rows read');
    // One number on the screen for one progress.
    expect(screen.queryByText('60%')).toBeNull();
    // The file is there: nothing says that it is being uploaded, or that the page must stay open.
    expect(screen.getByRole('dialog')).not.toHaveTextContent(/Uploading|[Kk]eep this page open|uploaded/);
    expect(screen.getByText('You can close this window: the import goes on.')).toBeVisible();
    expect(uploadButton()).toHaveAttribute('aria-disabled', 'true');
    // The total was a count of lines first, then of rows: the bar does not move back.
    becomes({ rows_done: 610_000, rows_total: 2_000_000 });
    expect(await screen.findByText('Reading rows: 610,000 of 2,000,000')).toBeVisible();
    expect(screen.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '60');
    becomes({ stage: 'merging', rows_done: 1_000_000, rows_total: 1_000_000 });
    await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent('Saving 1,000,000 rows…'));
    expect(screen.getByRole('progressbar')).not.toHaveAttribute('aria-valuenow');
    becomes(done);
    expect(await screen.findByText('1,234 rows imported successfully')).toBeVisible();
    expect(queryClient.getQueryState([...brandKeys.detail(1), 'variants'])?.isInvalidated).toBe(true);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), { timeout: 5_000 });
  });

  it('lists its errors, with the download of its rejected rows', async () => {
    const errors = [{ row: 3, message: 'The check digit is wrong', field: 'gtin', code: 'check_digit' }];
    mockImport({ ...done, rejected: 1, imported: 1_233, error_count: 1, errors });
    await openDialog();
    await uploadPicked();
    expect(await screen.findByText('Validation error in your CSV')).toBeVisible();
    expect(screen.getByText('1,233 of 1,234 rows imported successfully')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Download rejected rows' })).toBeVisible();
  });

  it('that fails shows the message of the server', async () => {
    await changeLanguage('es');
    mockImport({ state: 'failed', failure: { code: 'interrupted', message: 'El servidor se detuvo.' } });
    await openDialog();
    await uploadPicked();
    expect(await screen.findByRole('alert')).toHaveTextContent('No se pudo subir el archivo CSVEl servidor se detuvo.');
  });

  it('continues after a lost connection and a server error', async () => {
    const { mocked, becomes, fails } = mockImport();
    fails(() => HttpResponse.error());
    await openDialog();
    await uploadPicked();
    await waitFor(() => expect(mocked.requests).toBe(1));
    fails(() => HttpResponse.json({ code: 'database_unavailable', detail: 'x', request_id: 'r' }, { status: 503 }));
    await waitFor(() => expect(mocked.requests).toBe(2));
    expect(screen.getByRole('progressbar')).toBeVisible();
    becomes(done);
    expect(await screen.findByText('1,234 rows imported successfully')).toBeVisible();
  });

  it('is shown as failed if the server refuses to return it', async () => {
    const { fails } = mockImport();
    fails(() => HttpResponse.json({ code: 'brand_not_found', detail: 'x', request_id: 'r' }, { status: 404 }));
    await openDialog();
    await uploadPicked();
    expect(await screen.findByRole('alert')).toHaveTextContent('Failed to upload CSV file');
  });
});

describe('Cancel', () => {
  it('cancels the import on the server, and says so', async () => {
    const { mocked, becomes, isCancelledBy } = mockImport();
    isCancelledBy(() => {
      becomes({ state: 'cancelled', stage: null });
      return HttpResponse.json(receipt({ state: 'cancelled', stage: null }));
    });
    await openDialog();
    await uploadPicked();
    await screen.findByText('Reading rows: 0 of 2');
    await pressCancel();
    expect(await screen.findByText('Import cancelled. Nothing was changed.')).toBeVisible();
    expect(screen.getByText('socks.csv')).toBeVisible();
    expect(mocked.cancelled).toBe(1);
  });

  it('is retried after a lost connection, and shows that it is cancelling', async () => {
    const { mocked, becomes, isCancelledBy } = mockImport();
    isCancelledBy(() => {
      if (mocked.cancelled === 1) return HttpResponse.error();
      becomes({ state: 'cancelled', stage: null });
      return HttpResponse.json(receipt({ state: 'cancelled', stage: null }));
    });
    await openDialog();
    await uploadPicked();
    await screen.findByText('Reading rows: 0 of 2');
    await pressCancel();
    expect(screen.getByText('Cancelling…', { selector: '.font-medium' })).toBeVisible();
    expect(await screen.findByText('Import cancelled. Nothing was changed.')).toBeVisible();
    expect(mocked.cancelled).toBe(2);
  });

  it('that comes too late shows the result', async () => {
    const { becomes, isCancelledBy } = mockImport();
    isCancelledBy(() => {
      becomes(done);
      return HttpResponse.json({ code: 'import_ended', detail: 'x', request_id: 'r' }, { status: 409 });
    });
    await openDialog();
    await uploadPicked();
    await screen.findByText('Reading rows: 0 of 2');
    await pressCancel();
    expect(await screen.findByText('1,234 rows imported successfully')).toBeVisible();
  });

  it('between the last byte and the answer waits for the id of the import', async () => {
    const { mocked, becomes, isCancelledBy } = mockImport();
    isCancelledBy(() => {
      becomes({ state: 'cancelled', stage: null });
      return HttpResponse.json(receipt({ state: 'cancelled', stage: null }));
    });
    await openDialog();
    const transfers = mockTransfers();
    await uploadPicked();
    await waitFor(() => expect(transfers).toHaveLength(1));
    await transfers[0]?.finishUpload();
    await pressCancel();
    expect(transfers[0]?.isAborted).toBe(false);
    expect(mocked.cancelled).toBe(0);
    await transfers[0]?.answer(202, { import_id: 7, state: 'running' });
    expect(await screen.findByText('Import cancelled. Nothing was changed.')).toBeVisible();
    vi.unstubAllGlobals();
  });
});

describe('closing the dialog', () => {
  const link = { to: '/brands/1/imports/7', label: 'See this import' };

  it.each([
    ['Escape', () => userEvent.keyboard('{Escape}')],
    ['the cross', () => userEvent.click(screen.getAllByRole('button', { name: 'Close' }).at(-1) as HTMLElement)],
    ['the button Close', () => userEvent.click(screen.getAllByRole('button', { name: 'Close' })[0] as HTMLElement)],
  ])('by %s does not stop the import: a toast shows its progress', async (_how, close) => {
    const { becomes } = mockImport();
    await openDialog();
    await uploadPicked();
    await screen.findByText('Reading rows: 0 of 2');
    expect(screen.getByText('You can close this window: the import goes on.')).toBeVisible();
    // Stored in case the page is reloaded.
    expect(sessionStorage.getItem('running-imports')).toBe('[{"brandId":1,"importId":7}]');
    await close();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(getToasts()).toMatchObject([{ title: 'Your import goes on', progress: 0, link }]);
    becomes(done);
    await waitFor(() => expect(getToasts()[0]).toMatchObject({ title: '1,234 rows imported successfully', link }));
    expect(getToasts().filter(({ open }) => open)).toHaveLength(1);
    expect(sessionStorage.getItem('running-imports')).toBeNull();
  });

  it('and opening it again starts empty, while the toast stays', async () => {
    const { becomes } = mockImport();
    await openDialog();
    await uploadPicked();
    await screen.findByText('Reading rows: 0 of 2');
    await userEvent.keyboard('{Escape}');
    await userEvent.click(await screen.findByRole('button', { name: 'Add' }));
    expect(screen.getByRole('button', { name: 'Choose a file' })).toBeVisible();
    expect(getToasts()).toHaveLength(1);
    becomes(done);
    await waitFor(() => expect(getToasts()[0]).toMatchObject({ title: '1,234 rows imported successfully' }));
    expect(screen.getByRole('button', { name: 'Choose a file' })).toBeVisible();
  });

  it('after the end works with Done', async () => {
    mockImport({ ...done, imported: 1, error_count: 1, errors: [{ row: 3, message: 'x', code: 'y' }] });
    await openDialog();
    await uploadPicked();
    await userEvent.click(await screen.findByRole('button', { name: 'Done' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(getToasts()).toEqual([]);
  });
});

describe('leaving the page', () => {
  it.each([
    [
      'succeeds',
      { ...done, warnings: [{ code: 'x', message: 'The column "colour" was ignored.' }] },
      {
        variant: 'success',
        title: '1,234 rows imported successfully',
        list: ['The column "colour" was ignored.'],
      },
    ],
    [
      'is partly imported',
      { ...done, imported: 1_233, error_count: 1, errors: [{ row: 3, message: 'x', code: 'y' }] },
      {
        variant: 'warning',
        title: 'Validation error in your CSV',
        description: '1,233 of 1,234 rows imported successfully',
      },
    ],
    [
      'fails',
      { state: 'failed', failure: { code: 'open_quote', message: 'A quote is never closed.' } },
      { variant: 'error', title: 'Failed to upload CSV file', description: 'A quote is never closed.' },
    ],
    ['is cancelled by somebody else', { state: 'cancelled' }, { title: 'Import cancelled. Nothing was changed.' }],
    ['was a check, and is cancelled', { state: 'discarded' }, { title: 'Check cancelled. Nothing was imported.' }],
  ] as const)('does not stop the import, and a toast says when it %s', async (_how, end, told) => {
    const { becomes } = mockImport();
    const { unmount } = await openDialog();
    await uploadPicked();
    await screen.findByText('Reading rows: 0 of 2');
    unmount();
    expect(getToasts()).toMatchObject([{ title: 'Your import goes on' }]);
    becomes(end as Partial<ImportDetail>);
    const link = { to: '/brands/1/imports/7', label: 'See this import' };
    await waitFor(() => expect(getToasts()[0]).toMatchObject({ ...told, link }));
    expect(getToasts().filter(({ open }) => open)).toHaveLength(1);
  });

  it('shows the progress of the import in a toast, with a link to its page', async () => {
    const { becomes } = mockImport();
    const { unmount } = await openDialog();
    await uploadPicked();
    await screen.findByText('Reading rows: 0 of 2');
    unmount();
    const link = { to: '/brands/1/imports/7', label: 'See this import' };
    expect(getToasts()).toMatchObject([{ description: 'Reading rows: 0 of 2', progress: 0, isLasting: true, link }]);
    becomes({ rows_done: 60, rows_total: 100 });
    await waitFor(() => expect(getToasts()).toMatchObject([{ description: 'Reading rows: 60 of 100', progress: 60, open: true }]));
    // The duration of saving is unknown.
    becomes({ stage: 'merging', rows_done: 100, rows_total: 100 });
    await waitFor(() => expect(getToasts()).toMatchObject([{ description: 'Saving 100 rows…', progress: null }]));
    becomes(done);
    await waitFor(() => expect(getToasts()[0]).toMatchObject({ title: '1,234 rows imported successfully' }));
  });

  it('because the session has ended is no failure: the result is announced after the next sign-in', async () => {
    const { mocked, fails } = mockImport();
    const { unmount } = await openDialog();
    await uploadPicked();
    await screen.findByText('Reading rows: 0 of 2');
    fails(() => refusal('unauthenticated'));
    const { requests } = mocked;
    unmount();
    await waitFor(() => expect(mocked.requests).toBeGreaterThan(requests));
    await waitFor(() => expect(getToasts().filter(({ open }) => open)).toEqual([]));
    expect(getToasts()).toHaveLength(1);
    expect(importsToResume()).toEqual([{ brandId: 1, importId: 7 }]);
    sessionStorage.clear();
  });

  it('before the answer does not stop the import either', async () => {
    const { unmount } = await openDialog();
    const transfers = mockTransfers();
    await uploadPicked();
    await waitFor(() => expect(transfers).toHaveLength(1));
    await transfers[0]?.finishUpload();
    unmount();
    expect(transfers[0]?.isAborted).toBe(false);
    await transfers[0]?.answer(200, result());
    await waitFor(() => expect(getToasts()[0]).toMatchObject({ title: '2 rows imported successfully' }));
    vi.unstubAllGlobals();
  });
});
