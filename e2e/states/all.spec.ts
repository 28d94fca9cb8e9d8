import type { Page, Route } from '@playwright/test';
import {
  CONTENT,
  DIALOG,
  expectAccessible,
  expectAccessibleAsItIs,
  expectAccessibleWhenOpened,
  FLOATING,
  holdStill,
} from '../support/axe.ts';
import { csvFile, gtin, misspeltGtin } from '../support/csv-files.ts';
import { holdRequests } from '../support/held-requests.ts';
import { expect, test } from '../support/journey.ts';
import { expectToFitEveryWidth } from '../support/looks.ts';
import { portal } from '../support/portal.ts';
import { EDITOR, enterPassword, OWNER, signIn } from '../support/sign-in.ts';
import { startWebDevServer } from '../support/web-dev-server.ts';

/** Every screen, dialog and state that is worth a look: one visit each, seen in both languages and both colour modes. */
test.use({
  // States that show what went wrong.
  expectedProblems:
    /status of (400|403|404|500)|ERR_FAILED|Failed to |Missing Auth0|A part of the page failed|dynamically/,
});

test.beforeEach(async ({ page }) => {
  test.slow();
  await holdStill(page);
});

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const dialog = (page: Page) => page.getByRole('dialog');
const refuse = (route: Route) =>
  route.fulfill({ status: 403, json: { code: 'permission_denied', detail: 'no', request_id: 'x' } });

const VARIANTS = '**/api/v1/brands/*/variants/?*';
const CHANNEL_STATES = ['removing', 'refused', 'queued', 'sent', 'live'];

/** The brand's variants: five of them, in every state that the channel may have them in. */
async function openBrand(page: Page, name: string, email = EDITOR): Promise<void> {
  await page.route(VARIANTS, async (route) => {
    const list = await (await route.fetch()).json();
    list.results.splice(CHANNEL_STATES.length);
    for (const [index, variant] of list.results.entries()) {
      const state = CHANNEL_STATES[index];
      Object.assign(variant, { published: state !== 'removing', channel: { state, reason: 'Too small' } });
    }
    await route.fulfill({ json: list });
  });
  await signIn(page, email);
  await page.getByRole('link', { name: `Manage ${name}`, exact: true }).click();
  await expect(page.getByRole('row').nth(2)).toBeVisible();
}

test('the sign-in page', async ({ page }) => {
  await page.goto('/');
  await expect(button(page, 'Sign in')).toBeVisible();
  await expectAccessible(page, 'the sign-in page');
  await expectToFitEveryWidth(page, 'the sign-in page');
  const letGo = await holdRequests(page, '**/.well-known/openid-configuration', (route) => route.abort());
  await button(page, 'Sign in').click();
  await expect(button(page, 'Signing in...')).toBeVisible();
  await expectAccessible(page, 'signing in', CONTENT);
  await letGo();
  await expect(page.getByRole('alert')).toBeVisible();
  await expectAccessible(page, 'a provider that does not answer', CONTENT);
  await page.goto('/login?message=account-created');
  await expect(page.getByText('Account Created Successfully!', { exact: true })).toBeVisible();
  await expectAccessible(page, 'the toast of a new account');
});

test('the pages of the provider', async ({ page }) => {
  await page.goto('/login');
  await button(page, 'Sign in').click();
  await page.waitForURL(/\/idp\/login\//);
  const form = page.url();
  await expectAccessibleWhenOpened(page, 'the form', async (language) => {
    await page.goto(`${form}?language=${language}`);
  });
  await expectAccessibleWhenOpened(page, 'the form after a wrong password', async (language) => {
    await page.goto(`${form}?language=${language}`);
    await enterPassword(page, 'nobody@demo.example', 'wrong');
    await expect(page.getByRole('alert')).toBeVisible();
  });
  await expectAccessibleWhenOpened(page, 'a form that has expired', async (language) => {
    await page.goto(`/idp/login/expired?language=${language}`);
    await expect(page.locator('html')).toHaveAttribute('lang', language);
  });
  await expectAccessibleWhenOpened(page, 'a request that was not understood', async (language) => {
    // The choice is remembered.
    await page.goto(`${form}?language=${language}`);
    await page.goto('/idp/authorize?client_id=nobody');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^(Sign-in could not|No se pudo)/);
    await expect(page.locator('html')).toHaveAttribute('lang', language);
  });
});

