import type { Locator, Page } from '@playwright/test';
import { holdRequests } from '../support/held-requests.ts';
import { expect, test } from '../support/journey.ts';
import { expectColumnsApart } from '../support/looks.ts';
import { EDITOR, openVariants, signIn } from '../support/sign-in.ts';

const LIST = '**/api/v1/brands/*/variants/**';

const table = (page: Page) => page.getByRole('table', { name: 'Product variants' });
const rows = (page: Page) => table(page).locator('tbody').getByRole('row');
/** The first cell is the checkbox. */
const cell = (row: Locator, column: number) => row.getByRole('cell').nth(column + 1);
const searchBox = (page: Page) => page.getByRole('searchbox', { name: 'Search product variants' });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const query = (page: Page) => new URL(page.url()).search;

/** Waits for the requested rows. Until then the table shows the previous rows and is busy. */
async function waitForRows(page: Page): Promise<void> {
  await expect(table(page)).toHaveAttribute('aria-busy', 'false');
}

/** In steps: the tooltip stays open while the pointer may be moving to it. */
async function movePointerAway(page: Page): Promise<void> {
  await expect(async () => {
    await page.mouse.move(0, 0, { steps: 5 });
    await expect(page.getByRole('tooltip')).toBeHidden({ timeout: 200 });
  }).toPass();
}

async function total(page: Page): Promise<number> {
  await waitForRows(page);
  const text = await page.getByText(/^Showing /).innerText();
  return Number(/of ([\d,]+) results/.exec(text)?.[1]?.replaceAll(',', ''));
}

async function choose(page: Page, box: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: box }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
  // The URL changes before the page does, and until then the table is not marked as busy.
  await expect(page.getByRole('combobox', { name: box })).toHaveText(option);
}

test('the page shows its description and that the trial is active', async ({ page }) => {
  await openVariants(page);
  await expect(page.getByText('See what is certified, and choose what goes live on your channels.')).toBeVisible();
  await expect(page.getByRole('main').getByText('Free trial active').first()).toBeVisible();
  await expect(page).toHaveTitle('Product Variants & Publishing · Fjord & Forest · Brand Portal');
  await waitForRows(page);
});

test('the table shows thousands of variants, ten at a time, newest first', async ({ page }) => {
  await openVariants(page);
  await expect(table(page).getByRole('columnheader')).toHaveText([
    'GTIN',
    'Product Variant',
    'Certifications',
    'Published',
    'Actions',
  ]);
  await expect(rows(page)).toHaveCount(10);
  expect(await total(page)).toBeGreaterThan(1_000);
  await expect(page.getByRole('combobox', { name: 'Per page:' })).toHaveText('10');
  for (const row of await rows(page).all()) await expect(cell(row, 0)).toHaveText(/^(\d{8}|\d{12,14})$/);
  await expect(table(page).getByRole('columnheader', { name: 'Product Variant' })).toHaveAttribute('aria-sort', 'none');
});

test.describe('searching', () => {
  test('sends one request after typing, starts at the first page, and survives a reload', async ({ page }) => {
    await openVariants(page, 'Fjord & Forest', '?page=3');
    await waitForRows(page);
    const all = await total(page);
    await page.keyboard.press('/');
    await expect(searchBox(page)).toBeFocused();
    await expect(searchBox(page)).toHaveAttribute('placeholder', 'Search by GTIN or product variant name...');
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/variants/?')) asked.push(new URL(request.url()).search);
    });
    await page.keyboard.type('merino', { delay: 30 });
    await expect.poll(() => query(page)).toBe('?search=merino');
    await expect(cell(rows(page).first(), 1)).toHaveText(/merino/i);
    const found = await total(page);
    expect(asked).toEqual(['?page=1&page_size=10&ordering=-created_at&search=merino']);
    expect(found).toBeGreaterThan(0);
    expect(found).toBeLessThan(all);
    for (const row of await rows(page).all()) await expect(cell(row, 1)).toHaveText(/merino/i);
    await expect(page.getByText(`Product variants found: ${found}`)).toBeAttached();
    await page.reload();
    await expect(searchBox(page)).toHaveValue('merino');
    expect(await total(page)).toBe(found);
    await searchBox(page).press('Escape');
    await expect(searchBox(page)).toHaveValue('');
    await expect.poll(() => query(page)).toBe('');
    await expect.poll(() => total(page)).toBe(all);
  });

  test('is undone by Back, which returns to the page where it started', async ({ page }) => {
    await signIn(page, EDITOR);
    await page.getByRole('link', { name: 'Manage Fjord & Forest', exact: true }).click();
    await press(page, 'Next page');
    await expect(page.getByText(/^Showing 11 to 20 of/)).toBeVisible();
    await searchBox(page).pressSequentially('meri', { delay: 30 });
    await expect.poll(() => query(page)).toBe('?search=meri');
    await searchBox(page).pressSequentially('no', { delay: 30 });
    await expect.poll(() => query(page)).toBe('?search=merino');
    await page.goBack();
    await expect(page.getByText(/^Showing 11 to 20 of/)).toBeVisible();
    expect(query(page)).toBe('?page=2');
    await expect(searchBox(page)).toHaveValue('');
    await page.goBack();
    await expect(page.getByText(/^Showing 1 to 10 of/)).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('heading', { level: 1, name: 'Brands' })).toBeVisible();
  });

  test('finds a GTIN', async ({ page }) => {
    await openVariants(page);
    await waitForRows(page);
    const row = rows(page).nth(3);
    const [gtin, name] = [await cell(row, 0).innerText(), await cell(row, 1).innerText()];
    await searchBox(page).fill(gtin);
    await expect(rows(page)).toHaveCount(1);
    await expect(cell(rows(page).first(), 1)).toHaveText(name);
  });

  test('without results says so, and offers to clear the search', async ({ page }) => {
    await openVariants(page);
    const all = await total(page);
    await searchBox(page).fill('no such thing');
    await expect(page.getByRole('table').getByText('No data available')).toBeVisible();
    await expect(page.getByText('“no such thing”')).toBeVisible();
    await expect(page.getByText('Product variants found: 0')).toBeAttached();
    await press(page, 'Clear search');
    await expect(searchBox(page)).toBeFocused();
    await expect.poll(() => total(page)).toBe(all);
  });
});

