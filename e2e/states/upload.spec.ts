import type { ImportPreview } from '@brand-portal/contract/import';
import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/axe.ts';
import { type ChosenFile, csvFile, gtin, invalidGtin } from '../support/csv-files.ts';
import { holdRequests } from '../support/held-requests.ts';
import { expectToFitEveryWidth } from '../support/looks.ts';
import { button, dialog, expect, openBrand, refuse, test } from '../support/states.ts';

const UPLOAD = '**/variant-certifications/upload/';
const LINES = ['variant_name,gtin,shelf', `Mijo,${gtin(60_001)},1`, `Mijo,${invalidGtin(60_002)},2`];

const choose = (page: Page, file: ChosenFile) => dialog(page).locator('input[type="file"]').setInputFiles(file);
const upload = (page: Page) => dialog(page).getByRole('button', { name: 'Upload File' }).click();

/** Simulates dragging a file over the drop zone. */
async function drag(page: Page, event: 'dragenter' | 'dragleave', type: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle((type) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['x'], 'products', { type }));
    return transfer;
  }, type);
  await dialog(page).getByRole('button', { name: 'Choose a file' }).dispatchEvent(event, { dataTransfer });
}

/** Simulates upload progress. */
const reportProgress = (page: Page, share: number) =>
  page.evaluate((share) => {
    const { upload } = (window as unknown as { lastRequest: XMLHttpRequest }).lastRequest;
    upload.dispatchEvent(new ProgressEvent('progress', { lengthComputable: true, loaded: share * 100, total: 100 }));
  }, share);

async function rememberRequests(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const { send } = XMLHttpRequest.prototype;
    XMLHttpRequest.prototype.send = function (body) {
      Object.assign(window, { lastRequest: this });
      send.call(this, body);
    };
  });
}

test('the upload', async ({ page }) => {
  await rememberRequests(page);
  await openBrand(page, 'Northfield Organics');
  await button(page, 'Add Product Variant').click();
  await expect(dialog(page)).toContainText('variant_name*');
  await expectAccessible(page, 'the first step');
  await dialog(page).getByRole('button', { name: 'Upload File' }).focus();
  await expect(page.getByRole('tooltip')).toContainText('Choose a CSV file first');
  await expectAccessible(page, 'why nothing can be sent yet');
  await dialog(page)
    .getByRole('button', { name: /^Supported certifications/ })
    .click();
  await expect(dialog(page).getByRole('region', { name: 'Supported certifications' })).toBeVisible();
  await expectAccessible(page, 'the supported certifications');
  await expectToFitEveryWidth(page, 'the supported certifications');
  await drag(page, 'dragenter', 'text/csv');
  await expect(dialog(page)).toContainText('Let go to choose this file');
  await expectAccessible(page, 'a file over the field');
  await drag(page, 'dragleave', 'text/csv');
  await drag(page, 'dragenter', 'text/plain');
  await expect(dialog(page)).toContainText('Only CSV files, one at a time');
  await expectAccessible(page, 'a file of the wrong kind over the field');
  await drag(page, 'dragleave', 'text/plain');
  await choose(page, { ...csvFile('notes.md', ['x']), mimeType: 'text/plain' });
  await expect(dialog(page).getByRole('alert')).toBeVisible();
  await expectAccessible(page, 'a file of the wrong kind');
  await choose(page, { name: 'mijo.xlsx', mimeType: '', buffer: Buffer.from('PK') });
  await expect(button(page, 'Import it on the Imports page')).toBeVisible();
  await expectAccessible(page, 'a workbook, refused here');
  await expectToFitEveryWidth(page, 'a workbook, refused here');
  await choose(page, csvFile('mijo.csv', LINES));
  await expect(dialog(page)).toContainText('mijo.csv');
  await expectAccessible(page, 'a chosen file');

  const fail = await holdRequests(page, UPLOAD, (route) => route.fulfill({ status: 500, json: { error: 'The disk is full.' } }));
  await upload(page);
  await expect(dialog(page).getByRole('progressbar')).toBeVisible();
  await reportProgress(page, 0.42);
  await expect(dialog(page)).toContainText('42%');
  await page.keyboard.press('Escape');
  await expectAccessible(page, 'a file on its way');
  await reportProgress(page, 1);
  await expect(dialog(page)).toContainText('Checking and saving your rows…');
  await expectAccessible(page, 'a file that is being saved');
  await fail();
  await expect(dialog(page).getByRole('alert')).toContainText('The disk is full.');
  await expectAccessible(page, 'an upload that failed');
  const release = await holdRequests(page, UPLOAD);
  await upload(page);
  await reportProgress(page, 0.42);
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog(page)).toContainText('Upload cancelled');
  await expectAccessible(page, 'an upload that was cancelled');
  await release();
});