test('the way back from the provider, and a portal without one', async ({ page }) => {
  const speak = (language: string) => page.evaluate((language) => localStorage.setItem('language', language), language);
  await page.goto('/favicon.svg');
  const letGo = await holdRequests(page, '**/auth0-spa-js*.js');
  await expectAccessibleWhenOpened(page, 'completing a sign-in', async (language) => {
    await speak(language);
    await page.goto('/callback?code=unknown&state=unknown');
    await expect(page.getByText(/^(Completing sign in|Completando el inicio)/)).toBeVisible();
  });
  await letGo();
  await expect(page.getByRole('alert')).toBeVisible();
  await expectAccessible(page, 'a sign-in that failed');

  await page.route('**/brands', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replace(/"domain":"[^"]+"/, '"domain":""') });
  });
  await expectAccessibleWhenOpened(page, 'no provider', async (language) => {
    await speak(language);
    await page.goto('/brands');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^(Configuration error|Error de configuración)/);
  });
});

test.describe('on the way in', () => {
  test.use({
    // The mailbox shows mail in a frame that may run nothing, not even what the test adds to each page.
    expectedProblems: /status of 404|frame is sandboxed and the 'allow-scripts' permission is not set/,
  });

  test('the mailbox and the pages of an invitation', async ({ page, server }) => {
    const email = 'accessible.owner@example.com';
    await portal(server, 'brand', 'create', '--name', 'Invited to Look', '--owner-email', email);
    const mail = page.getByRole('listitem').filter({ hasText: email });
    await expect(async () => {
      await page.goto('/mailbox');
      await expect(mail).toBeVisible({ timeout: 1_000 });
    }).toPass();
    const address = (await mail.getByRole('link').getAttribute('href')) ?? '';
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.goto('/mailbox');
      await expectAccessibleAsItIs(page, `the mailbox in ${colorScheme}`);
      await page.goto(address);
      await expectAccessibleAsItIs(page, `a mail in ${colorScheme}`);
    }
    const link = await page.locator('pre').getByRole('link').first().getAttribute('href');
    const token = new URL(link ?? '').searchParams.get('token');

    const states = [
      ['/verify-email', 'No verification token provided'],
      ['/verify-email?token=garbage', 'The verification token is invalid or has expired.'],
      [`/setup-password?token=${token}`, 'Verify your email first'],
    ] as const;
    for (const [path, text] of states) {
      await page.goto(path);
      await expect(page.getByText(text)).toBeVisible();
      await expectAccessible(page, path.replace(/=.{20,}/, '=…'));
    }
    await page.goto(`/verify-email?token=${token}`);
    await expect(page.getByText(email)).toBeVisible();
    await expectAccessible(page, 'an e-mail to verify');
    await expectToFitEveryWidth(page, 'an e-mail to verify');
    await page.getByRole('button', { name: /verify/i }).click();
    const goOn = page.getByRole('link', { name: /set up.*password/i });
    await expect(goOn).toBeVisible();
    await expectAccessible(page, 'a verified e-mail', CONTENT);
    await goOn.click();
    const password = page.getByLabel('Password', { exact: true });
    await expect(password).toBeVisible();
    await expectAccessible(page, 'the form for a password');
    await expectToFitEveryWidth(page, 'the form for a password');
    await password.fill('short');
    await page.getByLabel(/confirm password/i).fill('other');
    await expect(page.getByText('Passwords do not match')).toBeVisible();
    await expectAccessible(page, 'the form for a password with mistakes', CONTENT);
  });
});

test('the dashboard and the shell around it', async ({ page }) => {
  const LIST = '**/api/v1/brands/';
  await signIn(page, OWNER);
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(6);
  await expectAccessible(page, 'the dashboard');
  await expectToFitEveryWidth(page, 'the dashboard');

  const sidebar = page.getByRole('banner');
  expect((await sidebar.boundingBox())?.width).toBe(256);
  await page.setViewportSize({ width: 375, height: 800 });
  expect((await sidebar.boundingBox())?.width).toBe(64);
  await expectAccessible(page, 'the dashboard of a phone');
  await sidebar.getByRole('link', { name: 'Dashboard' }).focus();
  await expect(page.getByRole('tooltip')).toBeVisible();
  await expectAccessible(page, 'the tooltip of the narrow sidebar', FLOATING);
  await sidebar.getByRole('button', { name: /^Signed in as/ }).click();
  await expect(dialog(page)).toContainText(OWNER);
  await expectAccessible(page, 'who is signed in, on a phone', DIALOG);
  await page.setViewportSize({ width: 1280, height: 800 });

  const letGo = await holdRequests(page, LIST, (route) => route.fulfill({ json: { results: [], member_count: 0 } }));
  await page.reload();
  await expect(page.getByRole('status', { name: /^Loading/ })).toHaveCount(2);
  await expectAccessible(page, 'brands that are on their way', CONTENT);
  await letGo();
  await expect(page.getByRole('heading', { name: 'No brands yet' })).toBeVisible();
  await expectAccessible(page, 'no brands');
  await page.route(LIST, refuse);
  await page.reload();
  await expect(page.getByRole('alert')).toHaveCount(2);
  await expectAccessible(page, 'brands that could not be loaded');
  await page.unroute(LIST);

  await page.goto('/nowhere');
  await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
  await expectAccessible(page, 'a page that does not exist', CONTENT);
  await page.route('**/api/v1/brands/*/', refuse);
  await page.goto('/brands/1/certifications');
  await expect(page.getByRole('alert')).toBeVisible();
  await expectAccessible(page, 'a brand that could not be loaded', CONTENT);
  await page.unroute('**/api/v1/brands/*/');
  await page.route('**/assets/certificates-page-*.js', (route) => route.abort());
  await page.reload();
  await expect(page.getByRole('button', { name: /^Reload/ })).toBeVisible();
  await expectAccessible(page, 'a page whose code could not be loaded', CONTENT);
});