test('the filter shows each half of the variants, and can be shared as a link', async ({ page }) => {
  await openVariants(page);
  const all = await total(page);
  const counts: Record<string, number> = {};
  const halves = [
    { option: 'With certifications', address: 'with_certifications', column: 2, text: /Validated|Pending|Invalid/ },
    { option: 'Without certifications', address: 'without_certifications', column: 2, text: 'No certifications' },
    { option: 'Published only', address: 'published', column: 3, text: /^Published/ },
    { option: 'Unpublished only', address: 'unpublished', column: 3, text: /^Unpublished/ },
  ];
  for (const { option, address, column, text } of halves) {
    await choose(page, 'Filter', option);
    expect(query(page)).toBe(`?filter=${address}`);
    counts[address] = await total(page);
    for (const row of await rows(page).all()) await expect(cell(row, column)).toHaveText(text);
  }
  expect((counts.with_certifications ?? 0) + (counts.without_certifications ?? 0)).toBe(all);
  expect((counts.published ?? 0) + (counts.unpublished ?? 0)).toBe(all);
  await page.goBack();
  await expect(page.getByRole('combobox', { name: 'Filter' })).toHaveText('Published only');
  await choose(page, 'Filter', 'All variants');
  expect(query(page)).toBe('');
});

test('the name sorts up, down, and not at all', async ({ page }) => {
  await openVariants(page, 'Fjord & Forest', '?page=2');
  const header = table(page).getByRole('columnheader', { name: 'Product Variant' });
  const firstName = async () => {
    await waitForRows(page);
    return cell(rows(page).first(), 1).innerText();
  };
  await press(page, 'Product Variant');
  await expect(header).toHaveAttribute('aria-sort', 'ascending');
  await expect.poll(() => query(page)).toBe('?ordering=name');
  const lowest = await firstName();
  await press(page, 'Product Variant');
  await expect(header).toHaveAttribute('aria-sort', 'descending');
  await expect.poll(() => query(page)).toBe('?ordering=-name');
  expect(await firstName()).not.toBe(lowest);
  await press(page, 'Last page');
  await expect.poll(() => query(page)).toMatch(/^\?ordering=-name&page=\d+$/);
  await waitForRows(page);
  await expect(cell(rows(page).last(), 1)).toHaveText(lowest);
  await press(page, 'Product Variant');
  await expect(header).toHaveAttribute('aria-sort', 'none');
  await expect.poll(() => query(page)).toBe('');
});

