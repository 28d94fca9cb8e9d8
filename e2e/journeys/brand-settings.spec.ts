import { expect, test } from '../support/own-brand.ts';
import { EDITOR, restoreSession } from '../support/sign-in.ts';

test.use({ expectedProblems: /status of (404|409)|ERR_NAME_NOT_RESOLVED|ERR_INTERNET_DISCONNECTED|Failed to load/ });

test('concurrent edits of a brand are detected, and an owner deletes and restores it', async ({ page, brand, browser, server }) => {
  await brand.upload('variant_name,gtin\nTea,73513537\n');
  await page.goto(`/brands/${brand.id}/settings`);
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue(brand.name);
  const phone = await browser.newContext({ viewport: { width: 375, height: 812 }, baseURL: server.url });
  const other = await phone.newPage();
  await restoreSession(other, EDITOR);
  await other.evaluate(() => localStorage.setItem('language', 'es'));
  await other.goto(`/brands/${brand.id}/settings`);
  await other.getByRole('textbox', { name: 'Descripción' }).fill('De ellos');
  await other.getByRole('button', { name: 'Guardar' }).click();
  await expect(other.getByText('La marca se ha guardado', { exact: true })).toBeVisible();

  await page.getByRole('textbox', { name: 'Description' }).fill('Mine');
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: 'Save', exact: true }).press('Enter');
  await expect(page.getByText('Description: theirs “De ellos”, yours “Mine”')).toBeVisible();
  await page.getByRole('button', { name: 'Save mine' }).click();
  await expect(page.getByText('The brand is saved', { exact: true })).toBeVisible();

  await page.getByRole('button', { name: 'Delete this brand' }).click();
  await expect(page.getByText('1 product variant', { exact: true })).toBeVisible();
  await page.getByLabel(/^To confirm, type the name/).fill(brand.name);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/brands$/);
  await expect(page.getByRole('link', { name: `Manage ${brand.name}` })).toHaveCount(0);
  // The other tab learns of the deletion at its next call, which may have come before this click.
  await other
    .getByRole('link', { name: 'Equipo' })
    .click({ timeout: 5_000 })
    .catch(() => undefined);
  await expect(other.getByText(`Ya no tienes acceso a ${brand.name}`, { exact: true })).toBeVisible();
  await phone.close();

  await page.getByRole('button', { name: `Restore ${brand.name}` }).click();
  await page.getByRole('link', { name: `Manage ${brand.name}` }).click();
  await expect(page.getByText('73513537')).toBeVisible();
});
