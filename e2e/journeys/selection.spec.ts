import type { Page } from '@playwright/test';
import { gtin } from '../support/csv-files.ts';
import { tabTo, tabToAndPress } from '../support/keyboard.ts';
import { expect, type OwnBrand, test } from '../support/own-brand.ts';

/** Imports the variants Té 1 to Té 25 and opens the list. */
async function openList(page: Page, brand: OwnBrand): Promise<void> {
  const lines = Array.from({ length: 25 }, (_, n) => `Té ${n + 1},${gtin(n)}`);
  await brand.upload(`variant_name,gtin\n${lines.join('\n')}\n`);
  await page.goto(`/brands/${brand.id}/product-variants`);
  await expect(page.getByText('Showing 1 to 10 of 25 results')).toBeVisible();
}

const boxes = (page: Page) => page.locator('tbody').getByRole('checkbox');
const bar = (page: Page) => page.getByRole('region', { name: 'Selected variants' });
const inBar = (page: Page, name: string) => bar(page).getByRole('button', { name, exact: true });
const dialog = (page: Page) => page.getByRole('dialog');
const inDialog = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true });
const toast = (page: Page, text: string) => page.getByRole('listitem').getByText(text, { exact: true });

async function count(brand: OwnBrand, query = ''): Promise<number> {
  return ((await brand.get(`variants/?${query}`)) as { count: number }).count;
}

test('variants are selected by mouse, published, deleted and restored', async ({ page, brand }) => {
  await openList(page, brand);
  await boxes(page).nth(1).click();
  await boxes(page)
    .nth(4)
    .click({ modifiers: ['Shift'] });
  await expect(bar(page)).toContainText('4 selected');
  const colourOf = (index: number) =>
    page
      .locator('tbody')
      .getByRole('row')
      .nth(index)
      .evaluate((row) => getComputedStyle(row).backgroundColor);
  await expect.poll(() => colourOf(1)).not.toBe(await colourOf(0));
  await page.getByRole('button', { name: 'Next page' }).click();
  await expect(page.getByText('Showing 11 to 20 of 25 results')).toBeVisible();
  await boxes(page).first().click();
  await expect(bar(page)).toContainText('5 selected on 2 pages');
  await inBar(page, 'Publish').click();
  await inDialog(page, 'Publish').click();
  await inDialog(page, 'Start Free Trial').click();
  await expect(toast(page, '5 wait until this brand is connected to Google')).toBeVisible();
  await expect(bar(page)).toBeHidden();
  expect(await count(brand, 'published=true')).toBe(5);

  await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
  await inBar(page, 'Select all 25 that match').click();
  await boxes(page).nth(9).click();
  await expect(bar(page)).toContainText('24 of the 25 that match are selected');
  await inBar(page, 'Publish').click();
  await inDialog(page, 'Publish').click();
  await expect(toast(page, '19 wait until this brand is connected to Google, 5 were already published')).toBeVisible();

  await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
  await inBar(page, 'Delete').click();
  await expect(dialog(page)).toContainText('9 of them are published; what Google has is withdrawn.');
  await inDialog(page, 'Delete').click();
  await expect(toast(page, '10 variants deleted')).toBeVisible();
  expect(await count(brand)).toBe(15);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(toast(page, '10 variants restored')).toBeVisible();
  await expect(page.getByText(/of 25 results/)).toBeVisible();
  expect(await count(brand, 'published=true')).toBe(24);

  // A deletion can also be restored later, from the history.
  await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
  await inBar(page, 'Delete').click();
  await inDialog(page, 'Delete').click();
  await expect(page.getByText(/of 15 results/)).toBeVisible();
  await page.goto(`/brands/${brand.id}/history?action=variants.deleted`);
  const deleted = page.getByRole('table', { name: 'History' });
  await expect(deleted.getByText('Variants deleted: 10')).toHaveCount(2);
  await deleted.getByRole('button', { name: 'Restore (Variants deleted: 10)' }).click();
  await expect(deleted.getByText('Restored', { exact: true })).toHaveCount(2);
  expect(await count(brand)).toBe(25);
});

test('variants are selected and changed by keyboard alone', { tag: '@release' }, async ({ page, brand }) => {
  await openList(page, brand);
  const rows = page.getByRole('table').locator('tbody tr');
  await tabToAndPress(rows.nth(1), 'ArrowRight');
  await expect(boxes(page).nth(1)).toBeFocused();
  await page.keyboard.press('Space');
  for (let n = 0; n < 3; n++) await page.keyboard.press('ArrowDown');
  await expect(boxes(page).nth(4)).toBeFocused();
  await page.keyboard.press('Shift+Space');
  await expect(bar(page)).toContainText('4 selected');
  await tabToAndPress(inBar(page, 'Delete'));
  await tabToAndPress(inDialog(page, 'Delete'));
  await expect(toast(page, '4 variants deleted')).toBeVisible();
  await expect(page.getByText('Showing 1 to 10 of 21 results')).toBeVisible();
  await page.keyboard.press('F8');
  await tabToAndPress(page.getByRole('button', { name: 'Undo' }));
  await expect(page.getByText('Showing 1 to 10 of 25 results')).toBeVisible();

  await page.getByRole('searchbox').focus();
  await tabToAndPress(page.getByRole('checkbox', { name: 'Select all on this page' }), 'Space');
  await tabToAndPress(inBar(page, 'Select all 25 that match'));
  await tabToAndPress(inBar(page, 'Clear'));
  await expect(bar(page)).toBeHidden();
  // The focus moved to the table, so Tab continues from there.
  await tabTo(page.getByRole('button', { name: 'Next page' }));
});

test('on a phone the bar covers neither the last row nor the pagination', { tag: '@release' }, async ({ page, brand }) => {
  await page.setViewportSize({ width: 375, height: 667 });
  await openList(page, brand);
  await boxes(page).first().click();
  await boxes(page).last().scrollIntoViewIfNeeded();
  await boxes(page).last().click();
  await expect(bar(page)).toContainText('2 selected');
  const next = page.getByRole('button', { name: 'Next page' });
  await next.scrollIntoViewIfNeeded();
  await next.click();
  await expect(bar(page)).toContainText('2 selected');
  const barBox = await bar(page).boundingBox();
  expect(barBox?.width).toBeLessThanOrEqual(375);
  await inBar(page, 'Unpublish').click();
  const told = toast(page, '2 were already unpublished');
  await expect(told).toBeVisible();
  // At the end of the page there is space for the toast below the list.
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
  const covers = async () => {
    const [row, shown] = [await page.locator('tbody tr').last().boundingBox(), await told.boundingBox()];
    return row === null || shown === null || row.y + row.height > shown.y;
  };
  await expect.poll(covers).toBe(false);
});
