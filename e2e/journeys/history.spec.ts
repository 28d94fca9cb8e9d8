import { readFile } from 'node:fs/promises';
import { expectAccessible } from '../support/axe.ts';
import { applyLook } from '../support/looks.ts';
import { expect, test } from '../support/own-brand.ts';

const ROWS = `variant_name,gtin,certificate_id,certification_name
Mint tea,4006381333931,RV-0001,Green Seal
Sage tea,5901234123457,RV-0002,Green Seal
`;

test('the history shows what was done with links, restores deleted variants and is exported', async ({ page, brand }) => {
  test.slow();
  await brand.upload(ROWS);
  await page.goto(`/brands/${brand.id}/product-variants`);
  await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('listitem').getByText('2 variants deleted', { exact: true })).toBeVisible();

  await page.getByRole('navigation', { name: 'Brand menu' }).getByRole('link', { name: 'History' }).click();
  const table = page.getByRole('table', { name: 'History' });
  const row = (text: string) => table.getByRole('row').filter({ hasText: text });
  await expect(row('Variants deleted: 2')).toContainText(/Mint tea, Sage tea|Sage tea, Mint tea/);
  await expect(row('File imported: 2 of 2 rows')).toContainText('products.csv');

  // By keyboard: to the row, into it, and restore.
  await row('Variants deleted: 2').focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('button', { name: 'Restore (Variants deleted: 2)' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(row('Variants restored: 2')).toBeVisible();
  await expect(row('Variants deleted: 2')).toContainText('Restored');

  await page.getByRole('combobox', { name: 'Action' }).click();
  await page.getByRole('option', { name: 'File imported' }).click();
  await expect(page).toHaveURL(/history\?action=variants\.imported$/);
  await expect(table.getByRole('row')).toHaveCount(2);
  await page.reload();
  await expect(table.getByRole('row')).toHaveCount(2);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: /CSV/ }).click();
  const file = await readFile(await (await download).path(), 'utf8');
  expect(file.trim().split('\r\n')).toHaveLength(2);
  expect(file).toContain('variants.imported,File imported: 2 of 2 rows,products.csv');

  await page.setViewportSize({ width: 375, height: 812 });
  await applyLook(page, { mode: 'dark', language: 'es' });
  await expect(page.getByText('Archivo importado: 2 de 2 filas')).toBeVisible();
  await expectAccessible(page, 'the history on a phone in Spanish');
  await page.getByRole('link', { name: 'products.csv' }).click();
  await expect(page).toHaveURL(/\/imports\/\d+$/);
});
