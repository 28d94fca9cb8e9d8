import { expectAccessible } from '../support/axe.ts';
import { holdRequests } from '../support/held-requests.ts';
import { expectToFitEveryWidth } from '../support/looks.ts';
import { OWNER } from '../support/sign-in.ts';
import { expect, openBrand, refuse, test } from '../support/states.ts';

const ATTENTION = '**/api/v1/brands/*/attention/';

test('what needs attention', async ({ page }) => {
  await openBrand(page, 'Fjord & Forest', OWNER);
  const release = await holdRequests(page, ATTENTION);
  await page.goto(page.url().replace(/product-variants.*/, 'attention'));
  await expect(page.getByRole('heading', { level: 1, name: 'Needs attention' })).toBeVisible();
  await expectAccessible(page, 'on its way');
  await release();
  const link = page.getByRole('link', { name: /^Show them.*: No image$/ });
  await expect(link).toBeVisible();
  await expectAccessible(page, 'reasons');
  await expectToFitEveryWidth(page, 'reasons');

  await link.click();
  await expect(page.getByText('Only: No image')).toBeVisible();
  await expect(page.getByText(/^Showing 1 to/)).toBeVisible();
  await expectAccessible(page, 'the list of one reason');
  await page.goBack();

  await page.route(ATTENTION, refuse);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  await expectAccessible(page, 'reasons that could not be loaded');
});
