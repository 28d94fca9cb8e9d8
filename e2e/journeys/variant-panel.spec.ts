import type { Page } from '@playwright/test';
import { expect, test } from '../support/own-brand.ts';
import { readStoredSession } from '../support/sign-in.ts';

test.use({ expectedProblems: /status of (400|409)/ });

const CSV = [
  'variant_name,gtin,category,certificate_id,certification_name',
  'Sage tea,4006381333931,Tea,FSC-C104882,FSC',
  'Mint tea,4012345678901,Tea,,',
  'Thyme tea,5901234123457,Tea,,',
].join('\n');

const panel = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const field = (page: Page, name: string) => page.getByRole('dialog').getByRole('textbox', { name, exact: true });

/** Changes a variant through the API, like another user. */
async function changeElsewhere(page: Page, brandId: string, variantId: string, change: object): Promise<void> {
  const authorization = `Bearer ${(await readStoredSession(page))?.accessToken}`;
  const answer = await page.request.patch(`/api/v1/brands/${brandId}/variants/${variantId}/`, {
    headers: { authorization },
    data: change,
  });
  expect(answer.status()).toBe(200);
}

for (const width of [1440, 375]) {
  const tag = width === 1440 ? [] : '@release';
  test(`a variant is opened, edited and added by hand at ${width} px`, { tag }, async ({ page, brand }) => {
    await page.setViewportSize({ width, height: 900 });
    await brand.upload(CSV);
    await page.goto(`/brands/${brand.id}/product-variants?ordering=name`);
    const row = (name: string) => page.getByRole('row', { name });

    // Search by certificate; Enter opens the panel.
    await page.getByRole('searchbox').fill('fsc-c1048');
    await expect(page.locator('tbody').getByRole('row')).toHaveCount(1);
    await page.getByRole('searchbox').fill('');
    await expect(page.locator('tbody').getByRole('row')).toHaveCount(3);
    await row('Mint tea').focus();
    await page.keyboard.press('Enter');
    await expect(panel(page, 'Mint tea').getByText('4012345678901')).toBeVisible();
    await expect(page).toHaveURL(/product-variants\/\d+\?ordering=name$/);
    const address = page.url();
    const variantId = /(\d+)\?/.exec(address)?.[1] ?? '';

    // Keys move to the next and previous variant.
    await page.keyboard.press('j');
    await expect(panel(page, 'Sage tea').getByText('FSC-C104882')).toBeVisible();
    await page.keyboard.press('Alt+ArrowUp');
    await expect(panel(page, 'Mint tea')).toBeVisible();

    // A concurrent edit by another user.
    await press(page, 'Edit');
    await field(page, 'Name').fill('Peppermint tea');
    await changeElsewhere(page, brand.id, variantId, { version: 1, name: 'Spearmint tea', category: 'Herbs' });
    await press(page, 'Save');
    await expect(page.getByText('Somebody else has changed this variant meanwhile.')).toBeVisible();
    await expect(field(page, 'Category')).toHaveValue('Herbs');
    await expect(page.getByRole('radio', { name: 'Theirs: Spearmint tea' })).toBeVisible();
    await field(page, 'Image link').fill('nowhere');
    await press(page, 'Save');
    await expect(field(page, 'Image link')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(panel(page, 'Discard your changes?')).toBeVisible();
    await press(page, 'Keep editing');
    await field(page, 'Image link').fill('https://hierba.example.com/mint.jpg');
    await press(page, 'Save');
    await expect(panel(page, 'Peppermint tea').getByRole('region', { name: 'History' })).toContainText('Mint tea →to Spearmint tea');

    // Escape closes the panel and returns the focus to the row.
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(row('Peppermint tea')).toBeFocused();

    // Adding by hand from the upload dialog. An existing GTIN links to its variant.
    await press(page, 'Add Product Variant');
    await press(page, 'Add one by hand');
    await field(page, 'GTIN').fill('4006381333931');
    await field(page, 'Name').fill('Rosemary tea');
    await press(page, 'Add variant');
    await expect(page.getByRole('link', { name: 'Sage tea', exact: true })).toBeVisible();
    await field(page, 'GTIN').fill('9780201379624');
    await press(page, 'Add variant');
    await expect(panel(page, 'Rosemary tea')).toBeVisible();
    await page.goBack();
    await expect(row('Rosemary tea')).toBeVisible();

    // The panel has a URL, which works even if the list does not contain the variant.
    await page.goto(address.replace('ordering=name', 'search=rosemary'));
    await expect(panel(page, 'Peppermint tea')).toBeVisible();

    // Delete and restore.
    await press(page, 'Delete');
    await panel(page, 'Delete “Peppermint tea”?').getByRole('button', { name: 'Delete', exact: true }).click();
    await press(page, 'Undo');
    await expect(page.getByText('1 variant restored', { exact: true })).toBeVisible();
    await page.goto(address);
    await expect(panel(page, 'Peppermint tea')).toBeVisible();
  });
}

test('a long name makes no huge toast, and the whole text is shown on hover', { tag: '@release' }, async ({ page, brand }) => {
  await brand.upload(CSV);
  await page.goto(`/brands/${brand.id}/product-variants`);
  await page.getByRole('row', { name: 'Mint tea' }).click();
  await press(page, 'Edit');
  await field(page, 'Name').fill('Peppermint '.repeat(18).trim());
  // The pointer would be on the toast.
  await page.mouse.move(0, 0);
  await page.keyboard.press('Enter');
  const title = page.getByRole('listitem').getByText(/^“Peppermint .* was saved$/);
  const isTruncated = () => title.evaluate((element) => element.scrollHeight > element.clientHeight + 1);
  await expect.poll(isTruncated).toBe(true);
  await title.hover();
  await expect.poll(isTruncated).toBe(false);
});
