import { readFile } from 'node:fs/promises';
import type { Download, Page, Request } from '@playwright/test';
import { toGtin13 } from '../../scripts/gtin.ts';
import { type ChosenFile, csvFile, gtin, invalidGtin } from '../support/csv-files.ts';
import { expect, test } from '../support/journey.ts';
import { test as ownBrandTest } from '../support/own-brand.ts';
import { EDITOR, openVariants, signIn } from '../support/sign-in.ts';

const UPLOAD = '**/variant-certifications/upload/';
const HEADERS = '**/variant-certifications/csv-headers/';

const dialog = (page: Page) => page.getByRole('dialog');
const button = (page: Page, name: string | RegExp) => dialog(page).getByRole('button', { name, exact: true });
const uploadButton = (page: Page) => button(page, 'Upload File');
const addButton = (page: Page) => page.getByRole('button', { name: 'Add Product Variant' });
const choose = (page: Page, ...files: ChosenFile[]) => dialog(page).locator('input[type="file"]').setInputFiles(files);

/** Opens the upload dialog on the brand's variants. */
async function openDialog(page: Page): Promise<void> {
  await openVariants(page, 'Northfield Organics');
  await addButton(page).click();
  await expect(dialog(page)).toContainText('variant_name*');
}

/** Searches the list for the variant and expects this number of rows. */
async function expectListed(page: Page, name: string, count = 1): Promise<void> {
  await page.getByRole('searchbox', { name: 'Search product variants' }).fill(name);
  await expect(page.getByText(`Product variants found: ${count}`, { exact: true })).toBeAttached();
  await expect(page.getByRole('cell', { name, exact: true })).toHaveCount(count);
}

/** Simulates dropping files, each with the MIME type that the browser reports. */
async function drop(page: Page, ...files: { name: string; type: string; content: string }[]): Promise<void> {
  const dataTransfer = await page.evaluateHandle((files) => {
    const transfer = new DataTransfer();
    for (const { name, type, content } of files) transfer.items.add(new File([content], name, { type }));
    return transfer;
  }, files);
  await dialog(page).getByText('Drop your CSV file here').dispatchEvent('drop', { dataTransfer });
}

const textOf = async (download: Download) => readFile(await download.path(), 'utf8');

function countUploads(page: Page): Request[] {
  const uploads: Request[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/upload/')) uploads.push(request);
  });
  return uploads;
}

// spec: §1 upload
test('a double click uploads a file once, the dialog closes, and the list shows the variants', async ({ page }) => {
  const uploads = countUploads(page);
  await openDialog(page);
  await expect(uploadButton(page)).toHaveAttribute('aria-disabled', 'true');
  await choose(
    page,
    csvFile('harvest.csv', [
      'variant_name*,gtin*,category,certificate_id,certification_name',
      `Spelt flakes ñandú,${gtin(1)},Flakes,FT-4711,Fairtrade`,
      `Rye flakes ñandú,${gtin(2)},Flakes,,`,
    ]),
  );
  await expect(dialog(page)).toContainText('harvest.csv');
  await expect(dialog(page)).toContainText('0.2 KB');
  await uploadButton(page).dblclick();
  await expect(dialog(page)).toContainText('2 rows imported successfully');
  await expect(uploadButton(page)).toHaveAttribute('aria-disabled', 'true');
  await expect(dialog(page)).toBeHidden();
  await expect(addButton(page)).toBeFocused();
  expect(uploads).toHaveLength(1);
  // The list shows the new variants first, without a reload.
  await expect(page.getByRole('cell', { name: 'Rye flakes ñandú', exact: true })).toBeVisible();
  const spelt = page.getByRole('row').filter({ hasText: 'Spelt flakes ñandú' });
  await expect(spelt).toContainText(gtin(1));
  await expect(spelt).toContainText('Fairtrade');
});

