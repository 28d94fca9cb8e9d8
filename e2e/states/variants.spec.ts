import { expectAccessible } from '../support/axe.ts';
import { holdRequests } from '../support/held-requests.ts';
import { expectToFitEveryWidth } from '../support/looks.ts';
import { expect, openBrand, refuse, test, VARIANTS } from '../support/states.ts';

test('the variants', async ({ page }) => {
  await openBrand(page, 'Fjord & Forest');
  await expectAccessible(page, 'the variants');
  await expectToFitEveryWidth(page, 'the variants');

  const row = (number: number) => page.getByRole('row').nth(number);
  for (const [number, text, state] of [
    [1, 'It is being removed', 'the tooltip of what is being removed'],
    [2, 'Google refused it', 'the tooltip of what was refused'],
    [5, 'All data will be live on Google on Jan. 1, 2026', 'the tooltip of what is live'],
  ] as const) {
    await row(number).getByRole('cell').nth(3).locator('[tabindex]').focus();
    await expect(page.getByRole('tooltip')).toContainText(text);
    await expectAccessible(page, state);
  }
  await page.getByRole('list', { name: 'Certifications' }).locator('[tabindex]').first().focus();
  await expect(page.getByRole('tooltip')).toContainText('Certifying body');
  await expectAccessible(page, 'the tooltip of a certificate');
  await row(2).getByRole('button').last().click();
  await expect(page.getByRole('menuitem')).toBeVisible();
  await expectAccessible(page, 'the menu of a row');
  await page.keyboard.press('Escape');
  await page.getByRole('combobox', { name: 'Filter' }).click();
  await expect(page.getByRole('listbox')).toBeVisible();
  await expectAccessible(page, 'the filter');
  await page.keyboard.press('Escape');
  await page.getByRole('combobox', { name: 'Per page:' }).click();
  await expect(page.getByRole('listbox')).toBeVisible();
  await expectAccessible(page, 'the sizes of a page');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Product Variant', exact: true }).click();
  await expect(page).toHaveURL(/ordering=name/);
  await expect(page.getByRole('columnheader', { name: 'Product Variant' })).toHaveAttribute('aria-sort', 'ascending');
  await expectAccessible(page, 'sorted by name');
});

/** All that can be long or many at once. */
const LARGEST = {
  gtin: '04099887000013',
  name: 'Getrocknete Kräutermischung „Alpenwiese“ aus kontrolliert biologischem Anbau, lose, Großpackung 1.000 g',
  published: true,
  created_at: '2026-01-01T00:00:00Z',
  channel: { state: 'refused', reason: '' },
  certifications: ['validated', 'pending', 'invalid', 'validated'].map((status, index) => ({
    certification_name: ['Non-GMO Project Verified', 'Rainforest Alliance Certified', 'Fairtrade', 'EU Organic'][index],
    certifying_body_name: 'International Federation of Organic Agriculture Movements',
    status,
    reason: ['listed', '', 'not_listed', 'approved:Seen by phone'][index],
    external_certificate_id: `CERT-2026-000${index}`,
  })),
};

test('many variants, and none', async ({ page }) => {
  await openBrand(page, 'Fjord & Forest');
  const list = page.url();
  // The page may just be asking again.
  await page.unrouteAll({ behavior: 'wait' });
  await page.route(VARIANTS, (route) => {
    const size = Number(new URL(route.request().url()).searchParams.get('page_size'));
    const results = Array.from({ length: size }, (_variant, index) => ({ ...LARGEST, id: index + 1 }));
    return route.fulfill({ json: { count: 1_234_567, results } });
  });
  await page.goto(`${list}?page=6173&page_size=20`);
  await expect(page.getByRole('row')).toHaveCount(21);
  await expectAccessible(page, 'page 6173 of 61729');
  await page.getByRole('button', { name: '2 more certifications' }).first().focus();
  await expect(page.getByRole('tooltip')).toContainText('Seen by phone');
  await expectAccessible(page, 'the tooltip of what was folded');
  await page.unroute(VARIANTS);

  for (const [state, query] of [
    ['a search that found nothing', '?search=no+such+thing'],
    ['a search with a filter that found nothing', '?search=no+such+thing&filter=without_certifications'],
  ]) {
    await page.goto(list + query);
    await expect(page.getByRole('table').getByText('No data available')).toBeVisible();
    await expectAccessible(page, state ?? '');
  }
  const letGo = await holdRequests(page, VARIANTS, (route) => route.fulfill({ json: { count: 0, results: [] } }));
  await page.goto(list);
  await expect(page.getByRole('table')).toHaveAttribute('aria-busy', 'true');
  await expectAccessible(page, 'variants that are on their way');
  await letGo();
  await expect(page.getByRole('heading', { name: 'No products yet' })).toBeVisible();
  await expectAccessible(page, 'no variants');
  await page.route(VARIANTS, refuse);
  await page.reload();
  await expect(page.getByRole('alert')).toBeVisible();
  await expectAccessible(page, 'variants that could not be loaded');
  await page.unroute(VARIANTS);
  await page.route('**/assets/upload-dialog*.js', (route) => route.abort());
  await page.reload();
  await page.getByRole('button', { name: 'Add Product Variant' }).click();
  await expect(page.getByText('The upload could not be opened', { exact: true })).toBeVisible();
  await expectAccessible(page, 'an upload that could not be opened');
});
