import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';
import { changeLanguage } from '../../lib/i18n.ts';
import * as saving from '../../lib/save-file.ts';
import { startMockServer } from '../../test/mock-server.ts';
import { mockTransfers } from '../../test/mock-transfer.ts';
import { clearToasts, getToasts } from '../../ui/toast-store.ts';
import { fjord } from '../brands/test-support/brands.tsx';
import {
  csvFile,
  drop,
  fileInput,
  pick,
  preview,
  result,
  templateUrl,
  uploadButton,
  uploadPicked,
  uploadUrl,
} from './test-support/import.tsx';
import { brandHandler, importsUrl, listed, openImports } from './test-support/imports.tsx';

let saveFile: MockInstance<typeof saving.saveFile>;
beforeEach(() => {
  saveFile = vi.spyOn(saving, 'saveFile').mockReturnValue();
});

const server = startMockServer();
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const workbook = (name = 'socks.xlsx', type = XLSX) => new File(['PK'], name, { type });

beforeEach(() => {
  clearToasts();
  server.use(
    brandHandler(),
    http.get(importsUrl, () => HttpResponse.json({ results: [listed()], count: 1 })),
  );
});
afterEach(() => {
  vi.unstubAllGlobals();
  return changeLanguage('en');
});

const answer = (body: object, status = 200) => server.use(http.post(uploadUrl, () => HttpResponse.json(body, { status })));

describe('a file on the Imports page', () => {
  it.each([
    ['a workbook', workbook()],
    ['a workbook whose type the browser does not know', workbook('socks.xlsx', '')],
    ['a CSV file', csvFile('x', 'hats.csv')],
    ['a CSV file that Windows takes for Excel', new File(['x'], 'hats.csv', { type: 'application/vnd.ms-excel' })],
  ])('can be %s, dropped or picked', async (_what, file) => {
    openImports();
    expect(fileInput()).toHaveAttribute('accept', '.csv,.xlsx,.txt');
    drop(file);
    expect(await screen.findByText(file.name)).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Reset' }));
    await pick(file);
    expect(await screen.findByText(file.name)).toBeVisible();
    expect(uploadButton()).toHaveFocus();
  });

  it('of another kind is refused with a reason', async () => {
    openImports();
    drop(new File(['x'], 'socks.pdf', { type: 'application/pdf' }));
    expect(await screen.findByText(/^Only CSV and Excel \(\.xlsx\) files are accepted\./)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Upload File' })).toBeNull();
  });

  it('is imported: its result stays until Done, and the list is loaded again', async () => {
    let lists = 0;
    server.use(
      http.get(importsUrl, () => {
        lists += 1;
        return HttpResponse.json({ results: [listed()], count: 1 });
      }),
    );
    answer(result());
    openImports();
    await screen.findByRole('table', { name: 'Imports' });
    const before = lists;
    await uploadPicked(workbook());
    expect(await screen.findByText('2 rows imported successfully')).toBeVisible();
    await waitFor(() => expect(lists).toBeGreaterThan(before));
    const outcome = screen.getByRole('region', { name: 'Upload status' });
    expect(within(outcome).getByRole('link', { name: 'See this import' })).toHaveAttribute('href', '/brands/1/imports/7');
    for (const name of ['Cancel', 'Upload File', 'Check first']) {
      expect(screen.queryByRole('button', { name })).toBeNull();
    }
    await userEvent.click(screen.getByRole('button', { name: 'Done' }));
    expect(screen.queryByText('2 rows imported successfully')).toBeNull();
    expect(screen.getByRole('button', { name: 'Choose a file' })).toHaveFocus();
  });

  it('is checked first, and then discarded or imported', async () => {
    server.use(
      http.post('*/api/v1/brands/1/imports/check/', () => HttpResponse.json(preview())),
      http.post('*/api/v1/brands/1/imports/7/cancel/', () => HttpResponse.json({})),
      http.post('*/api/v1/brands/1/imports/7/confirm/', () => HttpResponse.json(result({ imported: 3 }))),
    );
    openImports();
    await pick(workbook());
    await userEvent.click(screen.getByRole('button', { name: 'Check first' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Discard' }));
    await userEvent.click(screen.getByRole('button', { name: 'Check first' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Import 3 rows' }));
    expect(await screen.findByText('3 rows imported successfully')).toBeVisible();
  });

  it('with several sheets asks which is meant, and is sent again with it', async () => {
    const fields = { sheet: 'Spring\nAutumn' };
    answer({ code: 'csv_rejected', detail: 'Several sheets have the columns.', fields, request_id: 'r' }, 422);
    openImports();
    await uploadPicked(workbook());
    expect(await screen.findByText('Which sheet do you want to upload?')).toBeVisible();
    expect(screen.getByText('Several sheets have the columns.')).toBeVisible();
    const sent = vi.spyOn(FormData.prototype, 'set');
    answer(result());
    await userEvent.click(screen.getByRole('combobox', { name: 'Sheet' }));
    await userEvent.click(await screen.findByRole('option', { name: 'Autumn' }));
    await userEvent.click(uploadButton());
    expect(await screen.findByText('2 rows imported successfully')).toBeVisible();
    expect(sent.mock.calls).toContainEqual(['sheet', 'Autumn']);
    sent.mockRestore();
  });

  it('is cancelled while it is sent, and kept', async () => {
    openImports();
    await screen.findByRole('table', { name: 'Imports' });
    const transfers = mockTransfers();
    await uploadPicked(workbook());
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }));
    expect(await screen.findByText('Upload cancelled. Nothing was imported.')).toBeVisible();
    expect(transfers[0]?.isAborted).toBe(true);
    expect(screen.getByText('socks.xlsx')).toBeVisible();
  });

  it('leaves a toast where the page is left during the import', async () => {
    const { router } = openImports();
    await screen.findByRole('table', { name: 'Imports' });
    const transfers = mockTransfers();
    await uploadPicked(workbook());
    await waitFor(() => expect(transfers).toHaveLength(1));
    await transfers[0]?.finishUpload();
    await act(() => router.navigate('/brands/1/imports?search=hats'));
    expect(getToasts()).toEqual([]);
    await act(() => router.navigate('/brands/1/imports/no-id'));
    expect(getToasts()).toMatchObject([{ title: 'Your import goes on' }]);
  });

  it('shows a viewer beforehand that the upload will be refused', async () => {
    openImports('imports', { ...fjord, role: 'viewer' });
    expect(await screen.findByText(/^Your role in this brand is Viewer/)).toBeVisible();
    await pick(workbook());
    expect(screen.getByText(/^Your role in this brand is Viewer/)).toBeVisible();
    expect(uploadButton()).not.toHaveAttribute('aria-disabled');
  });
});

describe('the Excel template', () => {
  it('is downloaded, and a failure is shown', async () => {
    server.use(http.get(templateUrl, () => new HttpResponse('PK')));
    openImports();
    await userEvent.click(screen.getByRole('button', { name: 'Excel template' }));
    await waitFor(() => expect(saveFile).toHaveBeenCalledExactlyOnceWith(expect.any(Blob), 'product-template.xlsx'));
    server.use(http.get(templateUrl, () => HttpResponse.error()));
    await userEvent.click(screen.getByRole('button', { name: 'Excel template' }));
    expect(await screen.findByText('The Excel template could not be downloaded.')).toBeVisible();
  });
});

it('the place to drop a file is in Spanish', async () => {
  await changeLanguage('es');
  openImports();
  expect(screen.getByRole('region', { name: 'Importar un archivo' })).toHaveTextContent('Suelta aquí tu archivo CSV o Excel');
});
