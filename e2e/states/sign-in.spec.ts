import type { Page } from '@playwright/test';
import { makeAccount } from '../support/account.ts';
import { expectAccessible, expectAccessibleAsItIs, expectAccessibleWhenOpened } from '../support/axe.ts';
import { holdRequests } from '../support/held-requests.ts';
import { expectToFitEveryWidth } from '../support/looks.ts';
import { portal } from '../support/portal.ts';
import { enterPassword, signIn } from '../support/sign-in.ts';
import { button, expect, test } from '../support/states.ts';

async function expectNoSidewaysScrolling(page: Page): Promise<void> {
  const size = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 800 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  if (size) await page.setViewportSize(size);
}

/** Sets the language of the next load, for pages without a language switch. */
const setLanguage = (page: Page, language: string) => page.evaluate((language) => localStorage.setItem('language', language), language);

test('the sign-in page', async ({ page }) => {
  await page.goto('/');
  await expect(button(page, 'Sign in')).toBeVisible();
  await expectAccessible(page, 'the sign-in page');
  await expectToFitEveryWidth(page, 'the sign-in page');
  const release = await holdRequests(page, '**/.well-known/openid-configuration', (route) => route.abort());
  await button(page, 'Sign in').click();
  await expect(button(page, 'Signing in...')).toBeVisible();
  await expectAccessible(page, 'signing in');
  await release();
  await expect(page.getByRole('alert')).toBeVisible();
  await expectAccessible(page, 'a provider that does not answer');
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
    await page.goto(`/idp/authorize?client_id=nobody&language=${language}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^(Sign-in could not|No se pudo)/);
    await expect(page.locator('html')).toHaveAttribute('lang', language);
  });
});

test('the pages for passwords of the provider', async ({ page, server }) => {
  const { email, password } = await makeAccount(server, page.request);
  const link = (await portal(server, 'password', 'link', '--email', email)).trim();
  const open = (address: string) => async (language: string) => {
    await page.goto(`${address}${address.includes('?') ? '&' : '?'}language=${language}`);
    await expect(page.locator('html')).toHaveAttribute('lang', language);
    await expectNoSidewaysScrolling(page);
  };
  await expectAccessibleWhenOpened(page, 'asking for a link', open('/idp/forgot-password'));
  await expectAccessibleWhenOpened(page, 'a link that is on its way', open('/idp/forgot-password/sent'));
  await expectAccessibleWhenOpened(page, 'choosing a new password', open(link));
  await expectAccessibleWhenOpened(page, 'a new password that is too weak', async (language) => {
    await open(link)(language);
    await page.locator('#password').fill('short');
    await page.locator('#confirm').fill('short');
    await page.getByRole('button', { name: /^(Save|Guardar)/ }).click();
    await expect(page.getByRole('alert')).toBeVisible();
    await expectNoSidewaysScrolling(page);
  });
  await expectAccessibleWhenOpened(page, 'a password that was replaced', open('/idp/reset-password/done'));
  await expectAccessibleWhenOpened(page, 'a link that does not work', open('/idp/reset-password?token=unknown'));
  await expectAccessibleWhenOpened(page, 'nobody is signed in', open('/idp/change-password'));
  await page.goto('/login');
  await button(page, 'Sign in').click();
  await enterPassword(page, email, password);
  await page.waitForURL('**/brands');
  await expectAccessibleWhenOpened(page, 'changing the password', open('/idp/change-password'));
  await expectAccessibleWhenOpened(page, 'a password that was changed', open('/idp/change-password/done'));
});

test('the way back from the provider, and a portal without one', async ({ page }) => {
  await page.goto('/favicon.svg');
  const release = await holdRequests(page, '**/auth0-spa-js*.js');
  await expectAccessibleWhenOpened(page, 'completing a sign-in', async (language) => {
    await setLanguage(page, language);
    await page.goto('/callback?code=unknown&state=unknown');
    await expect(page.locator('[data-first-paint]')).toHaveCount(0);
    await expect(page.getByText(/^(Completing sign in|Completando el inicio)/)).toBeVisible();
  });
  await release();
  await expect(page.getByRole('alert')).toBeVisible();
  await expectAccessible(page, 'a sign-in that failed');

  await page.route('**/brands', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replace(/"domain":"[^"]+"/, '"domain":""') });
  });
  await expectAccessibleWhenOpened(page, 'no provider', async (language) => {
    await setLanguage(page, language);
    await page.goto('/brands');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^(Configuration error|Error de configuración)/);
  });
});

test('before there is an app', async ({ page }) => {
  await page.goto('/favicon.svg');
  const release = await holdRequests(page, '**/assets/*.js');
  for (const [state, path] of [
    ['the sign-in page as HTML', '/'],
    ['a sign-in that is being completed as HTML', '/callback?code=unknown'],
    ['any other page as HTML', '/verify-email'],
  ] as const) {
    await expectAccessibleWhenOpened(page, state, async (language) => {
      await setLanguage(page, language);
      await page.goto(path, { waitUntil: 'commit' });
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    });
  }
  await page.goto('/', { waitUntil: 'commit' });
  await button(page, 'Sign in').click();
  await expect(button(page, 'Signing in...')).toBeDisabled();
  await expectAccessibleAsItIs(page, 'its button after a click');
  await release();
});

test('before there is a page, and when there will be none', async ({ page }) => {
  await signIn(page);
  const SHELL = '**/assets/main-shell-*.js';
  const release = await holdRequests(page, SHELL, (route) => route.abort());
  await expectAccessibleWhenOpened(page, 'whoever is signed in waits for the code', async (language) => {
    await setLanguage(page, language);
    await page.goto('/brands', { waitUntil: 'commit' });
    await expect(page.getByRole('status').first()).toBeAttached();
  });
  await release();
  await page.route(SHELL, (route) => route.abort());
  await expectAccessibleWhenOpened(page, 'nothing of the page could be loaded', async (language) => {
    await setLanguage(page, language);
    await page.goto('/brands');
    await expect(page.getByRole('button', { name: /^(Reload|Recargar)/ })).toBeVisible();
  });
});

test('a session that has ended', async ({ page }) => {
  await signIn(page);
  await page.route('**/api/v1/brands/', (route) => route.fulfill({ status: 401, json: {} }));
  await page.reload();
  await expect(page.getByRole('alert')).toHaveText('Your session has ended. Please sign in again.');
  await expectAccessible(page, 'a session that has ended');
  await expectToFitEveryWidth(page, 'a session that has ended');
});
