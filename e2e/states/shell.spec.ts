import type { Route } from '@playwright/test';
import { expectAccessible } from '../support/axe.ts';
import { holdRequests } from '../support/held-requests.ts';
import { expectToFitEveryWidth } from '../support/looks.ts';
import { OWNER, signIn } from '../support/sign-in.ts';
import { button, dialog, expect, refuse, test } from '../support/states.ts';

const LIST = '**/api/v1/brands/';
const BRAND = '**/api/v1/brands/*/';
/** The page may have been reloaded while the route was fetched. */
const answer = (route: Route, response: { json: unknown }) => route.fulfill(response).catch(() => undefined);
const LONG_NAME = /^The Very Long and Rather Unreasonably Named/;

test('the dashboard', async ({ page }) => {
  await signIn(page, OWNER);
  await expect(page.getByRole('link', { name: /^Manage / })).toHaveCount(6);
  await expectAccessible(page, 'the dashboard');
  await expectToFitEveryWidth(page, 'the dashboard');
  // On narrow screens it is a drawer, which has a test of its own.
  const hasSidebar = (page.viewportSize()?.width ?? 0) >= 1024;
  if (hasSidebar) {
    await button(page, 'Your Brands').click();
    await expectAccessible(page, 'with brands folded away');
    await button(page, 'Your Brands').click();
    await button(page, 'Account').click();
    await expect(page.getByRole('menuitem').first()).toBeVisible();
    await expectAccessible(page, 'the menu of the account');
    await page.keyboard.press('Escape');
    await expect(button(page, 'Account')).toBeFocused();
  }
  await page.getByRole('main').getByRole('heading', { name: LONG_NAME }).locator('span').focus();
  await expect(page.getByRole('tooltip')).toBeVisible();
  await expectAccessible(page, 'the tooltip of a long name');

  await page.route(LIST, async (route) => {
    const list = await (await route.fetch()).json();
    const brands = Array.from({ length: 30 }, (_brand, index) => list.results[index % list.results.length]);
    const long = 'Vereinigte Manufakturen für Kräuter, Gewürze und Tee von 1897';
    const results = brands.map((brand, index) => ({ ...brand, id: index + 1, ...(index === 0 && { name: long }) }));
    await answer(route, { json: { ...list, results, member_count: 12_345 } });
  });
  await page.reload();
  await expect(page.getByRole('link', { name: /^Manage / })).toHaveCount(30);
  await expectAccessible(page, 'many brands');
  await page.unroute(LIST);

  const release = await holdRequests(page, LIST, (route) => route.fulfill({ json: { results: [], member_count: 0 } }));
  await page.reload();
  await expect(page.getByRole('status', { name: /^Loading/ })).toHaveCount(hasSidebar ? 2 : 1);
  await expectAccessible(page, 'brands that are on their way');
  await release();
  await expect(page.getByRole('heading', { name: 'No brands yet' })).toBeVisible();
  await expectAccessible(page, 'no brands');
  await page.route(LIST, refuse);
  await page.reload();
  await expect(page.getByRole('alert')).toHaveCount(hasSidebar ? 2 : 1);
  await expectAccessible(page, 'brands that could not be loaded');
});

test('the shell of a brand', async ({ page }) => {
  await signIn(page, OWNER);
  await page.route(BRAND, async (route) => {
    const brand = await (await route.fetch()).json();
    const name = 'Vereinigte Manufakturen für Kräuter, Gewürze und Tee von 1897 Aktiengesellschaft';
    await answer(route, { json: { ...brand, name, status: 'pending' } });
  });
  await page.goto('/brands/1/certifications');
  await expect(page.getByText('Pending Review').first()).toBeVisible();
  await expectAccessible(page, 'a brand with a long name that is under review');
  await page.getByRole('button', { name: /^More for Vereinigte/ }).click();
  await expect(page.getByRole('menuitem')).toBeVisible();
  await expectAccessible(page, 'the menu of a brand');
  await page.getByRole('menuitem').click();
  await expect(dialog(page)).toBeVisible();
  await expectAccessible(page, 'leaving a brand');
  await page.keyboard.press('Escape');
  await page.unroute(BRAND);
  // Also holds the list: the page would use its data of the brand.
  const letListGo = await holdRequests(page, LIST);
  const release = await holdRequests(page, BRAND, async (route) => {
    const brand = await (await route.fetch()).json();
    await answer(route, { json: { ...brand, status: 'inactive' } });
  });
  await page.reload();
  await expect(page.getByRole('banner')).toBeVisible();
  await expect(page.getByRole('main').getByRole('status').first()).toBeAttached();
  await expectAccessible(page, 'a brand on its way');
  await letListGo();
  await release();
  await expect(page.getByText('Inactive', { exact: true })).toBeVisible();
  await expectAccessible(page, 'a brand that is inactive');

  await page.goto('/nowhere');
  await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
  await expectAccessible(page, 'a page that does not exist');
  for (const path of [LIST, BRAND]) await page.route(path, refuse);
  await page.goto('/brands/1/certifications');
  await expect(page.getByRole('main').getByRole('alert')).toBeVisible();
  await expectAccessible(page, 'a brand that could not be loaded');
  for (const path of [LIST, BRAND]) await page.unroute(path);
  await page.goto('/brands/999999/certifications');
  await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
  await expectAccessible(page, 'a brand of somebody else');
  const failToLoad = await holdRequests(page, '**/assets/certificates-page-*.js', (route) => route.abort());
  await page.goto('/brands/1/certifications');
  await expect(page.getByRole('banner')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Loading…' })).toBeAttached();
  await expectAccessible(page, 'a page whose code is on its way');
  await failToLoad();
  await expect(page.getByRole('button', { name: /^Reload/ })).toBeVisible();
  await expectAccessible(page, 'a page whose code could not be loaded');
});

test('the narrow sidebar, and the bar of a phone', async ({ page }) => {
  await signIn(page, OWNER);
  await page.setViewportSize({ width: 768, height: 800 });
  const sidebar = page.getByRole('banner');
  expect((await sidebar.boundingBox())?.width).toBe(64);
  await expectAccessible(page, 'the dashboard of a tablet');
  await sidebar.getByRole('link', { name: 'Dashboard' }).focus();
  await expect(page.getByRole('tooltip')).toBeVisible();
  await expectAccessible(page, 'its tooltip');
  await sidebar.getByRole('button', { name: /^Signed in as/ }).click();
  await expect(dialog(page)).toContainText(OWNER);
  await expectAccessible(page, 'who is signed in');
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 1024, height: 800 });
  await expect.poll(async () => (await sidebar.boundingBox())?.width).toBe(256);

  await page.keyboard.press('?');
  await expect(dialog(page)).toContainText('Keyboard shortcuts');
  await expectAccessible(page, 'the keys');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: 'Brands, pages and actions' })).toBeFocused();
  await expectAccessible(page, 'the palette');
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 375, height: 800 });
  await page.getByRole('button', { name: 'Open menu' }).click();
  await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible();
  await expectAccessible(page, 'the drawer of a phone');
});
