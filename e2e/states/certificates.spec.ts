import { expectAccessible } from '../support/axe.ts';
import { holdRequests } from '../support/held-requests.ts';
import { expectColumnsApart, expectToFitEveryWidth } from '../support/looks.ts';
import { expect, openBrand, refuse, test } from '../support/states.ts';

const LIST = '**/api/v1/brands/*/certifications/';

const STATUSES = [
  { overall_status: 'validated', reason: 'listed:2999-01-31' },
  { overall_status: 'invalid', reason: 'expired:2024-03-31' },
  { overall_status: 'pending', reason: 'no_registry' },
  { overall_status: 'invalid', reason: 'pattern' },
  { overall_status: 'pending', reason: '' },
  { overall_status: 'invalid', reason: `rejected:${'The certificate names another company. '.repeat(4)}` },
];

test('the certificates', async ({ page }) => {
  await page.route(LIST, async (route) => {
    const list = await (await route.fetch()).json();
    for (const [index, certificate] of list.entries()) Object.assign(certificate, STATUSES[index % STATUSES.length]);
    await route.fulfill({ json: list });
  });
  await openBrand(page, 'Fjord & Forest');
  await page.getByRole('link', { name: 'Certificates', exact: true }).click();
  const status = (row: number) => page.getByRole('row').nth(row).getByRole('cell').last().locator('[tabindex="0"]');
  await expect(status(2)).toHaveText('Invalid');
  await expectAccessible(page, 'the certificates');
  await expectToFitEveryWidth(page, 'the certificates');
  const size = page.viewportSize();
  for (const width of [768, 1024]) {
    await page.setViewportSize({ width, height: 800 });
    await expectColumnsApart(page);
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
  await page.route(`${LIST}*/`, refuse);
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByRole('dialog').getByRole('alert')).toBeVisible();
  await expectAccessible(page, 'a certificate that could not be removed');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('searchbox').fill('no such thing');
  await expect(page.getByRole('button', { name: 'Clear search' })).toBeVisible();
  await expectAccessible(page, 'a search that found nothing');
  await page.unroute(LIST);

  const letGo = await holdRequests(page, LIST, (route) => route.fulfill({ json: [] }));
  await page.reload();
  await expect(page.getByRole('table')).toHaveAttribute('aria-busy', 'true');
  await expectAccessible(page, 'certificates that are on their way');
  await letGo();
  await expect(page.getByRole('heading', { name: 'No certificates yet' })).toBeVisible();
  await expectAccessible(page, 'no certificates');
  await page.route(LIST, refuse);
  await page.reload();
  await expect(page.getByRole('alert')).toBeVisible();
  await expectAccessible(page, 'certificates that could not be loaded');
});
