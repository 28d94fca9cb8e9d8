import type { ColumnQuestion } from '@brand-portal/contract/import-mapping';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { changeLanguage } from '../../lib/i18n.ts';
import { startMockServer } from '../../test/mock-server.ts';
import {
  csvFile,
  dialogHandlers,
  importUrl,
  openDialog,
  preview,
  receipt,
  result,
  uploadButton,
  uploadPicked,
  uploadUrl,
} from './test-support/import.tsx';

const server = startMockServer();
beforeEach(() => server.use(...dialogHandlers()));
afterEach(() => changeLanguage('en'));

const checkUrl = '*/api/v1/brands/1/imports/check/';

const question = (change: Partial<ColumnQuestion> = {}): ColumnQuestion => ({
  header_row: 1,
  columns: [
    { column: 0, header: 'Artikelname', samples: ['Socken', 'Schal'], field: 'variant_name', reason: 'name' },
    { column: 1, header: 'Code', samples: ['4006381333931'], field: 'gtin', reason: 'content' },
    { column: 2, header: 'Lager', samples: [], field: null, reason: null },
    { column: 3, header: 'Lager', samples: ['3'], field: null, reason: null },
    { column: 4, header: '', samples: ['x'], field: null, reason: null },
  ],
  ...change,
});

const refusal = (columnQuestion = question()) =>
  HttpResponse.json(
    {
      code: 'csv_rejected',
      detail: 'Required columns are missing.',
      fields: { mapping: JSON.stringify(columnQuestion) },
    },
    { status: 422 },
  );

/** Records what each upload sends about columns; the first is answered with a question, the others with a result. */
function mockUploads(url = uploadUrl, answer: () => Response = () => HttpResponse.json(result()), columnQuestion = question()) {
  const sent: Record<string, unknown>[] = [];
  server.use(
    http.post(url, async ({ request }) => {
      // Parsed as text: Node does not recognise the test environment's File class in a form.
      const fields = (await request.text()).matchAll(/name="(sheet|mapping)"\r\n\r\n(.*)\r\n/g);
      sent.push(Object.fromEntries([...fields].map(([, name, value]) => [name, value])));
      return sent.length === 1 ? refusal(columnQuestion) : answer();
    }),
  );
  return sent;
}

const box = (name: string) => screen.getByRole('combobox', { name });

async function choose(name: string, option: string) {
  await userEvent.click(box(name));
  await userEvent.click(screen.getByRole('option', { name: (name) => name.startsWith(option) }));
}

test('an unknown header causes a question, with the proposed columns and the reasons', async () => {
  const sent = mockUploads();
  await openDialog();
  await uploadPicked();
  const outcome = await screen.findByRole('region', { name: 'Upload status' });
  expect(await within(outcome).findByText('Which column is which?')).toBeVisible();
  expect(outcome).toHaveFocus();
  expect(screen.queryByText('Failed to upload CSV file')).toBeNull();
  expect(box('Name (required)')).toHaveTextContent('Artikelname');
  expect(box('Name (required)')).toHaveAccessibleDescription('For example: Socken · Schal Proposed by its name');
  expect(box('GTIN (required)')).toHaveAccessibleDescription('For example: 4006381333931 Proposed by its values');
  expect(box('Category')).toHaveTextContent('Not in this file');
  await userEvent.click(box('Category'));
  // With values: the names of the columns alone often do not tell.
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent?.trim())).toEqual([
    'Not in this file',
    'Artikelname Socken · Schal',
    'Code 4006381333931',
    'Lager (column 3)',
    'Lager (column 4) 3',
    'Column 5 x',
  ]);
  await userEvent.click(screen.getByRole('option', { name: 'Lager (column 3)' }));
  expect(box('Category')).toHaveAccessibleDescription('No values in the first rows');
  await userEvent.click(uploadButton());
  expect(await screen.findByText('2 rows imported successfully')).toBeVisible();
  expect(sent).toEqual([{}, { mapping: '{"0":"variant_name","1":"gtin","2":"category"}' }]);
});

test('unused columns and missing required columns are shown before the upload', async () => {
  const proposal = question();
  const columns = proposal.columns.map((found) => ({ ...found, ...(found.field === 'gtin' && { field: null }) }));
  mockUploads(uploadUrl, undefined, { ...proposal, columns });
  await openDialog();
  await uploadPicked();
  const lack = await screen.findByText(/^The column for the GTIN was not recognized\./);
  expect(lack.closest('[role="alert"]')).not.toBeNull();
  expect(screen.getByText('Not used: Code, Lager (column 3), Lager (column 4), Column 5')).toBeVisible();
  await choose('GTIN (required)', 'Code');
  expect(screen.queryByText(/was not recognized/)).toBeNull();
  expect(screen.getByText('Not used: Lager (column 3), Lager (column 4), Column 5')).toBeVisible();
});

