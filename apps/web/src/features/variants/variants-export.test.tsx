import { TOTAL_ROWS_HEADER } from '@brand-portal/contract/exports';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, expect, it, type MockInstance, vi } from 'vitest';
import { changeLanguage } from '../../lib/i18n.ts';
import * as saving from '../../lib/save-file.ts';
import { startMockServer } from '../../test/mock-server.ts';
import { exportAnswer, piece } from '../../test/pieces.ts';
import { clearToasts, getToasts } from '../../ui/toast-store.ts';
import { manyVariants, mockVariants, openVariants } from './test-support/variants.tsx';

let saveFile: MockInstance<typeof saving.saveFile>;
beforeEach(() => {
  saveFile = vi.spyOn(saving, 'saveFile').mockReturnValue();
});

const server = startMockServer();
const exportUrl = '*/api/v1/brands/1/variants/export/';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  clearToasts();
  return changeLanguage('en');
});

async function choose(action: string, format: string) {
  await userEvent.click(await screen.findByRole('button', { name: action }));
  await userEvent.click(await screen.findByRole('menuitem', { name: format }));
}

const savedText = async () => saveFile.mock.lastCall?.[0].text();

/** An export that the test moves on step by step. */
function mockSlowExport(total?: number) {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given;
    },
  });
  const headers: Record<string, string> = total === undefined ? {} : { [TOTAL_ROWS_HEADER]: String(total) };
  server.use(http.get(exportUrl, () => new HttpResponse(body, { headers })));
  // Every step takes long enough for the toast to be updated.
  let now = Date.now();
  vi.spyOn(Date, 'now').mockImplementation(() => {
    now += 1_000;
    return now;
  });
  return {
    send: (rows: number, text?: string) => controller?.enqueue(piece(rows, text)),
    close: () => controller?.close(),
    fail: () => controller?.error(new Error('The line is cut')),
  };
}

it('an export has the rows of the list, as an Excel workbook or as CSV', async () => {
  server.use(...mockVariants(manyVariants(25)).handlers);
  const requests: string[] = [];
  server.use(
    http.get(exportUrl, ({ request }) => {
      requests.push(new URL(request.url).search);
      return exportAnswer('file', 25);
    }),
  );
  openVariants('?filter=published&search=wool%20%26&page=2&ordering=name');
  await choose('Export', 'Excel workbook (.xlsx)');
  await waitFor(() => expect(saveFile).toHaveBeenCalledExactlyOnceWith(expect.any(Blob), 'product-variants.xlsx'));
  expect(await savedText()).toBe('file');
  await choose('Export', 'CSV file (.csv)');
  await waitFor(() => expect(saveFile).toHaveBeenLastCalledWith(expect.any(Blob), 'product-variants.csv'));
  expect(requests).toEqual([
    '?format=xlsx&apostrophe=true&ordering=name&search=wool+%26&published=true',
    '?format=csv&apostrophe=true&ordering=name&search=wool+%26&published=true',
  ]);
  // A fast export shows no toast.
  expect(getToasts()).toEqual([]);
});

it('an export shows its progress in rows, and when it is complete', async () => {
  server.use(...mockVariants(manyVariants(1)).handlers);
  const slow = mockSlowExport(4_000);
  openVariants();
  await choose('Export', 'CSV file (.csv)');
  slow.send(1_000, 'a');
  await waitFor(() =>
    expect(getToasts()).toMatchObject([
      { title: 'Exporting…', description: '1,000 of 4,000 entries', progress: 25, isLasting: true, open: true },
    ]),
  );
  slow.send(3_000, 'b');
  await waitFor(() => expect(getToasts()[0]).toMatchObject({ description: '3,000 of 4,000 entries', progress: 75 }));
  expect(saveFile).not.toHaveBeenCalled();
  slow.send(4_000);
  await waitFor(() => expect(saveFile).toHaveBeenCalled());
  expect(await savedText()).toBe('ab');
  await waitFor(() =>
    expect(getToasts().filter(({ open }) => open)).toMatchObject([
      { variant: 'success', title: 'The export is complete', description: 'Entries: 4,000' },
    ]),
  );
});

it('an export without a known total shows only its entries', async () => {
  server.use(...mockVariants(manyVariants(1)).handlers);
  const slow = mockSlowExport();
  openVariants();
  await choose('Export', 'CSV file (.csv)');
  slow.send(1_000, 'a');
  await waitFor(() => expect(getToasts()).toMatchObject([{ description: 'Entries: 1,000' }]));
  expect(getToasts()[0]?.progress).toBeUndefined();
  slow.send(1_000);
  await waitFor(() => expect(saveFile).toHaveBeenCalled());
});

