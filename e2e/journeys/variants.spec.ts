import type { Locator, Page } from '@playwright/test';
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

test('a search is undone by Back, which returns to the page where it started', async ({ page }) => {
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

test('a copied GTIN is digits only, however it was selected', { tag: '@release' }, async ({ page, context }) => {
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

test.describe('on a phone', { tag: '@release' }, () => {
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

test('at every width the word Published is shown with its state, and from 768 px on no column overlaps another', {
  tag: '@release',
}, async ({ page }) => {
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
      const words = page.locator('tbody td:nth-child(5)').getByText(/^(Published|Unpublished|Publicada|Sin publicar)\s*$/);
      const widths = await words.evaluateAll((all) => all.map((word) => word.getBoundingClientRect().width));
      expect(widths, `${width} px in ${language}`).toHaveLength(5);
      // Text for screen readers only is one pixel wide.
      expect(Math.min(...widths), `${width} px in ${language}`).toBeGreaterThan(30);
      if (width >= 768) await expectColumnsApart(page);
    }
  }
});
