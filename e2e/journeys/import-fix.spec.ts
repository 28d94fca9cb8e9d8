import type { Page } from '@playwright/test';
import { csvFile, gtin, invalidGtin } from '../support/csv-files.ts';
import { expect, type OwnBrand, test } from '../support/own-brand.ts';

const HEADER = 'variant_name,gtin,certificate_id,certification_name';
const summary = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text });
const cell = (page: Page, column: string, row: number) => page.getByRole('button', { name: `Edit ${column}, row ${row}:` });

async function openImportOf(page: Page, brand: OwnBrand, lines: readonly string[]): Promise<void> {
  await page.goto(`/brands/${brand.id}/product-variants`);
  await page.getByRole('button', { name: 'Add your first product variant' }).click();
  const upload = page.getByRole('dialog');
  await upload.locator('input[type="file"]').setInputFiles(csvFile('autumn.csv', [HEADER, ...lines]));
  await upload.getByRole('button', { name: 'Upload File' }).click();
  await upload.getByRole('link', { name: 'See this import' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('autumn.csv');
}

const rows = Array.from({ length: 40 }, (_, n) => `Tea ${n},${gtin(n)},FT-${n},Fairtrade Intl`);

async function countOfVariants(brand: OwnBrand): Promise<number> {
  return ((await brand.get('variants/')) as { count: number }).count;
}

test('forty rows are corrected in three actions, and the import of them is undone', async ({ page, brand }) => {
  await openImportOf(page, brand, [`Salt,${gtin(99)},,`, ...rows]);
  await expect(summary(page, '40 rows with errors')).toBeVisible();
  await page.getByRole('button', { name: 'Use “Fairtrade” for certification_name, row 12' }).click();
  await expect(page.getByText('“Fairtrade Intl” → “Fairtrade” in 39 rows')).toBeVisible();
  // The row is far below the top of the list.
  const applyToAll = page.getByRole('button', { name: 'Apply to all 39 rows with this value' });
  await expect(applyToAll).toBeInViewport();
  await applyToAll.click();
  await expect(summary(page, '0 rows with errors · 40 ready')).toBeVisible();
  await page.getByRole('button', { name: 'Import corrected rows' }).click();
  await expect(summary(page, '0 rows with errors · 40 imported')).toBeVisible();
  expect(await countOfVariants(brand)).toBe(41);

  await page.getByRole('link', { name: 'See its import' }).first().click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Corrected rows of autumn.csv');
  await page.getByRole('button', { name: 'Undo import' }).click();
  const undo = page.getByRole('dialog');
  await expect(undo).toContainText('0 restored, 40 removed, 0 kept');
  await undo.getByRole('button', { name: 'Undo import' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Undo of corrected rows of autumn.csv');
  expect(await countOfVariants(brand)).toBe(1);
});

test.describe('on a phone, by keyboard', { tag: '@release' }, () => {
  test.use({ viewport: { width: 375, height: 700 } });

  test('cells are corrected one by one and together; a reload loses nothing', async ({ page, brand }) => {
    await openImportOf(page, brand, [`Rye,${invalidGtin(50)},,`, `,${gtin(51)},,`, ...rows.slice(0, 12)]);
    await expect(page.getByText(`If the other digits are right, the number is ${gtin(50)}`)).toBeVisible();
    const needed = () => page.evaluate(() => document.documentElement.scrollWidth);
    expect(await needed()).toBeLessThanOrEqual(375);

    await cell(page, 'gtin', 2).press('Enter');
    await page.keyboard.type('nonsense');
    await page.keyboard.press('Escape');
    await expect(cell(page, 'gtin', 2)).toBeFocused();
    await page.keyboard.press('F2');
    await page.keyboard.type(gtin(50));
    await page.keyboard.press('Enter');
    await expect(cell(page, 'gtin', 2)).toBeFocused();
    await expect(summary(page, '13 rows with errors · 1 ready')).toBeVisible();
    await cell(page, 'variant_name', 3).press('Enter');
    await page.keyboard.type('Oats');
    await page.keyboard.press('Tab');
    await expect(cell(page, 'gtin', 3)).toBeFocused();
    await expect(summary(page, '12 rows with errors · 2 ready')).toBeVisible();

    await page.reload();
    await expect(summary(page, '12 rows with errors · 2 ready')).toBeVisible();
    await page.getByRole('button', { name: 'Use “Fairtrade” for certification_name, row 4' }).press('Enter');
    await expect(cell(page, 'certification_name', 4)).toBeFocused();
    await page.getByRole('button', { name: 'Apply to all 11 rows with this value' }).press('Enter');
    await expect(summary(page, '0 rows with errors · 14 ready')).toBeFocused();
    await page.getByRole('button', { name: 'Import corrected rows' }).press('Enter');
    await expect(summary(page, '0 rows with errors · 14 imported')).toBeVisible();
    expect(await countOfVariants(brand)).toBe(14);
  });
});