it('an export can be cancelled: nothing is saved, and another can be made', async () => {
  server.use(...mockVariants(manyVariants(1)).handlers);
  const slow = mockSlowExport(4_000);
  openVariants();
  await choose('Export', 'CSV file (.csv)');
  slow.send(1_000, 'a');
  await waitFor(() => expect(getToasts()).toHaveLength(1));
  expect(getToasts()[0]?.action?.label).toBe('Cancel export');
  getToasts()[0]?.action?.onSelect();
  await waitFor(() => expect(getToasts()[0]?.open).toBe(false));
  expect(getToasts()).toHaveLength(1);
  expect(saveFile).not.toHaveBeenCalled();
  server.use(http.get(exportUrl, () => exportAnswer('again', 1)));
  await choose('Export', 'CSV file (.csv)');
  await waitFor(() => expect(saveFile).toHaveBeenCalledOnce());
});

it.each(['close', 'fail'] as const)('an export that is cut off (%s) shows an error and is not saved', async (how) => {
  server.use(...mockVariants(manyVariants(1)).handlers);
  const slow = mockSlowExport(4_000);
  openVariants();
  await choose('Export', 'CSV file (.csv)');
  slow.send(1_000, 'a');
  await waitFor(() => expect(getToasts()).toHaveLength(1));
  slow[how]();
  await waitFor(() =>
    expect(getToasts().filter(({ open }) => open)).toMatchObject([
      { variant: 'error', title: 'The list could not be exported', description: expect.stringMatching(/./) },
    ]),
  );
  expect(saveFile).not.toHaveBeenCalled();
});

it('a failed export shows an error, in Spanish too', async () => {
  await changeLanguage('es');
  server.use(
    ...mockVariants(manyVariants(1)).handlers,
    http.get(exportUrl, () => HttpResponse.error()),
  );
  openVariants();
  await choose('Exportar', 'Archivo CSV (.csv)');
  await waitFor(() => expect(getToasts()).toMatchObject([{ variant: 'error', title: 'No se pudo exportar la lista' }]));
  expect(saveFile).not.toHaveBeenCalled();
});

function mockPicker() {
  const written: string[] = [];
  const file = {
    write: vi.fn(async (bytes: Uint8Array) => void written.push(new TextDecoder().decode(bytes))),
    close: vi.fn(async () => undefined),
    abort: vi.fn(async () => undefined),
  };
  const picker = vi.fn(async () => ({ createWritable: async () => file }));
  vi.stubGlobal('showSaveFilePicker', picker);
  return { picker, file, written };
}

const mockLargeList = () =>
  server.use(
    http.get('*/api/v1/brands/1/variants/', () =>
      HttpResponse.json({ results: manyVariants(10), count: 1_000_000, next: null, previous: null }),
    ),
  );

it('a large list is streamed to the disk if the browser supports it', async () => {
  server.use(...mockVariants(manyVariants(1)).handlers);
  mockLargeList();
  server.use(http.get(exportUrl, () => exportAnswer('large', 1_000_000)));
  const { picker, file, written } = mockPicker();
  openVariants();
  await screen.findAllByText(/1,000,000/);
  await choose('Export', 'CSV file (.csv)');
  await waitFor(() => expect(file.close).toHaveBeenCalledOnce());
  expect(picker).toHaveBeenCalledExactlyOnceWith({ suggestedName: 'product-variants.csv' });
  expect(written.join('')).toBe('large');
  expect(saveFile).not.toHaveBeenCalled();
});

it('if writing to the disk fails, the download is aborted', async () => {
  server.use(...mockVariants(manyVariants(1)).handlers);
  mockLargeList();
  mockSlowExport().send(1, 'large');
  const cancelled = vi.spyOn(ReadableStreamDefaultReader.prototype, 'cancel');
  const { file } = mockPicker();
  file.write.mockRejectedValue(new DOMException('The disk is full', 'QuotaExceededError'));
  openVariants();
  await screen.findAllByText(/1,000,000/);
  await choose('Export', 'CSV file (.csv)');
  await waitFor(() => expect(file.abort).toHaveBeenCalledOnce());
  expect(cancelled).toHaveBeenCalled();
  await waitFor(() => expect(getToasts()).toMatchObject([{ variant: 'error' }]));
});

it('nothing is exported, without a message, when the member cancels the save dialog', async () => {
  server.use(...mockVariants(manyVariants(1)).handlers);
  mockLargeList();
  const requests = vi.fn();
  server.use(http.get(exportUrl, requests));
  const { picker } = mockPicker();
  picker.mockRejectedValue(new DOMException('The user aborted a request.', 'AbortError'));
  openVariants();
  await screen.findAllByText(/1,000,000/);
  await choose('Export', 'CSV file (.csv)');
  await waitFor(() => expect(picker).toHaveBeenCalledOnce());
  expect(await screen.findByRole('button', { name: 'Export' })).toBeEnabled();
  expect(requests).not.toHaveBeenCalled();
  expect(getToasts()).toEqual([]);
});
