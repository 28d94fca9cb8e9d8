import type { Page } from '@playwright/test';
import { gtin } from '../support/csv-files.ts';
import { applyLook, readMode } from '../support/looks.ts';
import { expect, test } from '../support/own-brand.ts';
import { EDITOR, signIn, VIEWER } from '../support/sign-in.ts';

const GO_LIVE = 'All data will be live on Google on Jan. 1, 2026';
/** Long enough for the worker to deliver, the channel to decide, and the page to poll. */
const CHANNEL_ANSWERS = { timeout: 25_000 };

/** Opens the list of Lumbre Cocina, a demo brand with a trial, with a search that finds only this variant. */
async function openVariant(page: Page, name: string, email = EDITOR): Promise<void> {
  await signIn(page, email);
  await page.getByRole('link', { name: /^(Manage|Gestionar) Lumbre Cocina$/ }).click();
  await page.waitForURL(/product-variants$/);
  await page.goto(`${page.url()}?search=${encodeURIComponent(name)}`);
  await expect(menuButton(page, name)).toBeVisible();
}

const menuButton = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^(Actions for|Acciones de) ${name}$`) });
const publishedCell = (page: Page) => page.getByRole('table').locator('tbody tr').first().getByRole('cell').nth(4);
const channelDialog = (page: Page) => page.getByRole('dialog', { name: 'Publish to distribution channels' });
const toast = (page: Page, text: string) => page.getByRole('listitem').getByText(text, { exact: true });

async function chooseFromMenu(page: Page, name: string, item: string): Promise<void> {
  await menuButton(page, name).click();
  await page.getByRole('menuitem', { name: new RegExp(`^${item}`) }).click();
}

async function publish(page: Page, name: string): Promise<void> {
  await chooseFromMenu(page, name, 'Publish');
  await channelDialog(page).getByRole('button', { name: 'Publish', exact: true }).click();
}

// spec: §1 publish
test('a variant goes live without a reload, and is unpublished at once', async ({ page }) => {
  const name = 'Miel de azahar 250 g';
  await openVariant(page, name);
  await expect(publishedCell(page)).toHaveText('Unpublished');
  await chooseFromMenu(page, name, 'Publish');
  const dialog = channelDialog(page);
  await expect(dialog).toContainText(`“${name}”`);
  await expect(dialog.getByRole('radio', { name: 'Google' })).toBeChecked();
  await expect(dialog.getByRole('radio', { name: 'More channels' })).toBeDisabled();
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(toast(page, 'Variant published successfully')).toBeVisible();
  await expect(publishedCell(page)).toHaveText('Published Live', CHANNEL_ANSWERS);
  await publishedCell(page).locator('[tabindex]').focus();
  await expect(page.getByRole('tooltip')).toHaveText(`Today: live on Google.${GO_LIVE}`);

  await chooseFromMenu(page, name, 'Unpublish');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(publishedCell(page)).toHaveText(/^Unpublished/);
  await expect(toast(page, 'Variant unpublished successfully')).toBeVisible();
  await expect(publishedCell(page)).toHaveText('Unpublished', CHANNEL_ANSWERS);
});

// spec: §4 publish after opt-in
test('without a trial, the trial is started first, and the variant is published half a second later', async ({ page, brand }) => {
  const name = 'Té verde';
  await brand.upload(`variant_name,gtin\n${name},${gtin(1)}\n`);
  await page.goto(`/brands/${brand.id}/product-variants`);
  await publish(page, name);
  const trial = page.getByRole('dialog', { name: 'Start Free Trial' });
  await expect(trial.getByRole('button', { name: 'Start Free Trial' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(menuButton(page, name)).toBeFocused();
  await expect(publishedCell(page)).toHaveText('Unpublished');

  await publish(page, name);
  await trial.getByRole('button', { name: 'Start Free Trial' }).click();
  await expect(toast(page, 'Free trial started successfully')).toBeVisible();
  await expect(toast(page, 'Variant published successfully')).toBeVisible();
  const times = await page.evaluate(() => {
    const calls = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    const last = (path: string) => calls.findLast(({ name }) => name.endsWith(path));
    return { optedIn: last('/opt-in-trial/')?.responseEnd, published: last('/publish/')?.startTime };
  });
  // Slightly less than 500: the browser rounds times, and its timers may fire a millisecond early.
  expect((times.published ?? 0) - (times.optedIn ?? 0)).toBeGreaterThan(498);
  await expect(publishedCell(page)).toHaveText(/^Published/);
  await expect(menuButton(page, name)).toBeFocused();
  await expect(page.getByRole('main').getByText('Free trial active').first()).toBeVisible();
});

test.describe('a publish that fails', () => {
  test.use({ expectedProblems: /status of 403/ });

  // spec: §6 server refuses
  test('for lack of permission says so to a viewer', async ({ page }) => {
    const name = 'Alcachofas en conserva 250 g';
    await openVariant(page, name, VIEWER);
    await publish(page, name);
    await expect(page.getByRole('listitem').getByText(/^Permission denied. Your role in this brand is Viewer/)).toBeVisible();
    await expect(publishedCell(page)).toHaveText('Unpublished');
    await page.getByRole('button', { name: 'Publish all to channels' }).click();
    await page.keyboard.press('Enter');
    await expect(toast(page, 'The variants could not be published')).toBeVisible();
    await expect(publishedCell(page)).toHaveText('Unpublished');
  });
});

test('the column is as wide as its longest state in both languages, so no state shifts the others', {
  tag: '@release',
}, async ({ page }) => {
  // Replaces the channel states in the answer, so that the list has all of them.
  const states = ['queued', 'sent', 'live', 'partly_live', 'refused', 'removing'];
  await page.route('**/api/v1/brands/*/variants/?*', async (route) => {
    const list = await (await route.fetch()).json();
    for (const [index, variant] of list.results.entries()) {
      const state = states[index % states.length];
      Object.assign(variant, { published: state !== 'removing', channel: { state, reason: 'Too small' } });
    }
    await route.fulfill({ json: list });
  });
  await openVariant(page, 'Jalapeños encurtidos 500 g');
  await page.goto(page.url().replace(/\?.*/, ''));
  const cells = page.getByRole('table').locator('tbody tr td:nth-child(5)');
  await expect(cells).toHaveCount(10);
  for (const [language, width] of [
    ['en', 1440],
    ['es', 1440],
    ['en', 1280],
    ['es', 1280],
    ['es', 1024],
    ['es', 768],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await applyLook(page, { mode: await readMode(page), language });
    // All cells have the same width, and none overflows.
    await expect.poll(() => cells.evaluateAll((all) => new Set(all.flatMap((cell) => [cell.clientWidth, cell.scrollWidth])).size)).toBe(1);
    // The whole table fits, with the menus at its right edge.
    const table = page.getByRole('table');
    expect(await table.evaluate((it) => it.scrollWidth - (it.parentElement?.clientWidth ?? 0))).toBe(0);
  }
  // Cards grow with what is in them, also where they are as wide as a narrow table.
  await page.setViewportSize({ width: 720, height: 800 });
  const roomBelow = (rows: Element[]) => {
    const bottom = (element: Element) => element.getBoundingClientRect().bottom;
    return Math.min(...rows.flatMap((row) => [...row.children].map((cell) => bottom(row) - bottom(cell))));
  };
  await expect.poll(() => page.locator('tbody tr').evaluateAll(roomBelow)).toBeGreaterThan(4);
  // On a phone a long state wraps: none is cut off. Inline elements have no client width.
  await page.setViewportSize({ width: 375, height: 812 });
  const cutOff = () =>
    cells
      .locator('span')
      .evaluateAll((all) =>
        all.filter(({ clientWidth, scrollWidth }) => clientWidth > 0 && scrollWidth > clientWidth).map(({ textContent }) => textContent),
      );
  await expect.poll(cutOff).toEqual([]);
  await page.setViewportSize({ width: 768, height: 800 });
  await page.getByRole('table').locator('tbody tr').nth(5).getByRole('button').last().click();
  await page.getByRole('menuitem', { name: 'Publicar', exact: true }).click();
  await expect(page.getByRole('dialog', { name: 'Publicar en canales de distribución' })).toBeInViewport({ ratio: 1 });
  // The page polls the list, so a request may be running when the test ends.
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});
