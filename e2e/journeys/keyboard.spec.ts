import type { FileChooser, Locator, Page } from '@playwright/test';
import { csvFile, gtin, invalidGtin } from '../support/csv-files.ts';
import { expectFocusTrapped, expectNoFocusTrap, tabTo, tabToAndPress } from '../support/keyboard.ts';
import { expect, test } from '../support/own-brand.ts';
import { DEMO_PASSWORD, EDITOR, openVariants, signIn } from '../support/sign-in.ts';

const dialog = (page: Page) => page.getByRole('dialog');
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const toast = (page: Page, text: string) => page.getByRole('listitem').getByText(text, { exact: true });
const rows = (page: Page) => page.getByRole('table').locator('tbody').getByRole('row');

/** A busy browser may ignore the key while the dialog is still opening, so it is pressed again. */
async function pickByKeyboard(page: Page): Promise<FileChooser> {
  for (let press = 1; ; press += 1) {
    const opened = page.waitForEvent('filechooser', { timeout: 5_000 }).catch(() => undefined);
    await page.keyboard.press('Enter');
    const picker = await opened;
    if (picker) return picker;
    expect(press, 'the picker should open').toBeLessThan(4);
  }
}

/** Opens a select and chooses an option with the arrow keys. */
async function chooseByArrows(page: Page, box: string, option: string): Promise<void> {
  await tabToAndPress(page.getByRole('combobox', { name: box }));
  const wanted = page.getByRole('option', { name: option, exact: true });
  await expect(page.locator('[role="option"]:focus')).toHaveCount(1);
  for (let press = 0; press < 5 && !(await wanted.evaluate((element) => element.matches(':focus'))); press += 1) {
    await page.keyboard.press('ArrowDown');
  }
  await expect(wanted).toBeFocused();
  await expect(wanted).toHaveCSS('outline-style', 'solid');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('combobox', { name: box })).toBeFocused();
}

/** Opens the menu of a row: Tab reaches the row, arrow keys reach its menu. */
async function openByArrows(menu: Locator): Promise<void> {
  const page = menu.page();
  await tabTo(rows(page).filter({ has: menu }));
  for (let press = 0; press < 8 && !(await menu.evaluate((button) => button.matches(':focus'))); press += 1) {
    await page.keyboard.press('ArrowRight');
  }
  await expect(menu).toBeFocused();
  await page.keyboard.press('Enter');
}