test('an import that takes longer than a moment', async ({ page }) => {
  const seen = { state: 'waiting', stage: null as string | null, rows_done: 0, rows_total: 1_000_000, failure: null };
  await page.route(UPLOAD, (route) => route.fulfill({ status: 202, json: { import_id: 7, state: 'waiting' } }));
  await page.route('**/imports/7/', (route) => route.fulfill({ json: seen }));
  await openBrand(page, 'Northfield Organics');
  await button(page, 'Add Product Variant').click();
  await choose(page, csvFile('mijo.csv', LINES));
  await upload(page);
  await expect(dialog(page)).toContainText('Waiting for another change of this brand to finish…');
  await expectAccessible(page, 'an import that waits');
  Object.assign(seen, { state: 'running', stage: 'reading', rows_done: 420_000 });
  await expect(dialog(page)).toContainText('Reading rows: 420,000 of 1,000,000');
  await expectAccessible(page, 'an import that reads its rows');
  await expectToFitEveryWidth(page, 'an import that reads its rows');
  Object.assign(seen, { stage: 'merging', rows_done: 1_000_000 });
  await expect(dialog(page)).toContainText('Saving 1,000,000 rows…');
  await expectAccessible(page, 'an import that is being saved');
  const cancelled = await holdRequests(page, '**/imports/7/cancel/', (route) => {
    Object.assign(seen, { state: 'cancelled', stage: null });
    return route.fulfill({ json: seen });
  });
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog(page)).toContainText('Cancelling…');
  await expectAccessible(page, 'an import that is being cancelled');
  await cancelled();
  await expect(dialog(page)).toContainText('Import cancelled. Nothing was changed.');
  await expectAccessible(page, 'an import that was cancelled');
  Object.assign(seen, { state: 'running', stage: 'reading' });
  await upload(page);
  await expect(dialog(page)).toContainText('Reading rows');
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toBeHidden();
  await expect(page.getByText('Your import goes on', { exact: true })).toBeVisible();
  await expectAccessible(page, 'an import whose dialog was closed');
});

test('a file whose columns have other names', async ({ page }) => {
  await openBrand(page, 'Northfield Organics');
  await button(page, 'Add Product Variant').click();
  const long = 'Zusätzliche Bezeichnung der Zertifizierungsstelle laut Anhang';
  await choose(
    page,
    csvFile('mijo.csv', [
      'Sortiment Herbst',
      `Produktname;EAN;${long};Zertifikat;Lager`,
      `Mijo ecológico con un nombre que no cabe en una línea;${gtin(60_001)};FSC-C104882;FSC;`,
      `Quinoa;${gtin(60_002)};FSC-C104883;FSC;`,
    ]),
  );
  await upload(page);
  await expect(dialog(page)).toContainText('Which column is which?');
  await expectAccessible(page, 'which column is which');
  await expectToFitEveryWidth(page, 'which column is which');
  const category = dialog(page).getByRole('combobox', { name: 'Category' });
  await category.click();
  await expectAccessible(page, 'the columns to choose from');
  await page.getByRole('option', { name: 'EAN' }).click();
  await expect(dialog(page).getByText('This column is chosen more than once')).toHaveCount(2);
  await expectAccessible(page, 'a column that is chosen twice');
});

test('what a file would do', async ({ page }) => {
  const variant = (n: number, old_name: string | null) => ({
    gtin: gtin(n),
    name: `Mijo ecológico con un nombre que no cabe en una línea ${n}`,
    category: 'Cereales',
    old_name,
    old_category: null,
    details: {},
    old_details: null,
    certificates: [],
    old_certificates: [],
  });
  const mistyped = { certification_id: 1, certification_name: 'FSC', certificate_id: 'FSC-C12345O', rows: 2 };
  const preview: ImportPreview = {
    import_id: 7,
    file_name: 'mijo.csv',
    valid_until: '2030-01-01T00:00:00Z',
    total_rows: 1_234,
    rejected: 1,
    error_count: 1,
    variants_created: 1_200,
    variants_updated: 30,
    variants_unchanged: 3,
    needs_trial: true,
    channel: { published: 0, sent_again: 12 },
    created: [variant(1, null), variant(2, null)],
    updated: [variant(3, 'Mijo'), variant(4, 'Mijo')],
    errors: [{ row: 7, message: 'The GTIN is too short.', field: 'gtin', code: 'gtin_length' }],
    warnings: [{ code: 'ignored_columns', message: 'The column shelf is ignored.' }],
    likely_ids: [{ ...mistyped, likely_id: 'FSC-C123450' }],
    same_as: { import_id: 3, created_at: '2026-11-01T10:00:00Z' },
  };
  await page.route('**/imports/check/', (route) => route.fulfill({ json: preview }));
  await openBrand(page, 'Northfield Organics');
  await button(page, 'Add Product Variant').click();
  await choose(page, csvFile('mijo.csv', LINES));
  await dialog(page).getByRole('button', { name: 'Check first' }).click();
  await expect(dialog(page)).toContainText('Nothing has been imported yet');
  await expectAccessible(page, 'what a file would do');
  await expectToFitEveryWidth(page, 'what a file would do');
});

