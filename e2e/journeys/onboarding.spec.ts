import { makeAccount } from '../support/account.ts';
import { expect, test } from '../support/journey.ts';
import { followMail, SANDBOX_MESSAGE } from '../support/mailbox.ts';
import { portal } from '../support/portal.ts';
import type { ServerProcess } from '../support/server.ts';
import { enterPassword, OWNER, readStoredSession, signInFromScratch } from '../support/sign-in.ts';

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
test('an operator invites an owner, who verifies, sets a password, signs in and sees the brand', async ({
  page,
  server,
}) => {
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

test('a new account in a browser with another session shows whose session it is, and can switch to it', async ({
  page,
  server,
}) => {
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

test('somebody with an account accepts an invitation on the dashboard, and leaves the brand again', async ({
  page,
  browser,
  server,
}) => {
  const host = await makeAccount(server, page.request);
  const guest = await makeAccount(server, page.request);
  const { id: brandId, name: brand } = host.brand;
  await page.goto('/');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await enterPassword(page, host.email, host.password);
  await page.waitForURL('**/brands');
  const authorization = `Bearer ${(await readStoredSession(page))?.accessToken}`;
  const data = { email: guest.email, role: 'editor' };
  const answer = await page.request.post(`/api/v1/brands/${brandId}/members/`, { headers: { authorization }, data });
  expect(await answer.json()).toMatchObject({ status: 'invited' });

  const context = await browser.newContext();
  const tab = await context.newPage();
  await tab.goto(server.url);
  await tab.getByRole('button', { name: 'Sign in' }).click();
  await enterPassword(tab, guest.email, guest.password);
  await expect(tab.getByText(`${host.name} invites you to ${brand} as editor.`)).toBeVisible();
  await expect(tab.getByRole('heading', { name: brand })).toBeHidden();
  await tab.getByRole('button', { name: `Accept the invitation to ${brand}` }).click();
  await tab.getByRole('link', { name: `Manage ${brand}` }).click();

  await tab.getByRole('button', { name: `More for ${brand}` }).click();
  await tab.getByRole('menuitem', { name: 'Leave this brand' }).click();
  await tab.getByRole('button', { name: 'Leave', exact: true }).click();
  await expect(tab).toHaveURL(/\/brands$/);
  await expect(tab.getByText(`You have left ${brand}`, { exact: true })).toBeVisible();
  await expect(tab.getByRole('heading', { name: brand })).toBeHidden();
  await context.close();
});

test.describe('a link', () => {
  test.use({ expectedProblems: new RegExp(`status of 404|${SANDBOX_MESSAGE}`) });

  const invalid = 'The verification token is invalid or has expired.';

  test('that was replaced by a newer one no longer works', async ({ page, server }) => {
    const { email, brandId } = await inviteOwner(server);
    const old = (await portal(server, 'invitation', 'link', '--brand', brandId, '--email', email)).trim();
    const fresh = (await portal(server, 'invitation', 'link', '--brand', brandId, '--email', email)).trim();
    await page.goto(/http\S+/.exec(old)?.[0] ?? '');
    await expect(page.getByText(invalid)).toBeVisible();
    await page.goto(/http\S+/.exec(fresh)?.[0] ?? '');
    await expect(page.getByText(email)).toBeVisible();
  });

  test('with an invalid token says so, and links to the sign-in', async ({ page }) => {
    await page.goto('/verify-email?token=garbage');
    await expect(page.getByRole('heading', { name: 'Invalid Token' })).toBeVisible();
    await expect(page.getByText(invalid)).toBeVisible();
    await page.getByRole('link', { name: /login|sign in/i }).click();
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  });

  test('without a token says that there is none', async ({ page }) => {
    await page.goto('/verify-email');
    await expect(page.getByText('No verification token provided')).toBeVisible();
    await page.goto('/setup-password');
    await expect(page.getByText('No verification token provided')).toBeVisible();
  });

  test('in two tabs creates one account, and the second tab says so', async ({ page, context, server }) => {
    const { email } = await inviteOwner(server);
    await followMail(page, email);
    await page.getByRole('button', { name: /verify/i }).click();
    await page.getByRole('link', { name: /set up.*password/i }).click();
    const second = await context.newPage();
    await second.goto(page.url());
    for (const tab of [page, second]) {
      await tab.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await tab.getByLabel(/confirm password/i).fill(PASSWORD);
    }
    await page.getByRole('button', { name: /set up password|create account/i }).click();
    await expect(page.getByText('Account Created Successfully!', { exact: true })).toBeVisible();
    await second.getByRole('button', { name: /set up password|create account/i }).click();
    await expect(second.getByText(invalid)).toBeVisible();
  });
});
