import type { Page } from '@playwright/test';
import { expect, test } from '../support/journey.ts';
import { signIn } from '../support/sign-in.ts';

const LONG_NAME = /^The Very Long and Rather Unreasonably Named/;

const navigation = (page: Page) => page.getByRole('navigation', { name: 'Main navigation' });

/** Opens a brand from the sidebar and waits for its page. */
async function openBrand(page: Page, name: string): Promise<void> {
  await navigation(page).getByRole('link', { name }).click();
  await expect(page).toHaveURL(/\/brands\/\d+\/product-variants$/);
  await expect(page.getByRole('main').locator('header').getByText(name, { exact: true })).toBeVisible();
}

/** The cards of the brand list, without the attention list above it. */
const cardsOf = (page: Page) => page.getByRole('listitem').filter({ has: page.getByRole('link', { name: /^(Manage|Gestionar) / }) });

// spec: §1 open a brand
test('the dashboard counts and shows the brands of the signed-in user', async ({ page }) => {
  await signIn(page);
  await expect(page.getByRole('heading', { level: 1, name: 'Brands' })).toBeVisible();
  await expect(page).toHaveTitle('Brands · Brand Portal');
  const summary = page.getByRole('main').locator('dl');
  await expect(summary).toContainText('Total brands6');
  await expect(summary).toContainText('Team members3');
  await expect(cardsOf(page)).toHaveCount(6);

  const fjord = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Fjord & Forest' }) });
  await expect(fjord).toContainText('Owner: Olivia Lindqvist');
  await expect(fjord).toContainText('3 members');
  await expect(fjord).toContainText('Free trial active');
  const website = fjord.getByRole('link', { name: /^Visit website/ });
  await expect(website).toHaveAttribute('href', 'https://fjord-forest.example/');
  await expect(website).toHaveAttribute('rel', 'noopener noreferrer');

  const maison = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Maison Verveine' }) });
  await expect(maison.getByRole('link', { name: /^Visit website/ })).toHaveCount(0);
});

// spec: §2 dashboard columns
test('the grid has one, two or three columns, and no card cuts off its text', async ({ page }) => {
  await signIn(page);
  await page.evaluate(() => localStorage.setItem('language', 'es'));
  await page.reload();
  const cards = cardsOf(page);
  await expect(cards).toHaveCount(6);
  for (const [width, columns] of [
    [375, 1],
    [767, 1],
    [768, 2],
    [1023, 2],
    [1024, 3],
    [1440, 3],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    const tops = () => cards.evaluateAll((all) => all.map((card) => card.getBoundingClientRect().top));
    await expect.poll(async () => (await tops()).filter((top, _, [first]) => top === first).length, `${width}`).toBe(columns);
    // Only texts with a title attribute may be cut off.
    const cutOff = await cards
      .locator('a:not([title]), .truncate:not([title])')
      .evaluateAll((parts) => parts.filter((part) => part.scrollWidth > part.clientWidth).map((part) => part.textContent));
    expect(cutOff, `${width} px`).toEqual([]);
  }
});

// spec: §1 open a brand
test('a click anywhere on a card opens its brand, and a tooltip shows a name that is cut off', async ({ page }) => {
  await signIn(page);
  const name = page.getByRole('heading', { name: LONG_NAME }).locator('span');
  await name.hover();
  await expect(page.getByRole('tooltip')).toHaveText(/Upper Saxony$/);
  // In steps: the tooltip does not notice a single jump.
  await page.mouse.move(0, 0, { steps: 10 });
  await expect(page.getByRole('tooltip')).toHaveCount(0);
  await name.focus();
  await expect(page.getByRole('tooltip')).toHaveText(/Upper Saxony$/);

  // `force`, because the link covers the heading on purpose.
  await page.getByRole('heading', { name: 'Tiny' }).click({ force: true });
  await expect(page).toHaveURL(/\/brands\/\d+\/product-variants$/);
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1, name: 'Brands' })).toBeVisible();
});

test.describe('a page that is opened offline', { tag: '@release' }, () => {
  test.use({ expectedProblems: /ERR_INTERNET_DISCONNECTED|Failed to/ });

  test('says so, and comes when the connection is back', async ({ page, context }) => {
    await signIn(page);
    await openBrand(page, 'Fjord & Forest');
    await context.setOffline(true);
    await page.getByRole('main').getByRole('link', { name: 'History' }).click();
    await expect(page.getByRole('main').getByRole('alert')).toContainText('You are offline. The page is loaded when');
    await context.setOffline(false);
    await expect(page.getByRole('heading', { level: 1, name: 'History' })).toBeVisible();
  });
});
