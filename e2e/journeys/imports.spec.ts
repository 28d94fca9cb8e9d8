import type { Page } from '@playwright/test';
import { csvFile, gtin, invalidGtin } from '../support/csv-files.ts';
import { expect, test } from '../support/own-brand.ts';

const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const row = (page: Page, file: string) => page.getByRole('row').filter({ has: page.getByRole('link', { name: file, exact: true }) });

test('an import is found in the list, its errors are grouped, and undo keeps what was changed later', async ({ page, brand }) => {
  await brand.upload(`variant_name,gtin\nSalt,${gtin(1)}\nTea,${gtin(2)}\n`);
  await page.goto(`/brands/${brand.id}/product-variants`);
  await page.getByRole('button', { name: 'Add Product Variant' }).click();
  const upload = page.getByRole('dialog');
  await upload
    .locator('input[type="file"]')
    .setInputFiles(
      csvFile('autumn.csv', [
        'variant_name,gtin',
        `Sea salt,${gtin(1)}`,
        `Green tea,${gtin(2)}`,
        `Oil,${gtin(3)}`,
        `Rye,${invalidGtin(4)}`,
        `Oats,${invalidGtin(5)}`,
      ]),
    );
  await upload.getByRole('button', { name: 'Upload File' }).click();
  await upload.getByRole('link', { name: 'See this import' }).click();
  await expect(heading(page)).toHaveText('autumn.csv');

  await page.getByText('2 × Wrong check digit').click();
  await expect(page.getByText(/^Row 5: /)).toBeVisible();
  await expect(page.getByText(/^Row 6: /)).toBeVisible();
  const changes = page.getByRole('tabpanel').getByRole('table');
  await expect(changes).toContainText('Oil');
  await page.getByRole('tab', { name: 'Updated' }).press('Enter');
  await expect(changes).toContainText('before: Salt after: Sea salt');

  await brand.upload(`variant_name,gtin\nWhite tea,${gtin(2)}\n`);
  await page.getByRole('link', { name: 'Imports', exact: true }).click();
  await expect(page.getByRole('row')).toHaveCount(4);
  await page.getByRole('searchbox', { name: 'Search imports' }).fill('AUTUMN');
  await expect(page.getByRole('row')).toHaveCount(2);
  await expect(row(page, 'autumn.csv')).toContainText('Done');
  await row(page, 'autumn.csv').getByRole('link').press('Enter');

  await page.getByRole('button', { name: 'Undo import' }).click();
  const undo = page.getByRole('dialog', { name: 'Undo the import of autumn.csv?' });
  await expect(undo).toContainText('1 restored, 1 removed, 1 kept because it was changed later');
  await expect(undo).toContainText('White tea');
  await undo.getByRole('button', { name: 'Undo import' }).click();
  await expect(heading(page)).toHaveText('Undo of autumn.csv');
  await expect(page.getByRole('main')).toContainText('White tea');

  await page.getByRole('link', { name: 'All imports' }).click();
  await expect(row(page, 'autumn.csv')).toContainText('Undone');
  const { results } = (await brand.get('variants/?ordering=name')) as { results: { name: string }[] };
  expect(results.map(({ name }) => name)).toEqual(['Salt', 'White tea']);
});

test('after leaving the page, a toast shows the upload and links to its page, where it is cancelled', {
  tag: '@release',
}, async ({ page, brand }) => {
  await brand.holdImports();
  await page.goto(`/brands/${brand.id}/certifications`);
  await page.getByRole('link', { name: 'Product Variants & Publishing' }).click();
  await page.getByRole('button', { name: 'Add your first product variant' }).click();
  const upload = page.getByRole('dialog');
  await upload.locator('input[type="file"]').setInputFiles(csvFile('kernels.csv', ['variant_name,gtin', `Salt,${gtin(1)}`]));
  await upload.getByRole('button', { name: 'Upload File' }).click();
  await expect(upload).toContainText('You can close this window: the import goes on.', { timeout: 30_000 });
  await page.goBack();
  await expect(heading(page)).toHaveText('Your Certificates');
  const toast = page.getByRole('listitem').filter({ hasText: 'Your import goes on' });
  await toast.getByRole('link', { name: 'See this import' }).click();
  await expect(heading(page)).toHaveText('kernels.csv');
  await page.getByRole('button', { name: 'Cancel import' }).click();
  await expect(page.getByRole('main')).toContainText('Import cancelled. Nothing was changed.');
  await expect(page.getByRole('listitem').filter({ hasText: 'Import cancelled. Nothing was changed.' })).toBeVisible();
  expect(await brand.get('variants/')).toMatchObject({ count: 0 });
});