test('the variants', async ({ page }) => {
  await openBrand(page, 'Fjord & Forest');
  await expectAccessible(page, 'the variants');
  await expectToFitEveryWidth(page, 'the variants');

  const refused = page.getByRole('row').nth(2);
  await refused.getByRole('cell').nth(3).locator('[tabindex="0"]').focus();
  await expect(page.getByRole('tooltip')).toContainText('Google refused it');
  await expectAccessible(page, 'the tooltip of what was refused', FLOATING);
  await refused.getByRole('button').last().click();
  await expect(page.getByRole('menuitem')).toBeVisible();
  await expectAccessible(page, 'the menu of a row', FLOATING);
  await page.keyboard.press('Escape');
  await page.getByRole('combobox', { name: 'Filter' }).click();
  await expect(page.getByRole('option').first()).toBeVisible();
  await expectAccessible(page, 'the filter', FLOATING);
  await page.keyboard.press('Escape');
  await page.getByRole('searchbox').fill('no such thing');
  await expect(page.getByRole('heading', { name: 'No matching product variants' })).toBeVisible();
  await expectAccessible(page, 'a search that found nothing', CONTENT);
  await page.unroute(VARIANTS);

  const letGo = await holdRequests(page, VARIANTS, (route) => route.fulfill({ json: { count: 0, results: [] } }));
  await page.goto(page.url().replace(/\?.*/, ''));
  await expect(page.getByRole('table')).toHaveAttribute('aria-busy', 'true');
  await expectAccessible(page, 'variants that are on their way', CONTENT);
  await letGo();
  await expect(page.getByRole('heading', { name: 'No products yet' })).toBeVisible();
  await expectAccessible(page, 'no variants', CONTENT);
  await page.route(VARIANTS, refuse);
  await page.reload();
  await expect(page.getByRole('alert')).toBeVisible();
  await expectAccessible(page, 'variants that could not be loaded', CONTENT);
});

test('publishing and the trial', async ({ page }) => {
  await openBrand(page, 'Maison Verveine', OWNER);
  await button(page, 'Start Free Trial').click();
  await expect(dialog(page)).toBeVisible();
  await expectAccessible(page, 'the trial');
  await expectToFitEveryWidth(page, 'the trial');
  const refuseTrial = await holdRequests(page, '**/opt-in-trial/', refuse);
  await page.keyboard.press('Enter');
  await expect(dialog(page).getByRole('button', { name: 'Starting…' })).toBeVisible();
  await expectAccessible(page, 'a trial that is about to start', DIALOG);
  await refuseTrial();
  await expect(dialog(page).getByRole('alert')).toContainText('Permission denied');
  await expectAccessible(page, 'a trial that was refused', DIALOG);
  await page.keyboard.press('Escape');

  await page.getByRole('row').nth(1).getByRole('button').last().click();
  await page.getByRole('menuitem').click();
  await expect(dialog(page)).toContainText('Publish to distribution channels');
  await expectAccessible(page, 'a variant to publish');
  await expectToFitEveryWidth(page, 'a variant to publish');

  await openBrand(page, 'Fjord & Forest', OWNER);
  const refusePublishing = await holdRequests(page, '**/publish-all/', refuse);
  await button(page, 'Publish all to channels').click();
  await expect(dialog(page)).toContainText('all product variants of the brand');
  await expectAccessible(page, 'all variants to publish', DIALOG);
  await page.keyboard.press('Enter');
  await expect(dialog(page)).toBeHidden();
  await expect(page.getByRole('main').locator('[aria-busy="true"]')).not.toHaveCount(0);
  await expectAccessible(page, 'variants that are about to be published', CONTENT);
  await refusePublishing();
  await expect(page.getByText('The variants could not be published', { exact: true })).toBeVisible();
  await expectAccessible(page, 'the toast of what failed');
});

