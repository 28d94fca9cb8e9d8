import type { Page } from '@playwright/test';
import { makeAccount, type TestAccount } from '../support/account.ts';
import { expect, test } from '../support/journey.ts';
import { followMail, SANDBOX_MESSAGE } from '../support/mailbox.ts';
import { enterPassword } from '../support/sign-in.ts';

const NEW = 'Another!Horse8';

test.use({ expectedProblems: new RegExp(`status of 40[01]|Failed to |${SANDBOX_MESSAGE}`) });

async function signInAs(page: Page, { email, password }: TestAccount): Promise<void> {
  await page.goto('/login');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await enterPassword(page, email, password);
  await page.waitForURL('**/brands');
}

async function fillNewPassword(page: Page, password: string, confirm = password): Promise<void> {
  await page.getByRole('textbox', { name: 'New password', exact: true }).fill(password);
  await page.getByRole('textbox', { name: 'Confirm new password' }).fill(confirm);
  await page.getByRole('button', { name: 'Save password' }).click();
}

test('a forgotten password is reset by a link, which signs out other browsers', async ({ page, browser, server }) => {
  const account = await makeAccount(server, page.request);
  const elsewhere = await browser.newPage({ baseURL: server.url });
  await signInAs(elsewhere, account);

  await page.goto('/login');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await expect(page.getByLabel('Email')).toBeFocused();
  await page.keyboard.type(account.email);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Check your inbox' })).toBeVisible();

  await followMail(page, account.email, /new password/);
  await expect(page.getByText(account.email)).toBeVisible();
  await fillNewPassword(page, 'short');
  await expect(page.getByRole('alert')).toHaveText('Please fix password requirements');
  await expect(page.getByRole('listitem').filter({ hasText: 'Not met: One number' })).toBeVisible();
  await fillNewPassword(page, NEW, `${NEW}9`);
  await expect(page.getByRole('alert')).toHaveText('Passwords do not match');
  await fillNewPassword(page, NEW);
  await expect(page.getByRole('heading', { name: 'Your password is changed' })).toBeVisible();
  await page.getByRole('link', { name: 'Go to sign-in' }).click();
  await page.getByRole('button', { name: 'Sign in' }).click();
  await enterPassword(page, account.email, account.password);
  await expect(page.getByRole('alert')).toHaveText('Wrong email or password.');
  await expect(page.getByLabel('Email')).toHaveValue(account.email);
  await enterPassword(page, account.email, NEW);
  await page.waitForURL('**/brands');

  // The session in the other browser ends at its next load.
  await elsewhere.goto('/brands');
  await expect(elsewhere.getByRole('button', { name: 'Sign in' })).toBeVisible();
  await elsewhere.close();
});

test('changing the password keeps the current session and ends the others', { tag: '@release' }, async ({ page, browser, server }) => {
  const account = await makeAccount(server, page.request);
  const elsewhere = await browser.newPage({ baseURL: server.url });
  await signInAs(elsewhere, account);
  await signInAs(page, account);

  await page.goto('/idp/change-password');
  await page.getByRole('textbox', { name: 'Current password' }).fill('Wrong!Horse7');
  await fillNewPassword(page, NEW);
  await expect(page.getByRole('alert')).toHaveText('Your current password is wrong.');
  await page.getByRole('textbox', { name: 'Current password' }).fill(account.password);
  await fillNewPassword(page, NEW);
  await expect(page.getByRole('heading', { name: 'Your password is changed' })).toBeVisible();
  await page.getByRole('link', { name: 'Back to the portal' }).click();
  await page.waitForURL('**/brands');
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page).toHaveURL(/\/brands$/);

  await elsewhere.goto('/brands');
  await expect(elsewhere.getByRole('button', { name: 'Sign in' })).toBeVisible();
  await elsewhere.close();
});