test.describe('paging', () => {
  test('goes to the first and last page, adds history entries, and offers four page sizes', async ({ page }) => {
    await openVariants(page);
    const all = await total(page);
    const pages = Math.ceil(all / 10).toLocaleString('en');
    await press(page, 'Next page');
    await expect(page.getByText(/^Showing 11 to 20 of/)).toBeVisible();
    await press(page, 'Last page');
    await expect(page.getByText(`Page ${pages} of ${pages}`, { exact: true })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Next page' })).toBeDisabled();
    await page.goBack();
    await expect(page.getByText(`Page 2 of ${pages}`, { exact: true })).toBeVisible();
    await page.goBack();
    await expect(page.getByText(`Page 1 of ${pages}`, { exact: true })).toBeVisible();
    await page.goForward();
    await expect(page.getByText(`Page 2 of ${pages}`, { exact: true })).toBeVisible();
    await page.getByRole('combobox', { name: 'Per page:' }).click();
    await expect(page.getByRole('listbox').getByRole('option')).toHaveText(['10', '20', '50', '100']);
    await page.getByRole('option', { name: '50' }).click();
    await expect.poll(() => query(page)).toBe('?page_size=50');
    await waitForRows(page);
    await expect(rows(page)).toHaveCount(50);
    await expect(page.getByText(/^Showing 1 to 50 of/)).toBeVisible();
  });

  test('past the end shows the last page, and an invalid page number the first', async ({ page }) => {
    await openVariants(page, 'Fjord & Forest', '?page=99999&page_size=100');
    await expect.poll(() => query(page)).toMatch(/^\?page=\d{2}&page_size=100$/);
    await waitForRows(page);
    await expect(page.getByRole('button', { name: 'Last page' })).toBeDisabled();
    await page.goto(`${page.url().split('?')[0]}?page=-3&page_size=7&ordering=price&filter=some`);
    await expect(page.getByText(/^Showing 1 to 10 of/)).toBeVisible();
  });
});

// spec: §1 see certifications
test('certifications show body, certificate and status; long lists are collapsed', async ({ page }) => {
  await openVariants(page, 'Fjord & Forest', '?page_size=50&filter=with_certifications');
  await waitForRows(page);
  const list = page.getByRole('list', { name: 'Certifications' }).first();
  const badge = list.locator('[tabindex]').first();
  await expect(badge).toHaveText(/(Validated|Pending Review|Invalid)$/);
  const details = /Certifying body: .+Certificate: .+Status: (Validated|Pending Review|Invalid)/;
  await badge.hover();
  await expect(page.getByRole('tooltip')).toHaveText(details);
  await movePointerAway(page);
  await badge.focus();
  await expect(page.getByRole('tooltip')).toHaveText(details);

  const more = page.getByRole('button', { name: /^\d+ more certifications?$/ }).first();
  await more.scrollIntoViewIfNeeded();
  const count = Number(/\d+/.exec((await more.getAttribute('aria-label')) ?? '')?.[0]);
  await expect(more).toHaveText(`+${count}`);
  const folded = page.getByRole('tooltip').getByText(/^Certificate: /);
  await more.hover();
  await expect(folded).toHaveCount(count);
  await movePointerAway(page);
  await more.focus();
  await expect(folded).toHaveCount(count);
});

test('a published variant shows when it goes live; the row’s menu offers the opposite action', async ({ page }) => {
  await openVariants(page, 'Fjord & Forest', '?filter=published');
  await waitForRows(page);
  const row = rows(page).first();
  await cell(row, 3).locator('[tabindex]').hover();
  await expect(page.getByRole('tooltip')).toContainText('All data will be live on Google on Jan. 1, 2026');
  const name = await cell(row, 1).innerText();
  const menu = page.getByRole('button', { name: `Actions for ${name}`, exact: true });
  await menu.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Unpublish' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(menu).toBeFocused();
  await choose(page, 'Filter', 'Unpublished only');
  await waitForRows(page);
  await cell(rows(page).first(), 4).getByRole('button').click();
  await expect(page.getByRole('menuitem', { name: 'Publish', exact: true })).toBeVisible();
});

test('a copied GTIN is digits only, however it was selected', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openVariants(page);
  await waitForRows(page);
  const gtin = cell(rows(page).nth(1), 0);
  const digits = await gtin.innerText();
  expect(await gtin.getByText(digits).evaluate((element) => getComputedStyle(element).fontFamily)).toContain('Mono');
  for (const clickCount of [1, 2, 3]) {
    await page.evaluate(() => navigator.clipboard.writeText(''));
    await gtin.getByText(digits).click({ clickCount });
    await page.keyboard.press('ControlOrMeta+c');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(digits);
  }
});

test('a brand without a trial has no trial badge', async ({ page }) => {
  await openVariants(page, 'Northfield Organics');
  await waitForRows(page);
  await expect(page.getByText('Free trial active')).toBeHidden();
});

test('a brand without variants says so and offers to add the first', async ({ page }) => {
  await openVariants(page, 'Tiny');
  await expect(page.getByRole('heading', { name: 'No products yet' })).toBeVisible();
  await expect(table(page)).toBeHidden();
  await expect(page.getByRole('button', { name: 'Add your first product variant' })).toBeVisible();
});

test('previous rows stay, dimmed, while the next page loads', async ({ page }) => {
  await openVariants(page);
  await waitForRows(page);
  const first = await cell(rows(page).first(), 0).innerText();
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(LIST, async (route) => {
    await held;
    await route.continue();
  });
  await press(page, 'Next page');
  await expect(table(page)).toHaveAttribute('aria-busy', 'true');
  await expect(cell(rows(page).first(), 0)).toHaveText(first);
  await expect(table(page).locator('tbody')).toHaveCSS('opacity', '0.55');
  answer();
  await waitForRows(page);
  await expect(cell(rows(page).first(), 0)).not.toHaveText(first);
  await expect(table(page).locator('tbody')).toHaveCSS('opacity', '1');
});

