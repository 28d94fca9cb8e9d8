import type { Page } from '@playwright/test';
import { csvFile, gtin } from '../support/csv-files.ts';
import { tabTo, tabToAndPress } from '../support/keyboard.ts';
import { expect, type OwnBrand, test } from '../support/own-brand.ts';

const dialog = (page: Page) => page.getByRole('dialog');
const box = (page: Page, name: string) => dialog(page).getByRole('combobox', { name, exact: true });
const LINES = ['Sortiment Herbst', '', 'Artikelname;EAN;Sorte;Bio', `Salz;${gtin(1)};fein;USDA Organic`];

async function namesOf(brand: OwnBrand): Promise<string[]> {
  const { results } = (await brand.get('variants/?ordering=name')) as { results: { name: string }[] };
  return results.map(({ name }) => name);
}

async function choose(page: Page, lines: readonly string[]): Promise<void> {
  await page.getByRole('button', { name: 'Add Product Variant' }).click();
  await dialog(page).locator('input[type="file"]').setInputFiles(csvFile('herbst.csv', lines));
}

test.describe('a file with unknown column names', () => {
  // The server asks for the mapping with this status.
  test.use({ expectedProblems: /status of 422/ });

  test('is mapped once, the mapping is remembered, and can be changed', { tag: '@release' }, async ({ page, brand }) => {
    await page.goto(`/brands/${brand.id}/product-variants`);
    await choose(page, LINES);
    await dialog(page).getByRole('button', { name: 'Upload File' }).click();
    await expect(dialog(page)).toContainText('Which column is which?');
    await expect(dialog(page)).toContainText('Row 3 was taken as the header.');
    await expect(box(page, 'Name (required)')).toHaveText('Artikelname');
    await expect(box(page, 'GTIN (required)')).toHaveText('EAN');
    await expect(box(page, 'Certification')).toHaveText('Bio');
    await box(page, 'Certification').click();
    await page.getByRole('option', { name: 'Not in this file' }).click();
    await dialog(page).getByRole('button', { name: 'Upload File' }).click();
    await expect(dialog(page)).toContainText('1 row imported successfully');
    await expect(dialog(page)).toBeHidden();
    expect(await namesOf(brand)).toEqual(['Salz']);

    await choose(page, [...LINES, `Tee;${gtin(2)};grob;`]);
    await dialog(page).getByRole('button', { name: 'Check first' }).click();
    await expect(dialog(page)).toContainText('Artikelname → variant_name, EAN → gtin');
    await dialog(page).getByRole('button', { name: 'Change' }).click();
    await expect(box(page, 'Name (required)')).toHaveText('Artikelname');
    await box(page, 'Name (required)').click();
    await page.getByRole('option', { name: 'Sorte' }).click();
    await dialog(page).getByRole('button', { name: 'Check first' }).click();
    await dialog(page).getByRole('button', { name: 'Import 2 rows' }).click();
    await expect(dialog(page)).toBeHidden();
    expect(await namesOf(brand)).toEqual(['fein', 'grob']);
  });

  test('is mapped by keyboard, on a phone', { tag: '@release' }, async ({ page, brand }) => {
    await page.setViewportSize({ width: 375, height: 700 });
    await page.goto(`/brands/${brand.id}/product-variants`);
    await choose(page, ['A;B;C', `${gtin(1)};Salz;fein`, `${gtin(2)};Tee;grob`]);
    await tabToAndPress(dialog(page).getByRole('button', { name: 'Upload File' }));
    await expect(dialog(page).getByRole('region', { name: 'Upload status' })).toBeFocused();
    await expect(box(page, 'GTIN (required)')).toHaveText('A');
    await tabTo(box(page, 'Name (required)'));
    await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('option', { name: 'Not in this file' })).toBeFocused();
    await page.keyboard.press('b');
    await expect(page.getByRole('option', { name: /^B / })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(box(page, 'Name (required)')).toBeFocused();
    await expect(box(page, 'Name (required)')).toHaveAccessibleDescription('For example: Salz · Tee');
    await expect(box(page, 'Name (required)')).toBeInViewport();
    await tabToAndPress(dialog(page).getByRole('button', { name: 'Upload File' }));
    await expect(dialog(page)).toContainText('2 rows imported successfully');
    expect(await namesOf(brand)).toEqual(['Salz', 'Tee']);
  });
});

test('an upload survives closing the dialog and reloading the page', { tag: '@release' }, async ({ page, brand }) => {
  const letImportsGoOn = await brand.holdImports();
  await page.goto(`/brands/${brand.id}/product-variants`);
  await choose(page, ['variant_name,gtin', `Salz,${gtin(1)}`, `Tee,${gtin(2)}`]);
  await dialog(page).getByRole('button', { name: 'Upload File' }).click();
  await expect(dialog(page)).toContainText('You can close this window: the import goes on.', { timeout: 30_000 });
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toBeHidden();
  const toast = page.getByRole('listitem').filter({ hasText: 'Your import goes on' });
  await expect(toast.getByRole('link', { name: 'See this import' })).toBeVisible();
  await page.reload();
  await page.getByRole('link', { name: 'Imports', exact: true }).click();
  await page.getByRole('link', { name: 'herbst.csv' }).click();
  await expect(page.getByRole('main')).toContainText('Saving 2 rows…');
  await letImportsGoOn();
  await expect(page.getByRole('main')).toContainText('Done');
  expect(await brand.get('variants/')).toMatchObject({ count: 2 });
});

test('a check whose dialog was closed is found under Imports, and imported from there', { tag: '@release' }, async ({ page, brand }) => {
  await page.goto(`/brands/${brand.id}/product-variants`);
  await choose(page, ['variant_name,gtin', `Salz,${gtin(1)}`]);
  await dialog(page).getByRole('button', { name: 'Check first' }).click();
  await expect(dialog(page)).toContainText('Nothing has been imported yet');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('listitem').filter({ hasText: 'Your file has been checked' })).toBeVisible();
  await page.getByRole('link', { name: 'Imports', exact: true }).click();
  await expect(page.getByRole('row').nth(1)).toContainText('Checked, not imported');
  await page.getByRole('link', { name: 'herbst.csv' }).click();
  expect(await namesOf(brand)).toEqual([]);
  await page.getByRole('button', { name: 'Import 1 row' }).click();
  await expect(page.getByRole('main')).toContainText('Variants created');
  expect(await namesOf(brand)).toEqual(['Salz']);
});
