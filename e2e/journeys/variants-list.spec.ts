import type { Page } from '@playwright/test';
import { gtin } from '../support/csv-files.ts';
import { tabTo } from '../support/keyboard.ts';
import { expect, test } from '../support/own-brand.ts';

const rows = (page: Page) => page.getByRole('table').locator('tbody').getByRole('row');
const products = [
  'variant_name,gtin',
  ...Array.from({ length: 30 }, (_, item) => `Aceite de oliva virgen extra de cosecha temprana ${item + 1} XL,${gtin(900 + item)}`),
].join('\n');

/** Sums up the layout shifts that do not follow user input. */
async function watchShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    Object.assign(window, { shifts: 0 });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) {
        if (!entry.hadRecentInput) Object.assign(window, { shifts: (window as never as { shifts: number }).shifts + entry.value });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return () => page.evaluate(() => (window as never as { shifts: number }).shifts);
}

test('the keyboard alone searches, moves through the rows, filters by state and leaves with the command palette', async ({
  page,
  brand,
}) => {
  await brand.upload(products);
  const shifts = await watchShifts(page);
  await page.goto(`/brands/${brand.id}/product-variants?page_size=20`);
  await expect(rows(page)).toHaveCount(20);
  expect(await shifts()).toBeLessThan(0.02);

  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  // The dialog returns the focus in a timer, after it is gone.
  await page.evaluate(() => new Promise((done) => setTimeout(done)));

  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox')).toBeFocused();
  await page.keyboard.type('temprana 1');
  await expect(rows(page)).toHaveCount(12);
  await tabTo(rows(page).first());
  await page.keyboard.press('ArrowDown');
  await expect(rows(page).nth(1)).toBeFocused();
  await page.keyboard.press('End');
  await expect(rows(page).last()).toBeFocused();
  // The focused row is not covered by the sticky header or footer.
  const [row, footer, header] = await Promise.all([
    rows(page).last().boundingBox(),
    page.locator('footer').last().boundingBox(),
    page.locator('thead').boundingBox(),
  ]);
  expect((row?.y ?? 0) + (row?.height ?? 0)).toBeLessThanOrEqual((footer?.y ?? 0) + 1);
  expect(row?.y ?? 0).toBeGreaterThanOrEqual((header?.y ?? 0) + (header?.height ?? 0) - 1);
  await page.keyboard.press('ArrowRight');
  await expect(rows(page).last().getByRole('checkbox')).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Publish' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);

  await tabTo(page.getByRole('button', { name: 'Unpublished 12' }), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/search=temprana\+1&state=unpublished/);
  await expect(rows(page)).toHaveCount(12);

  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: 'Brands, pages, variants and actions' })).toBeFocused();
  await page.keyboard.type('certif');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/certifications$/);
});

test.describe('on a phone, by touch', { tag: '@release' }, () => {
  test.use({ viewport: { width: 375, height: 812 }, hasTouch: true });

  test('rows are cards, filters a sheet, and the sidebar a drawer', async ({ page, brand }) => {
    await brand.upload(products);
    const shifts = await watchShifts(page);
    await page.goto(`/brands/${brand.id}/product-variants`);
    await expect(rows(page)).toHaveCount(10);
    expect(await shifts()).toBeLessThan(0.02);
    const card = rows(page).first();
    await expect(card.getByText(/^Aceite de oliva virgen extra de cosecha temprana \d+ XL$/)).toBeVisible();
    await card.scrollIntoViewIfNeeded();
    await expect(card.getByText(/^4099887\d{6}$/)).toBeInViewport();
    await expect(card.getByText('Unpublished')).toBeInViewport();
    const name = await card.getByText(/Aceite/).evaluate((text) => text.scrollHeight - text.clientHeight);
    expect(name, 'the whole name').toBeLessThanOrEqual(1);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375);
    const [shade, background] = await page.getByRole('navigation', { name: 'Brand menu' }).evaluate((menu) => {
      return [getComputedStyle(menu).backgroundImage, getComputedStyle(document.body).backgroundColor] as const;
    });
    expect(shade, 'the ends of the menu fade into the page').toContain(background);

    await page.getByRole('button', { name: 'Filters' }).tap();
    await page.getByRole('dialog').getByRole('button', { name: 'Live 0' }).tap();
    await page.getByRole('button', { name: 'Show the variants' }).tap();
    await expect(page.getByText('Nothing fits the filter “Live”.')).toBeVisible();
    await page.getByRole('button', { name: 'Filters: 1 on' }).tap();
    await page.getByRole('dialog').getByRole('button', { name: 'Live 0' }).tap();
    await page.getByRole('button', { name: 'Show the variants' }).tap();
    await expect(rows(page)).toHaveCount(10);

    await card.getByRole('button', { name: /^Actions for/ }).tap();
    await expect(page.getByRole('menuitem', { name: 'Publish' })).toBeVisible();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Open menu' }).tap();
    await page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Dashboard' }).tap();
    await expect(page).toHaveURL(/\/brands$/);
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });
});

test('a printed list has no sidebar, and nothing covers its rows', { tag: '@release' }, async ({ page, brand }) => {
  await brand.upload(products);
  await page.goto(`/brands/${brand.id}/product-variants?page_size=20`);
  const showing = page.getByText('Showing 1 to 20 of 30 results');
  await expect(showing).toBeInViewport();
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('link', { name: 'Dashboard' })).toBeHidden();
  await expect(page.getByRole('table')).toBeVisible();
  // Below all rows, and not at the bottom of the first page.
  await expect(showing).not.toBeInViewport();
});
