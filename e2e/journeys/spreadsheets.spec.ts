import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { gtin } from '../support/csv-files.ts';
import { expect, test } from '../support/own-brand.ts';

const UPLOAD = '**/variant-certifications/upload/';
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const FIXTURES = join(import.meta.dirname, '../../apps/server/src/imports/fixtures/libreoffice');

/** The place of the Imports page that takes CSV files and workbooks. */
const place = (page: Page) => page.getByRole('region', { name: 'Import a file' });
const uploadButton = (page: Page) => place(page).getByRole('button', { name: 'Upload File', exact: true });
const exportButton = (page: Page) => page.getByRole('button', { name: 'Export', exact: true });

async function choose(page: Page, name: string, buffer: Buffer): Promise<void> {
  const mimeType = name.endsWith('.csv') ? 'text/csv' : XLSX;
  await place(page).locator('input[type="file"]').setInputFiles({ name, mimeType, buffer });
}

/** Uploads a file on the Imports page. Returns the answer of the server. */
async function upload(page: Page, name: string, buffer: Buffer): Promise<unknown> {
  await choose(page, name, buffer);
  const answer = page.waitForResponse(UPLOAD);
  await uploadButton(page).click();
  return (await answer).json();
}

async function exportAs(page: Page, format: 'CSV file (.csv)' | 'Excel workbook (.xlsx)') {
  await exportButton(page).click();
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: format }).click()]);
  await expect(exportButton(page)).toBeEnabled();
  return { name: download.suggestedFilename(), content: await readFile(await download.path()) };
}

const openVariants = (page: Page, id: string) => page.goto(`/brands/${id}/product-variants`);
const openImports = (page: Page, id: string) => page.goto(`/brands/${id}/imports`);

test('a workbook of LibreOffice is imported, and its invalid rows are listed', { tag: '@release' }, async ({ page, brand }) => {
  await openImports(page, brand.id);
  const answer = await upload(page, 'mixed.xlsx', await readFile(join(FIXTURES, 'mixed.xlsx')));
  expect(answer).toMatchObject({ imported: 8, total_rows: 12 });
  await expect(place(page)).toContainText('This is a date (2024-01-31)');
  await place(page).getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('link', { name: 'mixed.xlsx', exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'Product Variants & Publishing' }).click();
  await expect(page.getByRole('cell', { name: 'Zeros by format', exact: true })).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: 'Zeros by format' })).toContainText('036000291452');
});

test.describe('files that are refused at first', () => {
  test.use({ expectedProblems: /status of 422/ });

  test('a workbook that the upload dialog refused goes on to the Imports page, where the member chooses one of its sheets', {
    tag: '@release',
  }, async ({ page, brand }) => {
    await openVariants(page, brand.id);
    await page.getByRole('button', { name: 'Add your first product variant' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.locator('input[type="file"]').setInputFiles(join(FIXTURES, 'two-sheets.xlsx'));
    await expect(dialog.getByRole('alert')).toHaveText('Only CSV files are accepted.');
    await dialog.getByRole('button', { name: 'Import it on the Imports page' }).click();
    await expect(place(page)).toContainText('two-sheets.xlsx');
    await expect(dialog).toBeHidden();
    await uploadButton(page).click();
    await expect(place(page)).toContainText('Which sheet do you want to upload?');
    await place(page).getByRole('combobox').click();
    await page.getByRole('option', { name: 'Herbst & Winter' }).click();
    const answer = page.waitForResponse(UPLOAD);
    await uploadButton(page).click();
    expect(await (await answer).json()).toMatchObject({ imported: 1, errors: [] });
    await page.getByRole('link', { name: 'Product Variants & Publishing' }).click();
    await expect(page.getByRole('cell', { name: 'Autumn', exact: true })).toBeVisible();
  });
});

test('an export in either format can be uploaded without changing anything; a row deleted in the file deletes nothing', async ({
  page,
  brand,
}) => {
  await brand.upload(`variant_name,gtin,certification_name,certificate_id\nSoap «é»,036000291452,FSC,FSC-C104882\nTowel,${gtin(1)},,\n`);
  await openVariants(page, brand.id);
  const unchanged = { variants_created: 0, variants_updated: 0, errors: [], warnings: [] };
  for (const format of ['CSV file (.csv)', 'Excel workbook (.xlsx)'] as const) {
    const { name, content } = await exportAs(page, format);
    await page.getByRole('link', { name: 'Imports', exact: true }).click();
    expect(await upload(page, name, content)).toMatchObject({ ...unchanged, total_rows: 2, variants_unchanged: 2 });
    await page.getByRole('link', { name: 'Product Variants & Publishing' }).click();
  }
  await page.getByRole('searchbox', { name: 'Search product variants' }).fill('towel');
  await expect(page.getByText('Product variants found: 1', { exact: true })).toBeAttached();
  const { name, content } = await exportAs(page, 'CSV file (.csv)');
  expect(content.toString()).not.toContain('Soap');
  await page.getByRole('link', { name: 'Imports', exact: true }).click();
  expect(await upload(page, name, content)).toMatchObject({ ...unchanged, total_rows: 1 });
  expect(await brand.get('variants/')).toMatchObject({ count: 2 });
});
