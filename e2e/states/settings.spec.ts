import type { Route } from '@playwright/test';
import { expectAccessible } from '../support/axe.ts';
import { holdRequests } from '../support/held-requests.ts';
import { expectToFitEveryWidth } from '../support/looks.ts';
import { OWNER } from '../support/sign-in.ts';
import { button, dialog, expect, openBrand, refuse, test } from '../support/states.ts';

const CONNECTION = '**/api/v1/brands/*/channel/';
const FEED = '**/api/v1/brands/*/channel/feed/';
const MAILS = '**/api/v1/brands/*/notifications/';
const REFUSAL = 'The caller does not have permission to use the account of a brand with a rather long name. '.repeat(2);

test('the settings', async ({ page }) => {
  await openBrand(page, 'Fjord & Forest', OWNER);
  const release = await holdRequests(page, CONNECTION);
  const letFeedGo = await holdRequests(page, FEED);
  const letMailsGo = await holdRequests(page, MAILS);
  await page.goto(page.url().replace(/product-variants.*/, 'settings'));
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
  await expectAccessible(page, 'settings that are on their way');
  await release();
  await letFeedGo();
  await letMailsGo();
  await expect(page.getByRole('checkbox', { name: 'Emails about this brand’s certificates' })).toBeChecked();
  await expect(page.getByText('Connected', { exact: true })).toBeVisible();
  await expectAccessible(page, 'the settings');
  await expectToFitEveryWidth(page, 'the settings');

  await page.route(MAILS, refuse);
  await page.getByRole('checkbox', { name: 'Emails about this brand’s certificates' }).click();
  await expect(page.getByRole('region', { name: 'Your emails' }).getByRole('alert')).toBeVisible();
  await expectAccessible(page, 'mails that could not be turned off');
  await page.unroute(MAILS);

  await button(page, 'Create feed address').click();
  await expect(page.getByRole('textbox', { name: 'Address (XML)' })).toBeVisible();
  await expectAccessible(page, 'the address of a feed');
  await expectToFitEveryWidth(page, 'the address of a feed');
  await button(page, 'Revoke').click();
  await expect(dialog(page)).toBeVisible();
  await expectAccessible(page, 'the question before a feed is revoked');
  await page.route(FEED, refuse);
  await dialog(page).getByRole('button', { name: 'Revoke' }).click();
  await expect(dialog(page).getByRole('alert')).toBeVisible();
  await expectAccessible(page, 'a feed that could not be revoked');
  await page.unroute(FEED);
  await dialog(page).getByRole('button', { name: 'Revoke' }).click();
  await expect(button(page, 'Create feed address')).toBeVisible();

  for (const [state, change] of [
    ['not_connected', { kind: null, client_id: null, countries: [], language: null, registered_name: null }],
    ['waiting', { client_id: null }],
    ['refused', { refusal: REFUSAL }],
  ] as const) {
    const answer = async (route: Route) => {
      const connection = await (await route.fetch()).json();
      await route.fulfill({ json: { ...connection, ...change, state } });
    };
    await page.route(CONNECTION, answer);
    await page.reload();
    await expect(page.getByRole('link', { name: 'Write to support' })).toBeVisible();
    await expectAccessible(page, `a connection that is ${state}`);
    await expectToFitEveryWidth(page, `a connection that is ${state}`);
    await page.getByRole('link', { name: 'Product Variants & Publishing' }).click();
    await expect(page.getByText('Published variants wait')).toBeVisible();
    await expectAccessible(page, `variants of a brand whose connection is ${state}`);
    await expectToFitEveryWidth(page, `variants of a brand whose connection is ${state}`);
    await page.getByRole('link', { name: 'See the settings' }).click();
    await page.unroute(CONNECTION, answer);
  }
  await page.route(CONNECTION, refuse);
  await page.route(FEED, refuse);
  await page.route(MAILS, refuse);
  await page.reload();
  await expect(page.getByText('The connection could not be loaded')).toBeVisible();
  await expectAccessible(page, 'settings that could not be loaded');
});