test('a file without any required column says so', async () => {
  await changeLanguage('es');
  const columns = question().columns.map((found) => ({ ...found, field: null, reason: null }));
  mockUploads(uploadUrl, undefined, question({ columns }));
  await openDialog();
  await uploadPicked();
  expect(await screen.findByText(/^No se reconocieron las columnas del nombre y del GTIN/)).toBeVisible();
});

test('a certification without a column for its ids, and the reverse, says that its rows would be rejected', async () => {
  mockUploads();
  await openDialog();
  await uploadPicked();
  await screen.findByText('Which column is which?');
  expect(box('Certificate ID')).not.toHaveAccessibleDescription();
  await choose('Certification', 'Lager (column 4)');
  expect(box('Certificate ID')).toHaveAccessibleDescription(
    'Rows with a certification are rejected without a certificate ID: choose its column.',
  );
  await choose('Certificate ID', 'Column 5');
  expect(screen.queryByText(/^Rows with/)).toBeNull();
  await choose('Certification', 'Not in this file');
  expect(box('Certification')).toHaveAccessibleDescription(/^Rows with a certificate ID are rejected/);
  // Some rows may have no certificate, so nothing is blocked.
  await userEvent.click(uploadButton());
  expect(await screen.findByText('2 rows imported successfully')).toBeVisible();
});

test('the chosen sheet is kept while its columns are chosen, until another file is chosen', async () => {
  const sent = mockUploads(
    checkUrl,
    () => {
      const { sheet, mapping } = sent.at(-1) ?? {};
      const sheets = { code: 'csv_rejected', detail: 'Several sheets.', fields: { sheet: 'Liste\nAlt' } };
      if (sheet === undefined) return HttpResponse.json(sheets, { status: 422 });
      return mapping === 'choose' ? refusal(question({ sheet: String(sheet) })) : HttpResponse.json(preview({ warnings }));
    },
    question({ sheet: 'Liste' }),
  );
  const warnings = [{ code: 'chosen_columns', message: 'Columns as you chose them: Code → gtin.' }];
  server.use(http.post('*/api/v1/brands/1/imports/7/cancel/', () => HttpResponse.json(receipt({ state: 'cancelled' }))));
  await openDialog();
  await userEvent.upload(screen.getByLabelText('CSV file'), csvFile());
  const check = () => userEvent.click(screen.getByRole('button', { name: 'Check first' }));
  await check();
  await screen.findByText('Which column is which?');
  await check();
  await userEvent.click(await screen.findByRole('button', { name: 'Change' }));
  await screen.findByText('Which column is which?');
  await check();
  await userEvent.click(await screen.findByRole('button', { name: 'Discard' }));
  await userEvent.click(screen.getByRole('button', { name: 'Reset' }));
  await userEvent.upload(screen.getByLabelText('CSV file'), csvFile());
  await check();
  expect(await screen.findByRole('combobox', { name: 'Sheet' })).toBeVisible();
  expect(sent).toEqual([
    {},
    { sheet: 'Liste', mapping: '{"0":"variant_name","1":"gtin"}' },
    { sheet: 'Liste', mapping: 'choose' },
    { sheet: 'Liste', mapping: '{"0":"variant_name","1":"gtin"}' },
    {},
  ]);
});

