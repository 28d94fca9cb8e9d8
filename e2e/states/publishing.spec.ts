import { expectAccessible } from '../support/axe.ts';
import { holdRequests } from '../support/held-requests.ts';
import { expectToFitEveryWidth } from '../support/looks.ts';
import { OWNER } from '../support/sign-in.ts';
import { button, dialog, expect, openBrand, refuse, test } from '../support/states.ts';

test('publishing and the trial', async ({ page }) => {
  await openBrand(page, 'Maison Verveine', OWNER);
  await button(page, 'Start Free Trial').click();
  await expect(dialog(page)).toBeVisible();
  await expectAccessible(page, 'the trial');
  await expectToFitEveryWidth(page, 'the trial');
  const refuseTrial = await holdRequests(page, '**/opt-in-trial/', refuse);
  await page.keyboard.press('Enter');
  await expect(dialog(page).getByRole('button', { name: 'Starting…' })).toBeVisible();
  await expectAccessible(page, 'a trial that is about to start');
  await refuseTrial();
  await expect(dialog(page).getByRole('alert').last()).toContainText('Permission denied');
  await expectAccessible(page, 'a trial that was refused');
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
  await expectAccessible(page, 'all variants to publish');
  await page.keyboard.press('Enter');
  await expect(dialog(page)).toBeHidden();
  await expect(page.getByRole('main').locator('[aria-busy="true"]')).not.toHaveCount(0);
  await expectAccessible(page, 'variants that are about to be published');
  await refusePublishing();
  await expect(page.getByText('The variants could not be published', { exact: true })).toBeVisible();
  await expectAccessible(page, 'the toast of what failed');

  await page.route('**/publish/', (route) => route.fulfill({ json: {} }));
  await page.getByRole('row').nth(2).getByRole('button').last().click();
  // By keyboard: in these tests toasts stay open, and one covers the row.
  await page.getByRole('menuitem', { name: 'Unpublish' }).press('Enter');
  await expect(page.getByText('Variant unpublished successfully', { exact: true })).toBeVisible();
  await expectAccessible(page, 'the toast of what is done above it');
});
