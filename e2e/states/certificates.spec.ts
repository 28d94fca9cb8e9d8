import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/axe.ts';
import { holdRequests } from '../support/held-requests.ts';
import { expectColumnsApart, expectToFitEveryWidth } from '../support/looks.ts';
import { changeAnswers, expect, openBrand, refuse, test } from '../support/states.ts';

const LIST = '**/api/v1/brands/*/certifications/?*';
const ONE = /\/brands\/\d+\/certifications\/\d+\/$/;

const COVERAGE = '**/api/v1/brands/*/certificates/coverage/';

const STATUSES = [
  { overall_status: 'validated', reason: 'listed:2999-01-31', expires_on: '2999-01-31' },
  { overall_status: 'invalid', reason: 'expired:2024-03-31', expires_on: '2024-03-31' },
  { overall_status: 'pending', reason: 'no_registry:2026-10-01' },
  { overall_status: 'invalid', reason: 'pattern' },
  { overall_status: 'pending', reason: '' },
  { overall_status: 'invalid', reason: `rejected:${'The certificate names another company. '.repeat(4)}` },
];

/** Checks the panel of the first certificate in each state, and the dialog for renewal. */
async function openPanels(page: Page): Promise<void> {
  const open = () => page.getByRole('row').nth(1).press('Enter');
  const history = page.getByRole('dialog').getByRole('region', { name: 'History' });
  for (const [state, change] of [
    ['a certificate that ends', { ...STATUSES[0], expires_on: '2030-03-03', variants: 1_214, live_variants: 12 }],
    ['a certificate that has ended, near to another one', { ...STATUSES[1], variants: 3, near_miss: 'FSC-C012345' }],
  ] as const) {
    await page.route(ONE, async (route) => {
      await route.fulfill({ json: { ...(await (await route.fetch()).json()), ...change } });
    });
    await open();
    await expect(history).toBeVisible();
    await expectAccessible(page, state);
    await expectToFitEveryWidth(page, state);
    await page.unroute(ONE);
    if (state === 'a certificate that ends') {
      await page.getByRole('button', { name: 'Replace' }).click();
      await expectAccessible(page, 'the renewal of a certificate');
      await page.route(/\/replace\/$/, refuse);
      await page.getByRole('button', { name: 'Replace for all' }).click();
      await expect(page.getByRole('alert')).toBeVisible();
      await expectAccessible(page, 'a renewal that was refused');
      const context = { status: 'invalid', reason: 'not_listed' };
      const doubted = { code: 'certificate_not_valid', detail: 'no', context, request_id: 'x' };
      await page.route(/\/replace\/$/, (route) => route.fulfill({ status: 409, json: doubted }));
      await page.getByRole('button', { name: 'Replace for all' }).click();
      await expect(page.getByRole('button', { name: 'Replace anyway' })).toBeVisible();
      await expectAccessible(page, 'a renewal that is not valid');
      await page.keyboard.press('Escape');
    }
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
  }
  await page.route(ONE, refuse);
  await open();
  await expect(page.getByRole('dialog').getByRole('alert')).toBeVisible();
  await expectAccessible(page, 'a certificate that could not be loaded');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.unroute(ONE);
}