test('the upload', async ({ page }) => {
  const choose = (file: ReturnType<typeof csvFile>) => dialog(page).locator('input[type="file"]').setInputFiles(file);
  const upload = () => dialog(page).getByRole('button', { name: 'Upload File' }).click();
  await openBrand(page, 'Northfield Organics');
  await button(page, 'Add Product Variant').click();
  await expect(dialog(page)).toContainText('variant_name*');
  await expectAccessible(page, 'the first step');
  await dialog(page)
    .getByRole('button', { name: /^Supported certifications/ })
    .click();
  await expect(dialog(page).getByRole('region', { name: 'Supported certifications' })).toBeVisible();
  await expectAccessible(page, 'the supported certifications', DIALOG);
  await expectToFitEveryWidth(page, 'the supported certifications');
  await choose({ ...csvFile('notes.txt', ['x']), mimeType: 'text/plain' });
  await expect(dialog(page).getByRole('alert')).toBeVisible();
  await expectAccessible(page, 'a file of the wrong kind', DIALOG);
  const lines = ['variant_name,gtin,shelf', `Mijo,${gtin(60_001)},1`, `Mijo,${misspeltGtin(60_002)},2`];
  await choose(csvFile('mijo.csv', lines));
  await expect(dialog(page)).toContainText('mijo.csv');
  await expectAccessible(page, 'a chosen file', DIALOG);
  const fail = await holdRequests(page, '**/upload/', (route) =>
    route.fulfill({ status: 500, json: { error: 'The disk is full.' } }),
  );
  await upload();
  await expect(dialog(page).getByRole('progressbar')).toBeVisible();
  await page.keyboard.press('Escape');
  await expectAccessible(page, 'a file on its way', DIALOG);
  await fail();
  await expect(dialog(page).getByRole('alert')).toContainText('The disk is full.');
  await expectAccessible(page, 'an upload that failed', DIALOG);
  await upload();
  await expect(dialog(page)).toContainText('1 of 2 rows imported successfully');
  await expectAccessible(page, 'an upload that landed in part', DIALOG);
  await expectToFitEveryWidth(page, 'an upload that landed in part');
  await button(page, 'Reset').click();
  await choose(csvFile('mijo.csv', lines.slice(0, 2)));
  await upload();
  await expect(dialog(page)).toContainText('1 row imported successfully');
  await expectAccessible(page, 'an upload that landed', DIALOG);
});

test('the certificates', async ({ page }) => {
  const LIST = '**/api/v1/brands/*/certifications/';
  const statuses = [
    { overall_status: 'validated', reason: 'listed:2999-01-31' },
    { overall_status: 'invalid', reason: 'expired:2024-03-31' },
    { overall_status: 'pending', reason: 'no_registry' },
  ];
  await page.route(LIST, async (route) => {
    const list = await (await route.fetch()).json();
    for (const [index, certificate] of list.entries()) Object.assign(certificate, statuses[index % statuses.length]);
    await route.fulfill({ json: list });
  });
  await openBrand(page, 'Fjord & Forest');
  await page.getByRole('link', { name: 'Certificates', exact: true }).click();
  const status = page.getByRole('row').nth(2).getByRole('cell').last().locator('[tabindex="0"]');
  await expect(status).toHaveText('Invalid');
  await expectAccessible(page, 'the certificates');
  await expectToFitEveryWidth(page, 'the certificates');
  await status.focus();
  await expect(page.getByRole('tooltip')).toBeVisible();
  await expectAccessible(page, 'the reason of a status', FLOATING);
  await page.getByRole('searchbox').fill('no such thing');
  await expect(page.getByRole('button', { name: 'Clear search' })).toBeVisible();
  await expectAccessible(page, 'a search that found nothing', CONTENT);
  await page.unroute(LIST);

  const letGo = await holdRequests(page, LIST, (route) => route.fulfill({ json: [] }));
  await page.reload();
  await expect(page.getByRole('table')).toHaveAttribute('aria-busy', 'true');
  await expectAccessible(page, 'certificates that are on their way', CONTENT);
  await letGo();
  await expect(page.getByRole('heading', { name: 'No certificates yet' })).toBeVisible();
  await expectAccessible(page, 'no certificates', CONTENT);
  await page.route(LIST, refuse);
  await page.reload();
  await expect(page.getByRole('alert')).toBeVisible();
  await expectAccessible(page, 'certificates that could not be loaded', CONTENT);
});

test.describe('for whoever builds screens', () => {
  test.use({ expectedProblems: /^foreign request: http:\/\/localhost:/ });

  test('the page of all components', async ({ page }) => {
    const kit = await startWebDevServer();
    try {
      await page.goto(`${kit.url}/ui-kit.html`);
      await expect(page.getByRole('heading', { level: 1, name: 'UI kit' })).toBeVisible();
      await expectAccessible(page, 'all components');
      await expectToFitEveryWidth(page, 'all components');
      await page.getByRole('button', { name: 'Open dialog' }).click();
      await expectAccessible(page, 'a dialog', DIALOG);
    } finally {
      await kit.stop();
    }
  });
});
