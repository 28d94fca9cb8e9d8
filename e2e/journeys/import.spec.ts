import type { Page, Request } from '@playwright/test';
import { type ChosenFile, csvFile, gtin } from '../support/csv-files.ts';
import { expect, test } from '../support/journey.ts';
import { openVariants } from '../support/sign-in.ts';

const _UPLOAD = '**/variant-certifications/upload/';

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

test('only one file of type text/csv can be dropped; others are refused with a reason', { tag: '@release' }, async ({ page }) => {
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

test('an upload shows its progress, is not ended by Escape, and is ended by Cancel', { tag: '@release' }, async ({ page }) => {
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