test('what becomes of a file', async ({ page }) => {
  await openBrand(page, 'Northfield Organics');
  await button(page, 'Add Product Variant').click();
  await choose(page, csvFile('mijo.csv', LINES));
  await upload(page);
  await expect(dialog(page)).toContainText('1 of 2 rows imported successfully');
  await expectAccessible(page, 'an upload that landed in part');
  await expectToFitEveryWidth(page, 'an upload that landed in part');
  const refuseRows = await holdRequests(page, '**/rejected-rows/', refuse);
  await dialog(page).getByRole('button', { name: 'Download rejected rows' }).click();
  await expect(dialog(page).getByRole('button', { name: 'Downloading…' })).toBeVisible();
  await expectAccessible(page, 'rejected rows on their way');
  await refuseRows();
  await expect(dialog(page).getByRole('alert').last()).toContainText('could not be downloaded');
  await expectAccessible(page, 'rejected rows that did not come');

  await button(page, 'Reset').click();
  const damaged = Array.from({ length: 1_500 }, (_row, index) => `Mijo ${index},4.09989E+12`);
  await choose(page, csvFile('saved by a spreadsheet program that has written numbers its own way.csv', ['variant_name,gtin', ...damaged]));
  await upload(page);
  await expect(dialog(page)).toContainText('0 of 1,500 rows imported successfully');
  await expectAccessible(page, 'an upload of which nothing landed');

  await button(page, 'Reset').click();
  await choose(page, { name: 'empty.csv', mimeType: 'text/csv', buffer: Buffer.from('') });
  await upload(page);
  await expect(dialog(page)).toContainText('Failed to upload CSV file');
  await expectAccessible(page, 'an empty file');

  await button(page, 'Reset').click();
  await choose(page, csvFile('mijo.csv', LINES.slice(0, 2)));
  await upload(page);
  await expect(dialog(page)).toContainText('1 row imported successfully');
  await expectAccessible(page, 'an upload that landed');
  await button(page, 'Done').click();
  await expect(page.getByText('Good to know', { exact: true })).toBeVisible();
  await expectAccessible(page, 'the warnings of an upload');
});

test('an upload without the server', async ({ page }) => {
  const failHeaders = await holdRequests(page, '**/csv-headers/', refuse);
  const failCatalogue = await holdRequests(page, '**/api/v1/certifications/', refuse);
  await openBrand(page, 'Northfield Organics');
  await button(page, 'Add Product Variant').click();
  await dialog(page)
    .getByRole('button', { name: /^Supported certifications/ })
    .click();
  await expectAccessible(page, 'columns and certifications on their way');
  await failHeaders();
  await failCatalogue();
  await expect(dialog(page).getByRole('alert')).toHaveCount(2);
  await expectAccessible(page, 'columns and certifications that did not come');
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toBeHidden();

  // Adds history entries, so that there is a page to go back to.
  await page.getByRole('link', { name: 'Certificates', exact: true }).click();
  // Until the page is there, a link to the old one replaces the entry.
  await expect(page.getByRole('heading', { level: 1, name: 'Your Certificates' })).toBeVisible();
  await page.getByRole('link', { name: 'Product Variants & Publishing' }).click();
  await holdRequests(page, UPLOAD);
  await button(page, 'Add Product Variant').click();
  await choose(page, csvFile('mijo.csv', LINES));
  await upload(page);
  await expect(dialog(page).getByRole('progressbar')).toBeVisible();
  await page.goBack();
  await expect(page.getByText('Upload cancelled', { exact: true })).toBeVisible();
  await expectAccessible(page, 'an upload whose page was left');
});
