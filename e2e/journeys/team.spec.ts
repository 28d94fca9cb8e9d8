import { expect, test } from '../support/own-brand.ts';
import { restoreSession, VIEWER } from '../support/sign-in.ts';

test.use({ expectedProblems: /status of 404/ });

test('several people are invited; one joins, gets another role and is removed, and their open tab says so', async ({
  page,
  brand,
  browser,
  server,
}) => {
  // Invites by keyboard alone.
  await page.goto(`/brands/${brand.id}/team`);
  await expect(page.getByRole('row')).toHaveCount(2);
  const invite = page.getByRole('button', { name: 'Invite people' });
  await invite.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Email addresses')).toBeFocused();
  await page.keyboard.type(`${VIEWER}, newcomer@example.com NEWCOMER@example.com`);
  await page.getByRole('button', { name: 'Send invitations' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('2 people were invited.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('row')).toHaveCount(4);
  await expect(invite).toBeFocused();

  // A user with an account accepts the invitation, on a phone and in Spanish.
  const phone = await browser.newContext({ viewport: { width: 375, height: 812 }, baseURL: server.url, locale: 'es' });
  const other = await phone.newPage();
  await restoreSession(other, VIEWER);
  await other.evaluate(() => localStorage.setItem('language', 'es'));
  await other.goto('/brands');
  await other.getByRole('button', { name: `Aceptar la invitación a ${brand.name}` }).click();
  await other.getByRole('link', { name: `Gestionar ${brand.name}` }).click();
  await other.getByRole('link', { name: 'Equipo' }).click();
  // Editors may not see the team; the page says why.
  await expect(other.getByText(/Tu rol en esta marca es Editor/)).toBeVisible();

  await page.reload();
  const row = page.getByRole('row').filter({ hasText: VIEWER });
  await expect(row).toContainText('Active');
  await row.getByRole('button').click();
  await page.getByRole('menuitem', { name: 'Change role' }).click();
  await page.getByRole('combobox', { name: 'Role' }).click();
  await page.getByRole('option', { name: 'Admin' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(row).toContainText('Admin');
  await other.reload();
  await expect(other.getByText('newcomer@example.com')).toBeVisible();

  await row.getByRole('button').click();
  await page.getByRole('menuitem', { name: 'Remove from the brand' }).click();
  await page.getByRole('button', { name: 'Remove' }).click();
  // Behind the open dialog no row has a role.
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(row).toHaveCount(0);
  // In the open tab of the removed member, the next call shows a message and redirects to the dashboard.
  await other.getByRole('button', { name: 'Persona' }).click();
  await expect(other.getByText(`Ya no tienes acceso a ${brand.name}`, { exact: true })).toBeVisible();
  await expect(other).toHaveURL(/\/brands$/);
  await expect(other.getByRole('link', { name: `Gestionar ${brand.name}` })).toHaveCount(0);
  await phone.close();
});