test.describe('a brand that is changed after the check', () => {
  // The server refuses a confirmation with outdated numbers.
  test.use({ expectedProblems: /status of 409/ });

  test('a file is checked and discarded, and is confirmed only with current numbers', async ({ page, brand }) => {
    await brand.upload(`variant_name,gtin\nSalt,${gtin(1)}\n`);
    await page.goto(`/brands/${brand.id}/product-variants`);
    await page.getByRole('button', { name: 'Add Product Variant' }).click();
    const dialog = page.getByRole('dialog');
    const lines = ['variant_name,gtin', `Sea salt,${gtin(1)}`, `Oil,${gtin(2)}`, `Rye,${invalidGtin(3)}`];
    await dialog.locator('input[type="file"]').setInputFiles(csvFile('spring.csv', lines));
    const names = async () => {
      const { results } = (await brand.get('variants/?ordering=name')) as { results: { name: string }[] };
      return results.map(({ name }) => name);
    };

    await dialog.getByRole('button', { name: 'Check first' }).press('Enter');
    await expect(dialog).toContainText('Nothing has been imported yet');
    await expect(dialog).toContainText('Before: Salt → After: Sea salt');
    await expect(dialog.getByRole('region', { name: 'Upload status' })).toBeFocused();
    await dialog.getByRole('button', { name: 'Discard' }).press('Enter');
    await expect(dialog.getByRole('button', { name: 'Upload File' })).toBeVisible();
    expect(await names()).toEqual(['Salt']);

    await dialog.getByRole('button', { name: 'Check first' }).click();
    await expect(dialog).toContainText('Nothing has been imported yet');
    await brand.upload(`variant_name,gtin\nOlive oil,${gtin(2)}\n`);
    await dialog.getByRole('button', { name: 'Import 2 rows' }).click();
    await expect(dialog).toContainText('Somebody changed this brand meanwhile');
    await expect(dialog).toContainText('Before: Olive oil → After: Oil');
    expect(await names()).toEqual(['Olive oil', 'Salt']);
    await dialog.getByRole('button', { name: 'Import 2 rows' }).click();
    await expect(dialog).toContainText('2 of 3 rows imported successfully');
    expect(await names()).toEqual(['Oil', 'Sea salt']);
  });
});

test('an import with rejected rows is shown by what needs attention, and dismissed there', { tag: '@release' }, async ({ page, brand }) => {
  await brand.upload(`variant_name,gtin\nTea,${gtin(1)}\n`);
  await page.goto(`/brands/${brand.id}/imports`);
  const place = page.getByRole('region', { name: 'Import a file' });
  await place
    .locator('input[type="file"]')
    .setInputFiles(csvFile('rye.csv', ['variant_name,gtin', `Rye,${invalidGtin(4)}`, `Oats,${gtin(5)}`]));
  await place.getByRole('button', { name: 'Upload File', exact: true }).click();
  await place.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('link', { name: 'Needs attention' }).click();
  const rejected = page.getByRole('listitem').filter({ hasText: 'Imports with rejected rows of the last 30 days' });
  await rejected.getByRole('link').click();
  await expect(page.getByRole('combobox', { name: 'Which imports are shown' })).toHaveText('Needs attention: rejected rows');
  await expect(page.getByRole('row')).toHaveCount(2);
  await page.goBack();
  await rejected.getByRole('button', { name: /^Dismiss/ }).click();
  await expect(rejected).toHaveCount(0);
  await page.getByRole('link', { name: 'Imports', exact: true }).click();
  await expect(page.getByRole('row')).toHaveCount(3);
});