test('the list is exported as an Excel workbook, and uploading that workbook changes nothing', async ({ page }) => {
  await openDialog(page);
  await choose(page, csvFile('zeros.csv', ['variant_name,gtin', `Zero millet ñandú,${gtin(61)}`]));
  await uploadButton(page).click();
  await expect(dialog(page)).toBeHidden();
  await expectListed(page, 'Zero millet ñandú');
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Excel workbook (.xlsx)' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('product-variants.xlsx');
  await page.getByRole('link', { name: 'Imports', exact: true }).click();
  const place = page.getByRole('region', { name: 'Import a file' });
  const mimeType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
  const workbook = { name: 'millet.xlsx', mimeType, buffer: await readFile(await download.path()) };
  await place.locator('input[type="file"]').setInputFiles(workbook);
  const answer = page.waitForResponse(UPLOAD);
  await place.getByRole('button', { name: 'Upload File' }).click();
  await expect(place).toContainText('1 row imported successfully');
  expect(await (await answer).json()).toMatchObject({ variants_unchanged: 1, variants_created: 0, warnings: [] });
  await page.getByRole('link', { name: 'Product Variants & Publishing' }).click();
  await expectListed(page, 'Zero millet ñandú');
});

test('the template has the columns of the server, required ones with an asterisk, readable for Excel', async ({
  page,
}) => {
  await openDialog(page);
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Download template').click()]);
  expect(download.suggestedFilename()).toBe('product-template.csv');
  expect(await textOf(download)).toBe(
    '\uFEFFvariant_name*,gtin*,category,publishing_channel,certificate_id,certification_name,description,image_link,product_page_url,certificate_link\r\n',
  );
  const certifications = dialog(page).getByRole('button', { name: /^Supported certifications \d+$/ });
  await certifications.click();
  const count = Number(/\d+$/.exec(await certifications.innerText())?.[0]);
  await expect(
    dialog(page).getByRole('region', { name: 'Supported certifications' }).getByRole('listitem'),
  ).toHaveCount(count);
});

test('rejected rows are listed, downloaded, corrected and uploaded again', async ({ page }) => {
  await openDialog(page);
  await choose(
    page,
    csvFile('mixed.csv', [
      'variant_name;gtin;shelf',
      `Amber barley;${gtin(11)};1`,
      `Black barley;${invalidGtin(12)};2`,
      `;${gtin(13)};3`,
    ]),
  );
  await uploadButton(page).click();
  await expect(dialog(page)).toContainText('2 validation errors in your CSV');
  await expect(dialog(page)).toContainText('1 of 3 rows imported successfully');
  const errors = dialog(page).getByRole('region', { name: 'Validation errors' }).getByRole('listitem');
  await expect(errors).toHaveCount(2);
  await expect(errors.first()).toHaveText(/^Row 3: .+Field: gtin$/);
  await expect(errors.last()).toHaveText(/^Row 4: .+Field: variant_name$/);
  await expect(dialog(page).getByText('Good to know')).toBeVisible();
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Download rejected rows').click()]);
  expect(download.suggestedFilename()).toBe('mixed-rejected.csv');
  const rejected = await textOf(download);
  expect(rejected).toContain('Black barley');
  expect(rejected).not.toContain('Amber barley');
  const corrected = rejected.replaceAll(invalidGtin(12), gtin(12)).replace(/;;/, ';Blue barley;');
  await button(page, 'Reset').click();
  await choose(page, { name: 'mixed-rejected.csv', mimeType: 'text/csv', buffer: Buffer.from(corrected) });
  await uploadButton(page).click();
  await expect(dialog(page)).toContainText('2 rows imported successfully');
  await expect(dialog(page)).toBeHidden();
  for (const name of ['Amber barley', 'Black barley', 'Blue barley']) await expectListed(page, name);
});

