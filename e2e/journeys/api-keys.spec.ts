import { gtin } from '../support/csv-files.ts';
import { expect, test } from '../support/own-brand.ts';

test('a key is created by keyboard on a phone, a script uploads with it, and it is revoked', async ({ page, brand }) => {
  await page.setViewportSize({ width: 375, height: 800 });
  await page.goto(`/brands/${brand.id}/product-variants`);
  await page.evaluate(() => localStorage.setItem('language', 'es'));
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Aún no hay productos' })).toBeVisible();
  await page.getByRole('link', { name: 'Claves de API' }).press('Enter');
  await expect(page.getByRole('heading', { name: 'Aún no hay claves de API' })).toBeVisible();

  await page.getByRole('button', { name: 'Crear clave' }).press('Enter');
  await expect(page.getByRole('textbox', { name: 'Nombre' })).toBeFocused();
  await page.keyboard.type('Carga nocturna');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('combobox', { name: 'Rol' })).toBeFocused();
  await page.keyboard.press('Tab');
  // Typing selects the option, as in a native select.
  await page.keyboard.type('En un');
  await expect(page.getByRole('combobox', { name: 'Caduca' })).toHaveText('En un año');
  await page.getByRole('textbox', { name: 'Nombre' }).press('Enter');
  const made = page.getByRole('dialog', { name: 'Tu nueva clave' });
  const key = await made.getByRole('textbox', { name: 'Clave' }).inputValue();
  await page.keyboard.press('Escape');
  await made.getByRole('button', { name: 'Listo' }).press('Enter');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Crear clave' })).toBeFocused();
  const row = page.getByRole('row', { name: /Carga nocturna/ });
  await expect(row).toContainText(`${key.slice(0, 11)}…`);
  await expect(row).toContainText('Activa');

  const headers = { authorization: `Bearer ${key}` };
  const upload = () =>
    page.request.post(`/api/v1/brands/${brand.id}/variant-certifications/upload/`, {
      headers,
      multipart: {
        file: {
          name: 'products.csv',
          mimeType: 'text/csv',
          buffer: Buffer.from(`variant_name,gtin\nMenta,${gtin(81)}\n`),
        },
      },
    });
  expect(await (await upload()).json()).toMatchObject({ imported: 1, errors: [] });
  const invited = await page.request.post(`/api/v1/brands/${brand.id}/members/`, {
    headers,
    data: { email: 'friend@example.com', role: 'viewer' },
  });
  expect(await invited.json()).toMatchObject({ code: 'key_not_allowed' });
  await page.getByRole('link', { name: 'Importaciones' }).click();
  await expect(page.getByRole('row', { name: /products\.csv/ })).toContainText(`Carga nocturna (${key.slice(0, 11)})`);

  await page.goBack();
  await page.reload();
  await page.getByRole('button', { name: 'Revocar Carga nocturna' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revocar' }).click();
  await expect(row).toContainText('Revocada');
  const refused = await upload();
  expect([refused.status(), (await refused.json()).code]).toEqual([401, 'api_key_revoked']);
});