test('the certificates', async ({ page }) => {
  await changeAnswers<{ results: object[] }>(page, LIST, ({ results }) => {
    for (const [index, certificate] of results.entries())
      Object.assign(certificate, STATUSES[index % STATUSES.length], { variants: 1_214, live_variants: 12 });
  });
  await openBrand(page, 'Fjord & Forest');
  await page.getByRole('link', { name: 'Certificates', exact: true }).click();
  const status = (row: number) => page.getByRole('row').nth(row).getByRole('cell').last().locator('span[tabindex]');
  await expect(status(2)).toHaveText('Invalid');
  await expectAccessible(page, 'the certificates');
  await expectToFitEveryWidth(page, 'the certificates');
  const size = page.viewportSize();
  for (const width of [768, 1024]) {
    await page.setViewportSize({ width, height: 800 });
    await expectColumnsApart(page);
    const cutOff = page.getByRole('table').evaluate((table) => {
      const room = table.closest('section')?.getBoundingClientRect().right ?? 0;
      return table.getBoundingClientRect().right - room;
    });
    expect(await cutOff, `what is cut off the table, ${width} px wide`).toBeLessThanOrEqual(1);
  }
  if (size) await page.setViewportSize(size);
  for (const [row, reason] of [
    [2, 'the reason of a status'],
    [4, 'an id of another form'],
    [6, 'a long note'],
  ] as const) {
    await status(row).focus();
    await expect(page.getByRole('tooltip')).toBeVisible();
    await expectAccessible(page, reason);
  }
  await page.getByRole('row').nth(2).getByRole('button').click();
  await expectAccessible(page, 'the menu of a certificate');
  await page.getByRole('menuitem', { name: 'Remove certificate' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessible(page, 'the question before a certificate is removed');
  await page.route(ONE, refuse);
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByRole('dialog').getByRole('alert')).toBeVisible();
  await expectAccessible(page, 'a certificate that could not be removed');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.unroute(ONE);
  await openPanels(page);
  await page.getByRole('searchbox').fill('no such thing');
  await expect(page.getByRole('button', { name: 'Clear search' })).toBeVisible();
  await expectAccessible(page, 'a search that found nothing');
  await page.getByRole('button', { name: 'Clear search' }).click();
  await expect(status(2)).toBeVisible();
  await page.unroute(LIST);
  const coverage = page.getByRole('region', { name: 'Coverage' });
  const letCoverageGo = await holdRequests(page, COVERAGE);
  await coverage.getByRole('button', { name: 'Show coverage' }).click();
  await expectAccessible(page, 'coverage that is being counted');
  await letCoverageGo();
  await expect(coverage.getByRole('listitem').first()).toBeVisible();
  await expectAccessible(page, 'coverage');
  await expectToFitEveryWidth(page, 'coverage');
  await page.route(COVERAGE, refuse);
  await page.reload();
  await coverage.getByRole('button', { name: 'Show coverage' }).click();
  await expect(coverage.getByRole('alert')).toBeVisible();
  await expectAccessible(page, 'coverage that could not be counted');

  const release = await holdRequests(page, LIST, (route) => route.fulfill({ json: { results: [], count: 0 } }));
  await page.reload();
  await expect(page.getByRole('table')).toHaveAttribute('aria-busy', 'true');
  await expectAccessible(page, 'certificates that are on their way');
  await release();
  await expect(page.getByRole('heading', { name: 'No certificates yet' })).toBeVisible();
  await expectAccessible(page, 'no certificates');
  await page.route(LIST, refuse);
  await page.reload();
  await expect(page.getByRole('alert')).toBeVisible();
  await expectAccessible(page, 'certificates that could not be loaded');
});

const REVIEWS = '**/api/v1/platform/reviews/';
const WAITING = Array.from({ length: 12 }, (_, index) => ({
  brand_id: 1,
  brand_name: index % 2 ? 'Fjord & Forest' : 'A brand whose name goes on and on and on and on',
  id: index + 1,
  certificate_id: `CU-${'2026-'.repeat((index % 4) * 3)}${index}`,
  certification_name: 'GOTS',
  certifying_body_name: 'Global Standard gGmbH',
  since: '2026-10-01',
  variants: index * 1_000,
}));

test('the reviews of platform staff', async ({ page }) => {
  await openBrand(page, 'Fjord & Forest');
  const release = await holdRequests(page, REVIEWS, (route) => route.fulfill({ json: { results: WAITING, count: 2_345 } }));
  await page.goto('/platform/reviews');
  await expect(page.getByRole('heading', { level: 1, name: 'Reviews' })).toBeVisible();
  await expectAccessible(page, 'reviews that are on their way');
  await release();
  await page.route(REVIEWS, (route) =>
    route.request().method() === 'GET' ? route.fulfill({ json: { results: WAITING, count: 2_345 } }) : refuse(route),
  );
  await expect(page.getByText('2,345 certificates wait.')).toBeVisible();
  await page.getByRole('checkbox').nth(1).click();
  await expectAccessible(page, 'reviews');
  await expectToFitEveryWidth(page, 'reviews');
  await page.getByRole('button', { name: 'Approve', exact: true }).first().click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByText('Please give a reason.')).toBeVisible();
  await expectAccessible(page, 'a review without a reason');
  await page.getByRole('textbox', { name: 'Reason' }).fill('Seen on paper');
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByRole('dialog').getByRole('alert')).toBeVisible();
  await expectAccessible(page, 'a review that failed');
  await page.unroute(REVIEWS);
  await page.route(REVIEWS, (route) => route.fulfill({ json: { results: [], count: 0 } }));
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Nothing waits' })).toBeVisible();
  await expectAccessible(page, 'no reviews');
});
