import { NO_FIELDS } from '@brand-portal/contract/variant-fields';
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
    // By column, not by role: on a phone the certifications before it are hidden.
    await row(number).locator('td').nth(4).locator('[tabindex]').focus();
    await expect(page.getByRole('tooltip')).toContainText(text);
    await expectAccessible(page, state);
  }
  // On a phone, certifications are in the panel and filters in a sheet.
  if ((page.viewportSize()?.width ?? 0) < 768) return;
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

  await page.getByRole('checkbox').nth(1).click();
  await page
    .getByRole('checkbox')
    .nth(3)
    .click({ modifiers: ['Shift'] });
  await expect(page.getByRole('region', { name: 'Selected variants' })).toContainText('3 selected');
  await expectAccessible(page, 'some variants selected');
  await expectToFitEveryWidth(page, 'some variants selected');
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByRole('dialog')).toContainText('what Google has is withdrawn');
  await expectAccessible(page, 'the question before variants are deleted');
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 375, height: 800 });
  await page.getByRole('button', { name: 'Filters' }).click();
  await expect(page.getByRole('dialog')).toContainText('Certificate problems');
  await expectAccessible(page, 'the filters of a phone');
});

/** A variant with every detail that a panel can show. */
const EVERYTHING = {
  countries: [
    { country: 'DE', status: 'approved' },
    { country: 'AT', status: 'disapproved' },
    { country: 'CH', status: 'pending' },
  ],
  issues: (['error', 'warning', 'info'] as const).map((severity) => ({
    type: severity,
    severity,
    title: `Image too small (${severity})`,
    description: 'Use a larger one.',
    attribute: 'image_link',
    resolution: 'merchant_action',
    countries: ['AT'],
    since: '2026-01-02T00:00:00Z',
  })),
  readiness: ['restricted_gtin', 'no_image'],
  certificates: (['validated', 'pending', 'invalid'] as const).map((status, index) => ({
    ...{
      id: index + 1,
      certification_name: 'Rainforest Alliance',
      certifying_body_name: 'Rainforest Alliance',
      status,
    },
    ...{
      reason: ['approved:Seen', '', 'not_listed'][index],
      external_certificate_id: 'RA-1',
      expires_on: '2027-01-31',
    },
  })),
  timeline: [
    { kind: 'judged', at: '2026-01-03T00:00:00Z', by: null, import: null, changes: [], detail: 'refused' },
    {
      kind: 'imported',
      at: '2026-01-02T00:00:00Z',
      by: 'Ana Ruiz',
      import: { id: 1, file_name: 'spring.csv' },
      changes: [{ field: 'name', from: 'Socks', to: 'Wool socks' }],
      detail: '',
    },
  ],
};

test('one variant', async ({ page }) => {
  const DETAIL = /\/variants\/\d+\/$/;
  await openBrand(page, 'Fjord & Forest');
  const list = page.url();
  await page.route(DETAIL, async (route) => {
    if (route.request().method() === 'PATCH')
      return route.fulfill({
        status: 409,
        json: {
          code: 'variant_changed',
          detail: 'x',
          request_id: 'x',
          context: {
            ...NO_FIELDS,
            name: 'Theirs',
            version: '9',
          },
        },
      });
    return route.fulfill({ json: { ...(await (await route.fetch()).json()), ...EVERYTHING } });
  });
  // `data-row`, because placeholder rows are shown first.
  await page.locator('tr[data-row]').nth(1).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'History' })).toBeVisible();
  await expectAccessible(page, 'the panel of a variant');
  await expectToFitEveryWidth(page, 'the panel of a variant');
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await expectAccessible(page, 'a variant that is edited');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Mine');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('radio', { name: 'Theirs: Theirs' })).toBeVisible();
  await expectAccessible(page, 'a variant that somebody else has changed');
  await expectToFitEveryWidth(page, 'a variant that somebody else has changed');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await page.goto(`${list}/new`);
  await page.getByRole('button', { name: 'Add variant' }).click();
  await expect(page.getByRole('textbox', { name: 'GTIN' })).toHaveAttribute('aria-invalid', 'true');
  await expectAccessible(page, 'a variant that cannot be added');
  await page.unrouteAll({ behavior: 'wait' });
  await page.goto(`${list}/999999999`);
  await expect(page.getByText('Product variant not found')).toBeVisible();
  await expectAccessible(page, 'no such variant');
  await page.route(DETAIL, refuse);
  await page.goto(`${list}/1`);
  await expect(page.getByText('The variant could not be loaded')).toBeVisible();
  await expectAccessible(page, 'a variant that could not be loaded');
});

/** The longest values and the largest numbers. */
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
  // A request of the polling page may still be running.
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
  const release = await holdRequests(page, VARIANTS, (route) => route.fulfill({ json: { count: 0, results: [] } }));
  await page.goto(list);
  await expect(page.getByRole('table')).toHaveAttribute('aria-busy', 'true');
  await expectAccessible(page, 'variants that are on their way');
  await release();
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