test.describe('when the list cannot be loaded', () => {
  test.use({ expectedProblems: /status of 403|ERR_FAILED/ });

  test('placeholders are shown first, then the error, and a retry works', async ({ page }) => {
    await openVariants(page);
    await waitForRows(page);
    const letListCome = await holdRequests(page, LIST, (route) =>
      route.fulfill({ status: 403, json: { detail: 'no' } }),
    );
    await page.reload();
    await expect(table(page)).toHaveAttribute('aria-busy', 'true');
    await expect(rows(page)).toHaveCount(10);
    await letListCome();
    const alert = page.getByRole('alert');
    await expect(alert).toContainText('The product variants could not be loaded');
    await expect(alert).toContainText('Permission denied');
    await press(page, 'Try again');
    await waitForRows(page);
    await expect(rows(page)).toHaveCount(10);
  });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 375, height: 812 }, hasTouch: true });

  test('nothing overflows, the menu is reachable, and two taps show what hover shows elsewhere', async ({ page }) => {
    await openVariants(page, 'Fjord & Forest', '?filter=published');
    await waitForRows(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375);
    const card = rows(page).first();
    await card.scrollIntoViewIfNeeded();
    await expect(card.getByRole('button', { name: /^Actions for/ })).toBeInViewport();
    await card.locator('td:nth-child(5) [tabindex]').tap();
    await page
      .getByRole('dialog')
      .locator('[tabindex]', { hasText: /^Published/ })
      .tap();
    await expect(page.getByRole('tooltip')).toContainText('All data will be live on Google on Jan. 1, 2026');
    await openVariants(page, 'Fjord & Forest', '?search=Nordic+Swan');
    const name = rows(page).getByText('Nordic Swan Ecolabel').first();
    await expect(name).toBeVisible();
    expect(await name.evaluate((text) => text.scrollWidth - text.clientWidth), 'the whole name').toBe(0);
  });
});

test('at every width the word Published is shown with its state, and from 768 px on no column overlaps another', async ({
  page,
}) => {
  const certification = (name: string, status: string) => ({
    certification_name: name,
    certifying_body_name: name,
    status,
    external_certificate_id: name,
  });
  const certifications = [
    certification('Rainforest Alliance Certified', 'pending'),
    certification('Non-GMO Project Verified', 'validated'),
    ...['Fairtrade', 'GOTS', 'FSC'].map((name) => certification(name, 'invalid')),
  ];
  const results = ['queued', 'sent', 'live', 'refused', 'removing'].map((state, index) => ({
    id: index + 1,
    gtin: `0400638133393${index}`,
    name: 'Getrocknete Kräutermischung „Alpenwiese“ aus kontrolliert biologischem Anbau, Großpackung 1.000 g',
    published: state !== 'removing',
    created_at: '2026-01-01T00:00:00Z',
    channel: { state, reason: '' },
    certifications: certifications.slice(0, index),
  }));
  await page.route(LIST, (route) => route.fulfill({ json: { count: 5, results } }));
  await openVariants(page);
  await waitForRows(page);
  for (const language of ['en', 'es'] as const) {
    await page.evaluate((language) => localStorage.setItem('language', language), language);
    await page.reload();
    await expect(page.locator('tbody tr')).toHaveCount(5);
    for (const width of [375, 640, 720, 768, 900, 1023, 1024, 1200, 1280, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      const words = page
        .locator('tbody td:nth-child(5)')
        .getByText(/^(Published|Unpublished|Publicada|Sin publicar)\s*$/);
      const widths = await words.evaluateAll((all) => all.map((word) => word.getBoundingClientRect().width));
      expect(widths, `${width} px in ${language}`).toHaveLength(5);
      // Text for screen readers only is one pixel wide.
      expect(Math.min(...widths), `${width} px in ${language}`).toBeGreaterThan(30);
      if (width >= 768) await expectColumnsApart(page);
    }
  }
});

test('in Spanish, all texts are Spanish', async ({ page }) => {
  await openVariants(page);
  await page.evaluate(() => localStorage.setItem('language', 'es'));
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Variantes de producto y publicación');
  await expect(page.getByText(/^Mostrando 1–10 de [\d.]+ resultados$/)).toBeVisible();
  await expect(page.getByPlaceholder('Buscar por GTIN o nombre de la variante...')).toBeVisible();
  await expect(page.getByRole('columnheader', { name: 'Certificaciones' })).toBeVisible();
  await expect(page.getByRole('cell', { name: 'Sin certificaciones' }).first()).toBeVisible();
});