test('only one file of type text/csv can be dropped; others are refused with a reason', async ({ page }) => {
  await openDialog(page);
  const csv = { name: 'a.csv', type: 'text/csv', content: `variant_name,gtin\nDropped oats,${gtin(21)}\n` };
  await drop(page, { name: 'notes.txt', type: 'text/plain', content: 'x' });
  await expect(dialog(page).getByRole('alert')).toHaveText(/^Only CSV files are accepted\./);
  await drop(page, { ...csv, type: 'application/vnd.ms-excel' });
  await expect(dialog(page).getByRole('alert')).toHaveText(/Use “Choose a file” to pick it instead\.$/);
  await drop(page, csv, { ...csv, name: 'b.csv' });
  await expect(dialog(page).getByRole('alert')).toHaveText('Only one file can be uploaded at a time.');
  await expect(uploadButton(page)).toHaveAttribute('aria-disabled', 'true');
  await uploadButton(page).hover();
  await expect(page.getByRole('tooltip')).toHaveText('Choose a CSV file first');
  await drop(page, csv);
  await expect(dialog(page).getByRole('alert')).toBeHidden();
  await uploadButton(page).click();
  await expect(dialog(page)).toContainText('1 row imported successfully');
});

test.describe('with a failing server', () => {
  test.use({ expectedProblems: /status of (500|422)|Empty CSV file/ });

  test('a failure shows the message of the server, and a retry works', async ({ page }) => {
    await openDialog(page);
    await choose(page, csvFile('late.csv', ['variant_name,gtin', `Late wheat,${gtin(31)}`]));
    await page.route(UPLOAD, (route) => route.fulfill({ status: 500, json: { error: 'The disk is full.' } }));
    await uploadButton(page).click();
    const alert = dialog(page).getByRole('alert');
    await expect(alert).toContainText('Failed to upload CSV file');
    await expect(alert).toContainText('The disk is full.');
    await page.unroute(UPLOAD);
    await uploadButton(page).click();
    await expect(dialog(page)).toContainText('1 row imported successfully');
  });

  test('an empty file shows a hint, is sent, and refused by the server', async ({ page }) => {
    const uploads = countUploads(page);
    await openDialog(page);
    await choose(page, { name: 'empty.csv', mimeType: 'text/csv', buffer: Buffer.from('') });
    await uploadButton(page).click();
    await expect(dialog(page)).toContainText('Empty CSV file');
    await expect(dialog(page)).toContainText('Failed to upload CSV file');
    expect(uploads).toHaveLength(1);
  });

  test('without headers there is a basic template, and it works', async ({ page }) => {
    await page.route(HEADERS, (route) => route.fulfill({ status: 422, json: {} }));
    await openVariants(page, 'Northfield Organics');
    await addButton(page).click();
    await expect(dialog(page).getByRole('alert')).toContainText(
      'Failed to load CSV template headers. You can still download a basic template.',
    );
    const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Download template').click()]);
    const template = await textOf(download);
    expect(template).toBe('\uFEFFVariant Name*,Category,GTIN*,Publishing Channel,Certification Status\r\n');
    const buffer = Buffer.from(`${template}Basic bran,Bran,${gtin(32)},,\r\n`);
    await choose(page, { name: 'product-template.csv', mimeType: 'text/csv', buffer });
    await uploadButton(page).click();
    await expect(dialog(page)).toContainText('1 row imported successfully');
  });
});

test('an upload shows its progress, is not ended by Escape, and is ended by Cancel', async ({ page }) => {
  await openDialog(page);
  const rows = Array.from({ length: 20_000 }, (_row, index) => `Cancelled kernels ${index},${gtin(40_000 + index)}`);
  await choose(page, csvFile('large.csv', ['variant_name,gtin', ...rows]));
  const network = await page.context().newCDPSession(page);
  const line = { offline: false, latency: 0, downloadThroughput: -1 };
  await network.send('Network.emulateNetworkConditions', { ...line, uploadThroughput: 20_000 });
  await uploadButton(page).click();
  const bar = dialog(page).getByRole('progressbar', { name: 'Upload progress' });
  const percent = async () => Number(await bar.getAttribute('aria-valuenow'));
  await expect.poll(percent).toBeGreaterThan(0);
  const before = await percent();
  await expect.poll(percent).toBeGreaterThan(before);
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toContainText('The upload is still running. Press Cancel to stop it.');
  await button(page, 'Cancel').click();
  await expect(dialog(page)).toContainText('Upload cancelled. Nothing was imported.');
  await expect(dialog(page)).toContainText('large.csv');
  await network.send('Network.emulateNetworkConditions', { ...line, uploadThroughput: -1 });
  await button(page, 'Cancel').click();
  await expect(dialog(page)).toBeHidden();
  await expectListed(page, 'Cancelled kernels', 0);
  await addButton(page).click();
  await expect(dialog(page)).not.toContainText('large.csv');
});