test('the keyboard signs in, skips the sidebar, opens a brand, and signs out', async ({ page }) => {
  await page.goto('/');
  await tabToAndPress(button(page, 'Sign in'));
  await page.waitForURL(/\/idp\/login\//);
  await expect(page.getByLabel('Email')).toBeFocused();
  await page.keyboard.type(EDITOR);
  await tabTo(page.getByRole('textbox', { name: 'Password' }));
  await page.keyboard.type(DEMO_PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/brands');
  const manage = page.getByRole('link', { name: 'Manage Fjord & Forest', exact: true });
  await expect(manage).toBeVisible();
  await expectNoFocusTrap(page);

  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeInViewport();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('main').locator(':focus')).toHaveCount(1);
  await tabToAndPress(manage);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Product Variants & Publishing');
  // The focused link was removed, so the focus moves to the page's content.
  await expect(page.getByRole('main')).toBeFocused();
  await expect(rows(page)).toHaveCount(10);
  await expectNoFocusTrap(page);

  await tabTo(page.getByRole('combobox', { name: 'Language' }));
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Variantes de producto y publicación');
  await expect(page.getByRole('combobox', { name: 'Idioma' })).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Product Variants & Publishing');
  const before = await page.locator('html').getAttribute('data-theme');
  await tabTo(page.getByRole('button', { name: /^Switch to (dark|light) mode$/ }), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(page.locator('html')).not.toHaveAttribute('data-theme', before ?? '');
  await expect(page.getByRole('button', { name: /^Switch to (dark|light) mode$/ })).toBeFocused();
  await tabToAndPress(button(page, 'Sign out'));
  await expect(button(page, 'Sign in')).toBeVisible();
});

test('the keyboard searches, filters, sorts and pages', async ({ page }) => {
  await signIn(page, EDITOR);
  await page.getByRole('link', { name: 'Manage Fjord & Forest', exact: true }).press('Enter');
  await expect(rows(page)).toHaveCount(10);
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox')).toBeFocused();
  await page.keyboard.type('merino');
  await expect(rows(page).first()).toContainText(/merino/i);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('searchbox')).toHaveValue('');
  await chooseByArrows(page, 'Filter', 'With certifications');
  await expect(page).toHaveURL(/filter=with_certifications/);
  const sort = button(page, 'Product Variant');
  await tabToAndPress(sort);
  await expect(page.getByRole('columnheader', { name: 'Product Variant' })).toHaveAttribute('aria-sort', 'ascending');
  await expect(sort).toBeFocused();
  await expect(page.getByRole('table')).toHaveAttribute('aria-busy', 'false');
  await chooseByArrows(page, 'Per page:', '20');
  await expect(rows(page)).toHaveCount(20);
  await tabToAndPress(button(page, 'Next page'));
  await expect(page.getByText(/^Showing 21 to 40 of/)).toBeVisible();
  await expect(button(page, 'Next page')).toBeFocused();
  // On the last page the button is disabled, and the focus moves to its neighbour.
  await tabToAndPress(button(page, 'Last page'));
  await expect(button(page, 'Last page')).toBeDisabled();
  await expect(button(page, 'Previous page')).toBeFocused();
  await tabTo(button(page, 'First page'), 'Shift+Tab');
  await page.keyboard.press('Space');
  await expect(button(page, 'First page')).toBeDisabled();
  await expect(button(page, 'Next page')).toBeFocused();
});

test('the keyboard imports, starts the trial, publishes, takes back, and looks at certificates', async ({ page, brand }) => {
  test.slow();
  await page.goto(`/brands/${brand.id}/product-variants`);

  await test.step('import', async () => {
    const add = button(page, 'Add your first product variant');
    await tabToAndPress(add);
    await expect(button(page, 'Download template')).toBeFocused();
    await expectFocusTrapped(dialog(page));
    await page.keyboard.press('Escape');
    await expect(dialog(page)).toBeHidden();
    await expect(add).toBeFocused();

    await page.keyboard.press('Enter');
    await expect(button(page, 'Download template')).toBeFocused();
    await tabTo(dialog(page).getByRole('button', { name: /^Supported certifications/ }));
    await tabTo(button(page, 'Choose a file'));
    const picker = await pickByKeyboard(page);
    expect(picker.isMultiple()).toBe(false);
    const header = 'variant_name,gtin,certificate_id,certification_name';
    const lines = [header, `Keyed millet,${gtin(51)},GS-1,Green Seal`, `Keyed rye,${invalidGtin(52)},,`];
    await picker.setFiles(csvFile('keys.csv', lines));
    await expect(dialog(page).getByRole('button', { name: 'Upload File' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(dialog(page)).toContainText('Validation error in your CSV');
    await expect(dialog(page).getByRole('region', { name: 'Upload status' })).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(dialog(page).getByRole('region', { name: 'Validation errors' })).toBeFocused();
    const download = page.waitForEvent('download');
    await tabToAndPress(button(page, 'Download rejected rows'));
    expect((await download).suggestedFilename()).toBe('keys-rejected.csv');
    await expect(button(page, 'Download rejected rows')).toBeFocused();
    await expectFocusTrapped(dialog(page));
    await tabToAndPress(button(page, 'Done'));
    await expect(dialog(page)).toBeHidden();
    // The button that opened the dialog was removed, because the list is no longer empty.
    await expect(rows(page)).toHaveCount(1);
    await expect(page.getByRole('main')).toBeFocused();
  });

  const menu = button(page, 'Actions for Keyed millet');
  const published = rows(page).first().getByRole('cell').nth(4);

  await test.step('trial and publishing', async () => {
    const channels = page.getByRole('dialog', { name: 'Publish to distribution channels' });
    const trial = page.getByRole('dialog', { name: 'Start Free Trial' });
    await openByArrows(menu);
    await expect(page.getByRole('menuitem', { name: 'Publish' })).toBeFocused();
    await expect(page.getByRole('menuitem', { name: 'Publish' })).toHaveCSS('outline-style', 'solid');
    // The page behind a menu is hidden from screen readers, so Tab must not reach it either.
    await page.keyboard.press('Tab');
    await expect(page.getByRole('menuitem', { name: 'Publish' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(channels.getByRole('radio', { name: 'Google' })).toBeFocused();
    await expectFocusTrapped(channels);
    await page.keyboard.press('Enter');
    await expect(trial).toBeVisible();
    await expectFocusTrapped(trial);
    await page.keyboard.press('Escape');
    await expect(trial).toBeHidden();
    await expect(menu).toBeFocused();

    await tabTo(button(page, 'Start Free Trial'), 'Shift+Tab');
    await page.keyboard.press('Enter');
    await expect(trial).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(toast(page, 'Free trial started successfully')).toBeVisible();
    await expect(trial).toBeHidden();
    await expect(page.getByRole('main')).toBeFocused();

    await openByArrows(menu);
    await page.keyboard.press('Enter');
    await expect(channels.getByRole('radio', { name: 'Google' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(toast(page, 'Variant published successfully')).toBeVisible();
    await expect(menu).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('menuitem', { name: 'Unpublish' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(toast(page, 'Variant unpublished successfully')).toBeVisible();
    await expect(menu).toBeFocused();

    const all = button(page, 'Publish all to channels');
    await tabTo(all, 'Shift+Tab');
    await page.keyboard.press('Enter');
    await expect(channels).toContainText('all product variants of the brand');
    await page.keyboard.press('Enter');
    await expect(toast(page, 'All variants published successfully')).toBeVisible();
    await expect(published).toHaveText(/^Published/);
    await expect(all).toBeFocused();
  });

  await test.step('certificates', async () => {
    const link = page.getByRole('link', { name: 'Certificates', exact: true });
    await tabTo(link, 'Shift+Tab');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your Certificates');
    await expect(link).toBeFocused();
    await tabTo(rows(page).first());
    const status = rows(page).first().locator('[tabindex]').filter({ hasText: 'Pending' });
    const isReached = () => status.evaluate((element) => element === document.activeElement);
    for (let presses = 0; presses < 5 && !(await isReached()); presses += 1) await page.keyboard.press('ArrowRight');
    // The validation replaces the cell with its tooltip: Escape before that would close the former one.
    await expect(page.getByRole('tooltip')).toContainText('Waiting since');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('tooltip')).toBeHidden();
  });
});

/** Whether the middle of the focused element can be seen: neither outside of the window nor below something sticky. */
const isFocusSeen = (page: Page) =>
  page.evaluate(() => {
    const focused = document.activeElement;
    const { left, width, top, height } = focused?.getBoundingClientRect() ?? new DOMRect();
    return focused?.contains(document.elementFromPoint(left + width / 2, top + height / 2)) === true;
  });

test('the keyboard sees every row and the page buttons, above the bar of the selection and below the header', {
  tag: '@release',
}, async ({ page }) => {
  await openVariants(page, 'Fjord & Forest', '?page_size=20');
  await expect(rows(page)).toHaveCount(20);
  await tabTo(rows(page).first());
  await page.keyboard.press('Space');
  const bar = page.getByRole('region', { name: 'Selected variants' });
  await expect(bar).toBeVisible();
  for (const key of ['ArrowDown', 'ArrowUp']) {
    for (let press = 0; press < 19; press += 1) {
      await page.keyboard.press(key);
      expect(await isFocusSeen(page), `after ${key} ${press + 1}`).toBe(true);
    }
  }
  await tabTo(button(page, 'Next page'));
  expect(await isFocusSeen(page)).toBe(true);
  await tabTo(bar.getByRole('button', { name: 'Publish' }), 'Shift+Tab');
  expect(await isFocusSeen(page)).toBe(true);
});

test('the keyboard goes through the panel of a variant past the badges that have a tooltip', {
  tag: '@release',
}, async ({ page }) => {
  await openVariants(page, 'Fjord & Forest', '?filter=published');
  await tabTo(rows(page).first());
  await page.keyboard.press('Enter');
  const badge = dialog(page)
    .locator('[tabindex]')
    .filter({ hasText: /^Published/ });
  await tabTo(badge);
  await expect(page.getByRole('tooltip')).toContainText('Jan. 1, 2026');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('tooltip')).toBeHidden();
  await expect(dialog(page).locator('button:focus')).toHaveCount(1);
});
