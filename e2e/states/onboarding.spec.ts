import type { Page } from '@playwright/test';
import { expectAccessible, expectAccessibleAsItIs } from '../support/axe.ts';
import { holdRequests } from '../support/held-requests.ts';
import { expectToFitEveryWidth } from '../support/looks.ts';
import { portal } from '../support/portal.ts';
import type { ServerProcess } from '../support/server.ts';
import { signIn } from '../support/sign-in.ts';
import { expect, test } from '../support/states.ts';

test.use({
  // The mailbox's sandboxed frame also blocks the script that tests add to each page.
  expectedProblems: /status of (404|500)|frame is sandboxed and the 'allow-scripts' permission is not set/,
});

const STATUS = '**/api/v1/verification-status/*';
const FAILURE = { status: 500, json: { code: 'internal_error', detail: 'no', request_id: 'x' } };

/** Invites an owner and opens the mail. */
async function openInvitation(page: Page, server: ServerProcess, email: string): Promise<void> {
  await portal(server, 'brand', 'create', '--name', 'Invited to Look', '--owner-email', email);
  const mail = page.getByRole('listitem').filter({ hasText: email });
  await expect(async () => {
    await page.goto('/mailbox');
    await expect(mail).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await page.goto((await mail.getByRole('link').getAttribute('href')) ?? '');
}

async function readToken(page: Page): Promise<string> {
  const link = await page.locator('pre').getByRole('link').first().getAttribute('href');
  return new URL(link ?? '').searchParams.get('token') ?? '';
}

test('the mailbox and an invitation to verify', async ({ page, server }) => {
  const email = 'verified.owner@example.com';
  await openInvitation(page, server, email);
  const address = page.url();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto('/mailbox');
    await expectAccessibleAsItIs(page, `the mailbox in ${colorScheme}`);
    await page.goto(address);
    await expectAccessibleAsItIs(page, `a mail in ${colorScheme}`);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  const token = await readToken(page);

  const states = [
    ['no token', '/verify-email', 'No verification token provided'],
    ['an invalid token', '/verify-email?token=garbage', 'The verification token is invalid or has expired.'],
    ['a password before the e-mail is verified', `/setup-password?token=${token}`, 'Verify your email first'],
  ] as const;
  for (const [state, path, text] of states) {
    await page.goto(path);
    await expect(page.getByText(text)).toBeVisible();
    await expectAccessible(page, state);
  }
  const failToCheck = await holdRequests(page, STATUS, (route) => route.fulfill({ status: 404, json: {} }));
  await page.goto(`/verify-email?token=${token}`);
  await expect(page.getByText('Checking your invitation…')).toBeAttached();
  await expectAccessible(page, 'an invitation on its way');
  await failToCheck();
  await expect(page.getByText('Failed to check verification status')).toBeVisible();
  await expectAccessible(page, 'an invitation that could not be checked');

  await page.goto(`/verify-email?token=${token}`);
  await expect(page.getByText(email)).toBeVisible();
  await expectAccessible(page, 'an e-mail to verify');
  await expectToFitEveryWidth(page, 'an e-mail to verify');
  const verify = page.getByRole('button', { name: /^Verify/ });
  const failToVerify = await holdRequests(page, '**/api/v1/verify-email/', (route) => route.fulfill(FAILURE));
  await verify.click();
  await expect(verify).toHaveText('Verifying…');
  await expectAccessible(page, 'an e-mail that is being verified');
  await failToVerify();
  await expect(page.getByRole('alert')).toBeVisible();
  await expectAccessible(page, 'an e-mail that could not be verified');
  await verify.click();
  const goOn = page.getByRole('link', { name: /set up.*password/i });
  await expect(goOn).toBeVisible();
  await expectAccessible(page, 'a verified e-mail');
});

test('the form for a password', async ({ page, server }) => {
  await openInvitation(page, server, 'prepared.owner@example.com');
  const token = await readToken(page);
  await page.goto(`/verify-email?token=${token}`);
  await page.getByRole('button', { name: /^Verify/ }).click();
  await expect(page.getByRole('link', { name: /set up.*password/i })).toBeVisible();
  const release = await holdRequests(page, STATUS);
  await page.goto(`/setup-password?token=${token}`);
  await expect(page.getByText('Checking your invitation…')).toBeAttached();
  await expectAccessible(page, 'a form on its way');
  await release();
  const password = page.getByLabel('Password', { exact: true });
  await expect(password).toBeVisible();
  await expectAccessible(page, 'the form for a password');
  await expectToFitEveryWidth(page, 'the form for a password');
  const confirmed = page.getByLabel(/confirm password/i);
  await password.fill('short');
  await confirmed.fill('other');
  await expect(page.getByText('Passwords do not match')).toBeVisible();
  await expectAccessible(page, 'with mistakes');
  await confirmed.press('Enter');
  await expect(page.getByRole('alert')).toContainText('Please fix password requirements');
  await expectAccessible(page, 'sent in spite of mistakes');
  await page.getByLabel('First name (optional)').fill('Ámbar');
  await password.fill('Correct!Horse1');
  await confirmed.fill('Correct!Horse1');
  await page.getByRole('button', { name: 'Show password' }).click();
  await expectAccessible(page, 'a password that will do');
  const failToSetUp = await holdRequests(page, '**/api/v1/setup-password/', (route) => route.fulfill(FAILURE));
  const setUp = page.getByRole('button', { name: /^Set/ });
  await setUp.click();
  await expect(setUp).toHaveText('Setting up…');
  await expectAccessible(page, 'a password that is being set up');
  await failToSetUp();
  await expect(page.getByRole('alert')).toBeVisible();
  await expectAccessible(page, 'a password that could not be set up');
});

test('an account made where somebody else is signed in', async ({ page }) => {
  await signIn(page);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Brands');
  // As after the form: the router stores the email of the new account in the history state.
  await page.evaluate(() => {
    const state = { usr: { email: 'nora@example.com' }, key: 'new-account', idx: 0 };
    history.replaceState(state, '', '/login?message=account-created');
  });
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Somebody else is signed in');
  await expectAccessible(page, 'somebody else is signed in');
  await expectToFitEveryWidth(page, 'somebody else is signed in');
});