test('changing the columns is also possible after choosing a sheet', async () => {
  const sent: unknown[] = [];
  const remembered = [{ code: 'remembered_columns', message: 'Columns as they were chosen for an earlier file.' }];
  server.use(
    http.post(checkUrl, async ({ request }) => {
      const fields = [...(await request.text()).matchAll(/name="(sheet|mapping)"\r\n\r\n(.*)\r\n/g)];
      const form = Object.fromEntries(fields.map(([, name, value]) => [name, value]));
      sent.push(form);
      // The server used the only sheet with the remembered columns; with `choose` the sheet does not matter.
      if (sent.length === 1) return HttpResponse.json(preview({ warnings: remembered }));
      if (sent.length > 2) return refusal(question({ sheet: form.sheet }));
      return HttpResponse.json({ code: 'csv_rejected', detail: 'Several sheets.', fields: { sheet: 'Liste\nAlt' } }, { status: 422 });
    }),
    http.post('*/api/v1/brands/1/imports/7/cancel/', () => HttpResponse.json(receipt({ state: 'cancelled' }))),
  );
  await openDialog();
  await userEvent.upload(screen.getByLabelText('CSV file'), csvFile());
  await userEvent.click(screen.getByRole('button', { name: 'Check first' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Change' }));
  await choose('Sheet', 'Alt');
  await userEvent.click(screen.getByRole('button', { name: 'Check first' }));
  expect(await screen.findByText('Which column is which?')).toBeVisible();
  expect(sent).toEqual([{}, { mapping: 'choose' }, { sheet: 'Alt', mapping: 'choose' }]);
});

test('nothing is sent without the required columns, or with one column for two fields', async () => {
  const sent = mockUploads();
  await openDialog();
  await uploadPicked();
  await screen.findByText('Which column is which?');
  await choose('GTIN (required)', 'Not in this file');
  await userEvent.click(uploadButton());
  expect(await screen.findByRole('tooltip')).toHaveTextContent('Choose the columns for name and GTIN');
  await choose('GTIN (required)', 'Artikelname');
  expect(screen.getAllByText('This column is chosen more than once')).toHaveLength(2);
  await userEvent.click(uploadButton());
  expect(await screen.findByRole('tooltip')).toHaveTextContent('Choose each column only once');
  expect(sent).toHaveLength(1);
});

test('chosen columns are not lost by Escape without a question', async () => {
  mockUploads();
  await openDialog();
  await uploadPicked();
  await screen.findByText('Which column is which?');
  await choose('Category', 'Column 5');
  await userEvent.keyboard('{Escape}');
  const asking = await screen.findByRole('dialog', { name: 'Discard your changes?' });
  await userEvent.click(within(asking).getByRole('button', { name: 'Keep editing' }));
  expect(box('Category')).toHaveTextContent('Column 5');
});

test('chosen columns are sent again after an upload that failed or was discarded', async () => {
  const answers = [() => HttpResponse.error(), () => HttpResponse.json(preview()), () => HttpResponse.json(preview())];
  server.use(http.post('*/api/v1/brands/1/imports/7/cancel/', () => HttpResponse.json(receipt({ state: 'cancelled' }))));
  const sent = mockUploads(checkUrl, () => answers.shift()?.() ?? refusal());
  await openDialog();
  await userEvent.upload(screen.getByLabelText('CSV file'), csvFile());
  const check = () => userEvent.click(screen.getByRole('button', { name: 'Check first' }));
  await check();
  await screen.findByText('Which column is which?');
  await choose('Category', 'Column 5');
  await check();
  await screen.findByText(/connection/);
  await check();
  await userEvent.click(await screen.findByRole('button', { name: 'Discard' }));
  await check();
  await screen.findByText('Nothing has been imported yet');
  const mapping = '{"0":"variant_name","1":"gtin","4":"category"}';
  expect(sent).toEqual([{}, { mapping }, { mapping }, { mapping }]);
});

test('a check asks too, names its sheet and header row, and remembered columns can be changed', async () => {
  const warnings = [{ code: 'remembered_columns', message: 'Columns as they were chosen for an earlier file: Code → gtin.' }];
  const cancelled: string[] = [];
  server.use(
    http.post('*/api/v1/brands/1/imports/7/cancel/', ({ request }) => {
      cancelled.push(request.url);
      return HttpResponse.json(receipt({ state: 'cancelled' }));
    }),
  );
  let asksAgain = false;
  const sent = mockUploads(
    checkUrl,
    () => (asksAgain ? refusal() : HttpResponse.json(preview({ warnings }))),
    question({ sheet: 'Liste', header_row: 4 }),
  );
  await openDialog();
  await userEvent.upload(screen.getByLabelText('CSV file'), csvFile());
  await userEvent.click(screen.getByRole('button', { name: 'Check first' }));
  expect(await screen.findByText('Row 4 was taken as the header.')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Check first' }));
  expect(await screen.findByText(/^Columns as they were chosen/)).toBeVisible();
  asksAgain = true;
  await userEvent.click(screen.getByRole('button', { name: 'Change' }));
  expect(await screen.findByText('Which column is which?')).toBeVisible();
  expect(sent).toEqual([{}, { sheet: 'Liste', mapping: '{"0":"variant_name","1":"gtin"}' }, { sheet: 'Liste', mapping: 'choose' }]);
  expect(cancelled).toHaveLength(1);
});

test('a long import asks through its receipt, in Spanish too', async () => {
  await changeLanguage('es');
  server.use(
    http.post(uploadUrl, () => HttpResponse.json({ import_id: 7, state: 'running' }, { status: 202 })),
    http.get(importUrl, () =>
      HttpResponse.json(receipt({ state: 'failed', failure: { code: 'missing_columns', message: 'x', mapping: question() } })),
    ),
  );
  await openDialog();
  await uploadPicked();
  expect(await screen.findByText('¿Qué columna es cada una?')).toBeVisible();
  expect(box('Nombre (obligatorio)')).toHaveTextContent('Artikelname');
});
