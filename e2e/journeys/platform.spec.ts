import { expectAccessible } from '../support/axe.ts';
import { applyLook } from '../support/looks.ts';
import { expect, test } from '../support/own-brand.ts';
import { portal } from '../support/portal.ts';
import { signIn, VIEWER } from '../support/sign-in.ts';

// 409: the brand was changed by staff since its settings were opened.
test.use({ expectedProblems: /status of 40[39]/ });

test('platform staff find a brand, change its status, create another one and manage jobs; others have no access', async ({
  page,
  server,
  brand,
  browser,
}) => {
  test.slow();
  await page.goto('/platform');
  await expect(page).toHaveURL('/platform/brands');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page not found');
  await page.keyboard.press('ControlOrMeta+k');
  const palette = page.getByRole('dialog');
  await palette.getByRole('combobox').fill('Registries');
  await expect(palette.getByRole('option')).toHaveCount(0);

  await portal(server, 'staff', 'grant', '--email', VIEWER);
  const staff = await browser.newPage({ baseURL: server.url });
  try {
    await signIn(staff, VIEWER);
    await staff.getByRole('link', { name: 'Platform' }).click();
    await staff.getByRole('searchbox').fill(brand.name);
    const row = staff.getByRole('row').filter({ hasText: brand.name });
    await expect(row).toContainText('Active');
    await expect(staff.getByRole('row')).toHaveCount(2);
    // By keyboard.
    await row.getByRole('button', { name: `Actions for ${brand.name}` }).focus();
    await staff.keyboard.press('Enter');
    await expect(staff.getByRole('menuitem', { name: 'Set to Inactive' })).toBeFocused();
    await staff.keyboard.press('Enter');
    await expect(row.getByText('Inactive')).toBeVisible();
    // The brand's history names platform staff.
    await page.goto(`/brands/${brand.id}/history`);
    await expect(page.getByRole('row').filter({ hasText: 'Brand changed: status' })).toContainText('Platform staff');
    // Its members are told beforehand, and refused.
    await page.goto(`/brands/${brand.id}/settings`);
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await expect(page.getByText(/^This brand is inactive: .* Ask .*@/)).toBeVisible();
    await expectAccessible(page, 'the settings of an inactive brand');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Hierba Mala');
    await save.click();
    await expect(page.getByRole('alert').filter({ hasText: 'This brand is inactive' })).toBeVisible();
    await row.getByRole('button', { name: `Actions for ${brand.name}` }).click();
    await staff.getByRole('menuitem', { name: 'Set to Active' }).click();
    await expect(row.getByText('Active', { exact: true })).toBeVisible();
    await save.click();
    await expect(page.getByText('The brand is saved', { exact: true })).toBeVisible();

    const name = `Casa Verde ${Date.now()}`;
    await staff.getByRole('button', { name: 'Create brand' }).click();
    await staff.getByRole('textbox', { name: 'Name' }).fill(name);
    await staff.getByRole('textbox', { name: 'Owner’s email address' }).fill('ana@casaverde.example');
    await staff.getByRole('dialog').getByRole('button', { name: 'Create brand' }).click();
    await expect(staff.getByRole('dialog')).toHaveCount(0);
    await staff.getByRole('searchbox').fill('ana@casaverde');
    await expect(staff.getByRole('row').filter({ hasText: name })).toContainText('ana@casaverde.example · invited');

    await staff.setViewportSize({ width: 375, height: 812 });
    await applyLook(staff, { mode: 'dark', language: 'es' });
    await staff.getByRole('navigation', { name: 'Plataforma' }).getByRole('link', { name: 'Tareas' }).click();
    await expect(staff.getByRole('heading', { level: 1, name: 'Tareas' })).toBeVisible();
    await expectAccessible(staff, 'jobs on a phone in Spanish');
  } finally {
    await staff.close();
    await portal(server, 'staff', 'revoke', '--email', VIEWER);
  }
});
