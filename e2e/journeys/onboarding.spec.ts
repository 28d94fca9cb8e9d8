import { expect, test } from '../support/journey.ts';
import { followMail, SANDBOX_MESSAGE } from '../support/mailbox.ts';
import { portal } from '../support/portal.ts';
import type { ServerProcess } from '../support/server.ts';
import { enterPassword, OWNER, signInFromScratch } from '../support/sign-in.ts';

const PASSWORD = 'Correct!Horse7';

let invited = 0;

/** Creates a brand and invites a new owner. */
async function inviteOwner(server: ServerProcess): Promise<{ email: string; brand: string; brandId: string }> {
  invited += 1;
  const email = `new.owner.${invited}@example.com`;
  const brand = `Invited Brand ${invited}`;
  const said = await portal(server, 'brand', 'create', '--name', brand, '--owner-email', email);
  return { email, brand, brandId: /\d+/.exec(said)?.[0] ?? '' };
}

test.use({ expectedProblems: new RegExp(SANDBOX_MESSAGE) });

// spec: §1 invited people
test('an operator invites an owner, who verifies, sets a password, signs in and sees the brand', async ({ page, server }) => {
  const { email, brand } = await inviteOwner(server);
  await followMail(page, email);

  await expect(page.getByText(email)).toBeVisible();
  await expect(page.getByText(brand)).toBeVisible();
  await expect(page.getByText('Owner', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: /verify/i }).click();
  await page.getByRole('link', { name: /set up.*password/i }).click();

  const submit = page.getByRole('button', { name: /set up password|create account/i });
  await expect(submit).toBeDisabled();
  await page.getByLabel('Password', { exact: true }).fill('short');
  await expect(page.getByText('Password must be at least 8 characters long')).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel(/confirm password/i).fill('something else');
  await expect(page.getByText('Passwords do not match')).toBeVisible();
  await page.getByLabel(/confirm password/i).fill(PASSWORD);
  await page.getByLabel(/first name/i).fill('Nora');
  await page.getByLabel(/last name/i).fill('Novak');
  await submit.click();

  await expect(page.getByText('Account Created Successfully!', { exact: true })).toBeVisible();
  await expect(page).toHaveURL(/\/login$/);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await enterPassword(page, email, PASSWORD);
  await page.waitForURL('**/brands');
  await expect(page.getByRole('heading', { name: brand })).toBeVisible();
  await expect(page.getByText('Nora Novak').first()).toBeVisible();
});

test('a new account in a browser with another session shows whose session it is, and can switch to it', {
  tag: '@release',
}, async ({ page, server }) => {
  const { email, brand, brandId } = await inviteOwner(server);
  await signInFromScratch(page);
  const said = await portal(server, 'invitation', 'link', '--brand', brandId, '--email', email);
  await page.goto(/http\S+/.exec(said)?.[0] ?? '');
  await page.getByRole('button', { name: /verify/i }).click();
  await page.getByRole('link', { name: /set up.*password/i }).click();
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel(/confirm password/i).fill(PASSWORD);
  await page.getByRole('button', { name: /set up password|create account/i }).click();

  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Somebody else is signed in');
  await expect(page.getByRole('main')).toContainText(OWNER);
  await expect(page.getByRole('main')).toContainText(email);
  await page.getByRole('button', { name: 'Sign out and use the new account' }).click();
  await expect(page.getByText('Account Created Successfully!', { exact: true })).toBeVisible();
  await expect(page).toHaveURL(/\/login$/);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await enterPassword(page, email, PASSWORD);
  await page.waitForURL('**/brands');
  await expect(page.getByRole('heading', { name: brand })).toBeVisible();
});
