import type { Page } from '@playwright/test';
import { makeAccount, type TestAccount } from '../support/account.ts';
import { expect, test } from '../support/journey.ts';
import { enterPassword, readStoredSession } from '../support/sign-in.ts';

test.use({ expectedProblems: /status of 40[0139]|Failed to / });

async function signInAs(page: Page, { email, password }: TestAccount): Promise<void> {
  await page.goto('/login');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await enterPassword(page, email, password);
  await page.waitForURL('**/brands');
}

test('a user changes their name by keyboard, ends a session in another browser, and deletes their account', async ({
  page,
  browser,
  server,
}) => {
  const account = await makeAccount(server, page.request);
  const elsewhere = await browser.newPage({ baseURL: server.url });
  await signInAs(elsewhere, account);
  await signInAs(page, account);

  await page.getByRole('button', { name: 'Account', exact: true }).press('Enter');
  await page.getByRole('menuitem', { name: 'Your account' }).press('Enter');
  await page.getByRole('textbox', { name: 'First name' }).fill('Augusta');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('banner').getByText(`Augusta ${account.name.split(' ')[1]}`)).toBeVisible();

  // The other browser is signed out at its next call.
  await expect(elsewhere.getByRole('link', { name: `Manage ${account.brand.name}` })).toBeVisible();
  const sessions = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
  await expect(sessions).toHaveCount(2);
  await expect(sessions.first()).toContainText('Chrome on Linux');
  await page.getByRole('button', { name: /^Sign out Chrome on Linux/ }).click();
  await expect(sessions).toHaveCount(1);
  await elsewhere.getByRole('link', { name: `Manage ${account.brand.name}` }).click();
  await expect(elsewhere.getByRole('button', { name: 'Sign in' })).toBeVisible();
  await elsewhere.close();

  await page.setViewportSize({ width: 375, height: 800 });
  await page.getByRole('combobox', { name: 'Language' }).click();
  await page.getByRole('option', { name: 'Español' }).click();
  await page.getByRole('button', { name: 'Eliminar la cuenta' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill(account.email);
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('alert')).toContainText(`sin propietario: ${account.brand.name}.`);
  const authorization = `Bearer ${(await readStoredSession(page))?.accessToken}`;
  await page.request.delete(`/api/v1/brands/${account.brand.id}/`, { headers: { authorization } });
  await dialog.getByRole('textbox').press('Enter');
  await expect(page.getByRole('button', { name: 'Iniciar sesión' })).toBeVisible();

  await page.getByRole('button', { name: 'Iniciar sesión' }).click();
  await enterPassword(page, account.email, account.password);
  await expect(page.getByRole('alert')).toContainText('incorrect');
});