const MANY = 20_000;

function manyRows(name: string): ChosenFile {
  const rows = Array.from(
    { length: MANY },
    (_row, index) => `Kernel ${index},${toGtin13(String(400_000_000_000 + index))}`,
  );
  return csvFile(name, ['variant_name,gtin', ...rows]);
}

ownBrandTest.describe('a file of 20,000 rows', () => {
  /** Opens a tab that uploads the file. */
  async function openTab(page: Page, brandId: string): Promise<Page> {
    const tab = await page.context().newPage();
    await tab.goto(`/brands/${brandId}/product-variants`);
    await addButton(tab).click();
    await choose(tab, manyRows('kernels.csv'));
    await uploadButton(tab).click();
    await expectProgress(tab);
    return tab;
  }

  const expectProgress = (tab: Page) => expect(dialog(tab)).toContainText('Saving 20,000 rows…', { timeout: 30_000 });

  ownBrandTest('goes on when its tab is closed, and its result is found later', async ({ page, brand }) => {
    const letImportsGoOn = await brand.holdImports();
    const tab = await openTab(page, brand.id);
    // The browser shows no warning about unsaved data.
    const closed = tab.waitForEvent('close');
    await tab.close({ runBeforeUnload: true });
    await closed;
    const newest = async () => ((await brand.get('imports/')) as { results: object[] }).results[0];
    expect(await newest()).toMatchObject({ file_name: 'kernels.csv', state: 'running', rows_total: MANY });
    await letImportsGoOn();
    await expect
      .poll(newest, { timeout: 30_000 })
      .toMatchObject({ state: 'done', imported: MANY, variants_created: MANY });
  });

  ownBrandTest(
    'lands through the screen with its progress, also after a first try was cancelled',
    async ({ page, brand }) => {
      const letImportsGoOn = await brand.holdImports();
      const tab = await openTab(page, brand.id);
      await button(tab, 'Cancel').click();
      await expect(dialog(tab)).toContainText('Import cancelled. Nothing was changed.');
      expect(await brand.get('imports/')).toMatchObject({ results: [{ state: 'cancelled', imported: 0 }] });
      expect(await brand.get('variants/')).toMatchObject({ count: 0 });
      await uploadButton(tab).click();
      await expectProgress(tab);
      await letImportsGoOn();
      await expect(dialog(tab)).toContainText('20,000 rows imported successfully', { timeout: 30_000 });
      await expect(dialog(tab)).toBeHidden();
      await expect(tab.getByText('20,000', { exact: false }).first()).toBeVisible();
      await tab.close();
    },
  );
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 375, height: 812 } });

  test('every step is Spanish, and the next action is visible', async ({ page }) => {
    await signIn(page, EDITOR);
    await page.evaluate(() => localStorage.setItem('language', 'es'));
    await page.reload();
    await page.getByRole('link', { name: 'Gestionar Northfield Organics', exact: true }).click();
    await page.getByRole('button', { name: 'Añadir variante de producto' }).click();
    await expect(dialog(page)).toContainText('Columnas obligatoriasvariant_name*gtin*');
    await button(page, /^Certificaciones admitidas \d+$/).click();
    const lines = ['variant_name,gtin', `Mijo,${gtin(375)}`, `Mijo,${invalidGtin(376)}`];
    await choose(page, csvFile('mijo.csv', lines));
    await button(page, 'Subir archivo').click();
    await expect(dialog(page)).toContainText('Error de validación en tu CSV');
    await expect(dialog(page)).toContainText('1 de 2 filas importadas correctamente');
    await expect(dialog(page).getByRole('listitem').filter({ hasText: 'Fila 3:' })).toContainText('dígito');
    await expect(button(page, 'Descargar filas rechazadas')).toBeInViewport();
  });
});
