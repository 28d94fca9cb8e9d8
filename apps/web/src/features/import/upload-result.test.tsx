import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { delay, HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';
import { changeLanguage } from '../../lib/i18n.ts';
import * as log from '../../lib/log.ts';
import * as saving from '../../lib/save-file.ts';
import { startMockServer } from '../../test/mock-server.ts';
import { mockTransfers } from '../../test/mock-transfer.ts';
import { clearToasts, getToasts } from '../../ui/toast-store.ts';
import { brandKeys } from '../brands/brands-queries.ts';
import {
  csvFile,
  dialogHandlers,
  importUrl,
  openDialog,
  pick,
  receipt,
  rejectedUrl,
  result,
  uploadButton,
  uploadPicked,
  uploadUrl,
} from './test-support/import.tsx';

let saveFile: MockInstance<typeof saving.saveFile>;
beforeEach(() => {
  saveFile = vi.spyOn(saving, 'saveFile').mockReturnValue();
});

const server = startMockServer();

beforeEach(() => {
  clearToasts();
  server.use(...dialogHandlers());
});
afterEach(() => changeLanguage('en'));

const answer = (body: object, status = 200) => server.use(http.post(uploadUrl, () => HttpResponse.json(body, { status })));

/** An upload that is answered when the test calls the returned function. */
function holdAnswer() {
  const { promise, resolve } = Promise.withResolvers<Response | undefined>();
  const calls = vi.fn();
  server.use(
    http.post(uploadUrl, async () => {
      calls();
      return (await promise) ?? HttpResponse.json(result());
    }),
  );
  return { calls, answer: (response?: Response) => resolve(response) };
}

/** An upload that the test moves on step by step. */
async function startTransfer() {
  const transfers = mockTransfers();
  await uploadPicked();
  await waitFor(() => expect(transfers).toHaveLength(1));
  return transfers[0] as (typeof transfers)[number];
}

const outcome = () => screen.getByRole('region', { name: 'Upload status' });
const rowErrors = [
  { row: 3, message: 'The check digit is wrong', field: 'gtin', code: 'check_digit' },
  { row: 9, message: 'The row has too many cells', code: 'ragged' },
];
const partial = (change = {}) => result({ errors: rowErrors, error_count: 2, imported: 1_200, total_rows: 1_202, ...change });

describe('an upload', () => {
  // spec: §5 multipart field, §7 upload
  it('sends the file in the field "file", in the language of the page, its header without asterisks', async () => {
    await changeLanguage('es');
    await openDialog();
    const transfer = await startTransfer();
    expect(transfer.headers['Accept-Language']).toBe('es');
    expect(transfer.headers.Prefer).toBe('respond-async, wait=2, mapping=ask');
    expect([...(transfer.body?.keys() ?? [])]).toEqual(['file']);
    const file = transfer.body?.get('file') as File;
    expect(file.name).toBe('socks.csv');
    expect(await file.text()).toBe('variant_name,gtin\r\nSocks,4006381333931\r\n');
  });

  // spec: §2 upload closes, §4 upload success, §9 upload closes
  it('that succeeds says so, closes the dialog after 1.5 s, and invalidates all data of the brand', async () => {
    answer(result({ imported: 1_234, total_rows: 1_234 }));
    const { queryClient } = await openDialog();
    queryClient.setQueryData([...brandKeys.detail(1), 'variants'], {});
    queryClient.setQueryData([...brandKeys.detail(2), 'variants'], {});
    vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout'] });
    try {
      await pick(csvFile());
      act(() => uploadButton().click());
      expect(await screen.findByText('1,234 rows imported successfully')).toBeVisible();
      expect(uploadButton()).toHaveAttribute('aria-disabled', 'true');
      expect(screen.queryByRole('button', { name: 'Reset' })).toBeNull();
      await act(() => vi.advanceTimersByTimeAsync(1_000));
      expect(screen.getByRole('dialog')).toBeVisible();
      await act(() => vi.advanceTimersByTimeAsync(600));
      expect(screen.queryByRole('dialog')).toBeNull();
    } finally {
      vi.useRealTimers();
    }
    expect(queryClient.getQueryState([...brandKeys.detail(1), 'variants'])?.isInvalidated).toBe(true);
    expect(queryClient.getQueryState([...brandKeys.detail(2), 'variants'])?.isInvalidated).toBe(false);
    expect(getToasts()).toEqual([]);
  });

  it.each([
    ['success', {}],
    ['part', { errors: [{ row: 3, message: 'x', code: 'y' }], error_count: 1 }],
  ])('that ends in %s links to the page of its import', async (_how, change) => {
    answer(result(change));
    await openDialog();
    await uploadPicked();
    const link = await within(outcome()).findByRole('link', { name: 'See this import' });
    expect(link).toHaveAttribute('href', '/brands/1/imports/7');
  });

  it('that succeeds with warnings shows them in a toast when the dialog closes', async () => {
    answer(result({ warnings: [{ code: 'unknown_column', message: 'The column "colour" was ignored.' }] }));
    await openDialog();
    await uploadPicked();
    await screen.findByText('2 rows imported successfully');
    // It would cover the dialog's buttons.
    expect(getToasts()).toEqual([]);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), { timeout: 5_000 });
    expect(getToasts()).toMatchObject([
      {
        variant: 'warning',
        title: 'Good to know',
        list: ['The column "colour" was ignored.'],
        link: { to: '/brands/1/imports/7', label: 'See this import' },
      },
    ]);
  });

  it('that succeeds with warnings shows them in a toast, too, when the page is left before the dialog closes', async () => {
    answer(result({ warnings: [{ code: 'unknown_column', message: 'The column "colour" was ignored.' }] }));
    const { unmount } = await openDialog();
    await uploadPicked();
    await screen.findByText('2 rows imported successfully');
    unmount();
    expect(getToasts()).toMatchObject([{ variant: 'warning', title: 'Good to know' }]);
  });

  it('that is partly imported offers to correct the rows in the browser, beside their download', async () => {
    answer(partial());
    await openDialog();
    await uploadPicked();
    expect(await screen.findByRole('link', { name: 'Correct them here' })).toHaveAttribute('href', '/brands/1/imports/7');
    expect(screen.getByText(/^Correct the rejected rows here, or download them/)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Download rejected rows' })).toBeVisible();
  });

  it.each([
    ['', 1_200],
    [' of which nothing could be imported', 0],
  ])('that is over%s has one way on: Done', async (_what, imported) => {
    answer(partial({ imported }));
    await openDialog();
    await uploadPicked();
    expect(await screen.findByRole('button', { name: 'Done' })).toHaveClass('bg-primary');
    for (const name of ['Cancel', 'Upload File', 'Check first']) {
      expect(screen.queryByRole('button', { name })).toBeNull();
    }
    await userEvent.click(screen.getByRole('button', { name: 'Done' }));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('runs once for several clicks', async () => {
    const { calls, answer } = holdAnswer();
    await openDialog();
    await pick(csvFile());
    act(() => {
      uploadButton().click();
      uploadButton().click();
    });
    await waitFor(() => expect(calls).toHaveBeenCalled());
    answer();
    expect(await screen.findByText('2 rows imported successfully')).toBeVisible();
    expect(calls).toHaveBeenCalledOnce();
  });

  it('shows its progress, first of sending, then of saving', async () => {
    await openDialog();
    const transfer = await startTransfer();
    const bar = screen.getByRole('progressbar', { name: 'Upload progress' });
    expect(outcome()).toHaveFocus();
    expect(uploadButton()).toHaveAttribute('aria-disabled', 'true');
    await transfer.reportUploaded(0.428);
    expect(bar).toHaveAttribute('aria-valuenow', '42');
    expect(screen.getByText('42%')).toBeVisible();
    // Not every percentage is announced.
    expect(screen.getByRole('status')).toHaveTextContent('25% uploaded');
    expect(outcome()).toHaveTextContent(/^Uploading your file…42%25% uploadedKeep this page open/);
    await transfer.finishUpload();
    expect(outcome().textContent).toBe('Checking and saving your rows…'.repeat(2));
    await userEvent.keyboard('{Tab}{Tab}{Tab}');
    expect(uploadButton()).toHaveFocus();
    expect(await screen.findByRole('tooltip')).toHaveTextContent('Your file is being imported');
    expect(screen.getByRole('progressbar', { name: 'Import progress' })).not.toHaveAttribute('aria-valuenow');
    expect(screen.getByRole('status')).toHaveTextContent('Checking and saving your rows…');
    await transfer.answer(200, result());
    expect(screen.getByRole('status')).toHaveTextContent('2 rows imported successfully');
  });

  it('continues when somebody tries to close the dialog while it is sent, and says so', async () => {
    await openDialog();
    const transfer = await startTransfer();
    await userEvent.keyboard('{Escape}');
    expect(screen.getByText('The upload is still running. Press Cancel to stop it.')).toBeVisible();
    await transfer.finishUpload();
    expect(screen.queryByText('The upload is still running. Press Cancel to stop it.')).toBeNull();
    await transfer.answer(200, result());
    expect(await screen.findByText('2 rows imported successfully')).toBeVisible();
  });

  it('is aborted by Cancel while it is sent: the file is kept, and can be sent again', async () => {
    const { queryClient } = await openDialog();
    queryClient.setQueryData([...brandKeys.detail(1), 'variants'], {});
    const transfer = await startTransfer();
    await transfer.reportUploaded(0.5);
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(transfer.isAborted).toBe(true);
    expect(await screen.findByText('Upload cancelled. Nothing was imported.')).toBeVisible();
    expect(screen.getByText('socks.csv')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Cancel' })).toHaveFocus();
    expect(queryClient.getQueryState([...brandKeys.detail(1), 'variants'])?.isInvalidated).toBe(true);
    vi.unstubAllGlobals();
    answer(result());
    await userEvent.click(uploadButton());
    expect(await screen.findByText('2 rows imported successfully')).toBeVisible();
  });

  it('is aborted when the page is left while it is sent, with a toast', async () => {
    const { unmount } = await openDialog();
    const transfer = await startTransfer();
    await transfer.reportUploaded(0.5);
    unmount();
    expect(transfer.isAborted).toBe(true);
    await waitFor(() => expect(getToasts()).toMatchObject([{ variant: 'warning', title: 'Upload cancelled' }]));
  });

  it('asks before the page is closed until the server has answered: only then its result is announced after a reload', async () => {
    const asks = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    await openDialog();
    expect(asks()).toBe(false);
    const transfer = await startTransfer();
    await transfer.reportUploaded(0.5);
    expect(asks()).toBe(true);
    expect(screen.getByText('Keep this page open until your file is uploaded.')).toBeVisible();
    await transfer.finishUpload();
    expect(asks()).toBe(true);
    server.use(http.get(importUrl, () => HttpResponse.json(receipt({ state: 'running' }))));
    await transfer.answer(202, { import_id: 7, state: 'running' });
    await waitFor(() => expect(asks()).toBe(false));
    expect(screen.getByText('You can close this window: the import goes on.')).toBeVisible();
    // Otherwise it would be polled on in the next tests.
    server.use(http.get(importUrl, () => HttpResponse.json(receipt({ state: 'done', stage: null, imported: 2 }))));
    expect(await screen.findByText('2 rows imported successfully')).toBeVisible();
  });

  // spec: §5 empty file
  it('of an empty file is logged and shows a hint, and the file is still sent', async () => {
    const logError = vi.spyOn(log, 'logError').mockReturnValue();
    const { calls, answer } = holdAnswer();
    await openDialog();
    await uploadPicked(csvFile(''));
    expect(await screen.findByText('Empty CSV file')).toBeVisible();
    await waitFor(() => expect(calls).toHaveBeenCalled());
    const refusal = { code: 'csv_rejected', detail: 'Empty CSV file', request_id: 'r' };
    answer(HttpResponse.json(refusal, { status: 422 }));
    // The server's message, without the general text beside it.
    expect(await screen.findByText('Failed to upload CSV file')).toBeVisible();
    expect(screen.getByText('Empty CSV file')).toBeVisible();
    expect(screen.getByText('0 KB')).toBeVisible();
    expect(logError).toHaveBeenCalledExactlyOnceWith('Empty CSV file');
  });
});

// spec: §2 upload buttons, §4 upload states
it('the dialog keeps the list of columns in every state, has its buttons until a file is imported, and enables Upload only when possible', async () => {
  const expectColumns = () => {
    for (const column of ['variant_name', 'gtin', 'category', 'certificate_id']) {
      expect(screen.getByText(column, { selector: 'code' })).toBeVisible();
    }
  };
  const expectButtons = (canUpload: boolean) => {
    expect(screen.getByRole('button', { name: 'Cancel' })).toBeEnabled();
    const upload = screen.getByRole('button', { name: 'Upload File' });
    expect(upload.getAttribute('aria-disabled')).toBe(canUpload ? null : 'true');
    expectColumns();
  };
  await openDialog();
  await screen.findByText('category');
  expectButtons(false);
  await pick(csvFile());
  expectButtons(true);

  const failing = holdAnswer();
  await userEvent.click(uploadButton());
  await screen.findByRole('progressbar');
  expectButtons(false);
  failing.answer(HttpResponse.json({ error: 'No space left' }, { status: 500 }));
  await screen.findByText('No space left');
  expectButtons(true);

  answer(partial());
  await userEvent.click(uploadButton());
  await screen.findByText('2 validation errors in your CSV');
  expectColumns();

  answer(result());
  await uploadPicked();
  await screen.findByText('2 rows imported successfully');
  expect(uploadButton()).toHaveAttribute('aria-disabled', 'true');
  expect(screen.queryByRole('button', { name: 'Cancel' })).toBeNull();
  expectColumns();
});

describe('a partial result', () => {
  // spec: §4 upload partial, §8 validation errors
  it('counts the imported rows, and lists the errors', async () => {
    answer(partial());
    const { queryClient } = await openDialog();
    queryClient.setQueryData([...brandKeys.detail(1), 'variants'], {});
    await uploadPicked();
    expect(await screen.findByText('2 validation errors in your CSV')).toBeVisible();
    expect(screen.getByText('1,200 of 1,202 rows imported successfully')).toBeVisible();
    const list = screen.getByRole('region', { name: 'Validation errors' });
    expect(list).toHaveClass('overflow-y-auto');
    expect(list).toHaveAttribute('tabindex', '0');
    expect(
      within(list)
        .getAllByRole('listitem')
        .map((item) => item.textContent),
    ).toEqual(['Row 3: The check digit is wrongField: gtin', 'Row 9: The row has too many cells']);
    expect(screen.queryByText(/^These are the first/)).toBeNull();
    expect(outcome()).toHaveFocus();
    expect(queryClient.getQueryState([...brandKeys.detail(1), 'variants'])?.isInvalidated).toBe(true);
  });

  it('shows the counts of variants, like a success', async () => {
    answer(partial({ variants_created: 1_000, variants_updated: 1, variants_unchanged: 0 }));
    await openDialog();
    await uploadPicked();
    expect(await screen.findByText('Product variants: 1,000 created, 1 updated, 0 unchanged')).toBeVisible();
    await act(() => changeLanguage('es'));
    expect(screen.getByText('Variantes de producto: 1000 creadas, 1 actualizada, 0 sin cambios')).toBeVisible();
    await act(() => changeLanguage('en'));
    answer(result({ variants_created: 0, variants_updated: 0, variants_unchanged: 2 }));
    await uploadPicked();
    expect(await screen.findByText('2 rows imported successfully')).toBeVisible();
    expect(screen.getByText('Product variants: 0 created, 0 updated, 2 unchanged')).toBeVisible();
  });

  // spec: §8 one validation error
  it('of one error uses the singular', async () => {
    answer(partial({ errors: [rowErrors[0]], error_count: 1 }));
    await openDialog();
    await uploadPicked();
    expect(await screen.findByText('Validation error in your CSV')).toBeVisible();
  });

  it('says when only the first errors are listed, and shows warnings', async () => {
    answer(partial({ error_count: 5_000, warnings: [{ code: 'x', message: 'The column "colour" was ignored.' }] }));
    await openDialog();
    await uploadPicked();
    expect(await screen.findByText('5,000 validation errors in your CSV')).toBeVisible();
    expect(screen.getByText('These are the first 2 of 5,000 errors. The rejected rows list them all.')).toBeVisible();
    expect(screen.getByText('The column "colour" was ignored.')).toBeVisible();
  });

  it('is in Spanish', async () => {
    await changeLanguage('es');
    answer(partial());
    await openDialog();
    await uploadPicked();
    expect(await screen.findByText('2 errores de validación en tu CSV')).toBeVisible();
    expect(screen.getByText('1200 de 1202 filas importadas correctamente')).toBeVisible();
    expect(screen.getByText('Campo: gtin')).toBeVisible();
  });

  it('of one row is in the singular in Spanish', async () => {
    await changeLanguage('es');
    answer(partial({ imported: 0, total_rows: 1 }));
    await openDialog();
    await uploadPicked();
    expect(await screen.findByText('0 de 1 fila importada correctamente')).toBeVisible();
  });

  it('saves the rejected rows under a name derived from the uploaded file', async () => {
    answer(partial());
    server.use(http.get(rejectedUrl, () => HttpResponse.text('gtin,error\r\n1,short\r\n')));
    await openDialog();
    await uploadPicked();
    await userEvent.click(await screen.findByRole('button', { name: 'Download rejected rows' }));
    await waitFor(() => expect(saveFile).toHaveBeenCalled());
    const [content, name] = saveFile.mock.lastCall ?? [];
    expect(name).toBe('socks-rejected.csv');
    expect(await content?.text()).toBe('gtin,error\r\n1,short\r\n');
  });

  it('says so when the rejected rows cannot be downloaded', async () => {
    answer(partial());
    server.use(http.get(rejectedUrl, () => HttpResponse.error()));
    await openDialog();
    await uploadPicked();
    await userEvent.click(await screen.findByRole('button', { name: 'Download rejected rows' }));
    expect(await screen.findByText('The rejected rows could not be downloaded.')).toBeVisible();
    expect(screen.getByText(/^Network error\./)).toBeVisible();
  });

  it('says in Spanish that the rejected rows have been deleted', async () => {
    await changeLanguage('es');
    answer(partial());
    const body = { code: 'import_not_found', detail: 'Se han borrado: se conservan 90 días.', request_id: 'r' };
    server.use(http.get(rejectedUrl, () => HttpResponse.json(body, { status: 404 })));
    await openDialog();
    await uploadPicked();
    await userEvent.click(await screen.findByRole('button', { name: 'Descargar filas rechazadas' }));
    expect(await screen.findByText(/Se han borrado: se conservan 90 días\.$/)).toBeVisible();
  });

  it('is replaced by the result of the corrected file', async () => {
    answer(partial());
    await openDialog();
    await uploadPicked();
    await screen.findByText('2 validation errors in your CSV');
    await userEvent.click(screen.getByRole('button', { name: 'Reset' }));
    expect(screen.queryByText('2 validation errors in your CSV')).toBeNull();
    answer(result());
    await uploadPicked(csvFile('gtin\n1', 'socks-rejected.csv'));
    expect(await screen.findByText('2 rows imported successfully')).toBeVisible();
  });
});

describe('a failed upload', () => {
  // spec: §8 upload failed
  it.each([
    ['the error of the answer', { error: 'No space left', detail: 'Disk', code: 'internal_error' }, 'No space left'],
    ['the error of an unknown answer', { error: 'Too much', detail: 'Disk' }, 'Too much'],
    ['the detail if there is no error', { detail: 'Row 1 has no gtin column', code: 'csv_rejected' }, 'Row 1 has no gtin column'],
    ['the general text otherwise', {}, 'Server error. Please try again later.'],
  ])('shows %s', async (_source, body, message) => {
    answer(body, 500);
    await openDialog();
    await uploadPicked();
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent(`Failed to upload CSV file${message}`);
    expect(outcome()).toContainElement(alert);
    expect(uploadButton()).not.toHaveAttribute('aria-disabled');
  });

  it('says which role it takes, as every other refusal does', async () => {
    const context = { role: 'viewer', required_role: 'editor', ask: 'Ana Torres' };
    answer({ code: 'permission_denied', detail: 'Permission denied', context, request_id: 'r' }, 403);
    await openDialog();
    await uploadPicked();
    expect(await screen.findByRole('alert')).toHaveTextContent(
      /Permission denied. Your role in this brand is Viewer; .* Editor\. Ask Ana Torres\./,
    );
  });

  // spec: §8 upload error message
  it('shows a lost connection', async () => {
    server.use(http.post(uploadUrl, () => HttpResponse.error()));
    await openDialog();
    await uploadPicked();
    expect(await screen.findByRole('alert')).toHaveTextContent('Network error. Please check your connection.');
  });

  it('says that a file changed after it was chosen', async () => {
    await openDialog();
    const file = csvFile();
    file.slice = () => {
      throw new DOMException('changed', 'NotReadableError');
    };
    await uploadPicked(file);
    expect(await screen.findByRole('alert')).toHaveTextContent(/changed or moved since you chose it/);
  });

  it.each([
    ['csv_rejected', 'Falta la columna gtin.', 'Falta la columna gtin.'],
    ['too_many_imports', 'Hay muchas en marcha.', 'Hay muchas en marcha.'],
    ['rate_limited', 'Too many requests.', 'Demasiadas solicitudes.'],
    ['permission_denied', 'Permission denied', 'Permiso denegado'],
  ])('is in Spanish: %s', async (code, detail, message) => {
    await changeLanguage('es');
    answer({ code, detail, request_id: 'r' }, 422);
    await openDialog();
    await uploadPicked();
    expect(await screen.findByRole('alert')).toHaveTextContent(`No se pudo subir el archivo CSV${message}`);
  });

  it('shows the message of an unknown answer, in Spanish too', async () => {
    await changeLanguage('es');
    answer({ error: 'The gateway is closed.' }, 502);
    await openDialog();
    await uploadPicked();
    expect(await screen.findByRole('alert')).toHaveTextContent('No se pudo subir el archivo CSVThe gateway is closed.');
  });

  it('can be retried', async () => {
    answer({}, 503);
    await openDialog();
    await uploadPicked();
    await screen.findByRole('alert');
    server.use(
      http.post(uploadUrl, async () => {
        await delay(20);
        return HttpResponse.json(result());
      }),
    );
    await userEvent.click(uploadButton());
    expect(await screen.findByText('2 rows imported successfully')).toBeVisible();
    expect(screen.queryByRole('alert')).toBeNull();
  });
});
