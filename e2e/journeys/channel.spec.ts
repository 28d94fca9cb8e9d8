import { readFile } from 'node:fs/promises';
import { toGtin13 } from '../../scripts/gtin.ts';
import { gtin } from '../support/csv-files.ts';
import { expect, test } from '../support/own-brand.ts';
import { connectBrand, portal, setSwitches } from '../support/portal.ts';
import { databaseUrl, withConnection } from '../support/probe.ts';

const NOTICE = 'Published variants wait: this brand is not connected to Google.';
const CHANNEL_ANSWERS = { timeout: 25_000 };

test('variants published before the brand is connected go live after it is connected', { tag: '@release' }, async ({
  page,
  server,
  brand,
}) => {
  await brand.upload(`variant_name,gtin\nMenta,${gtin(71)}\n`);
  await page.goto(`/brands/${brand.id}/product-variants`);
  await expect(page.getByText(NOTICE)).toBeVisible();
  await page.getByRole('button', { name: 'Actions for Menta' }).click();
  await page.getByRole('menuitem', { name: 'Publish', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Start Free Trial' }).click();
  const published = page.getByRole('row', { name: /Menta/ }).getByRole('cell').nth(4);
  await expect(published).toHaveText('Published Waiting');
  await published.locator('[tabindex]').focus();
  await expect(page.getByRole('tooltip')).toContainText('waiting until this brand is connected to Google');

  await page.getByRole('link', { name: 'See the settings' }).click();
  await expect(page.getByText('Not connected', { exact: true })).toBeVisible();
  await connectBrand(server, brand);
  await page.reload();
  await expect(page.getByText('Connected', { exact: true })).toBeVisible();
  await expect(page.getByRole('definition').filter({ hasText: 'Germany' })).toHaveText('Germany and Austria');
  await page.getByRole('link', { name: 'Product Variants & Publishing' }).click();
  await expect(published).toHaveText('Published Live', CHANNEL_ANSWERS);
  await expect(page.getByText(NOTICE)).toBeHidden();
});

test('blocked variants are listed before publishing; a refusal is grouped by its reason, fixed by an import and goes live', async ({
  page,
  server,
  brand,
}) => {
  const header = 'variant_name,gtin,image_link';
  await brand.upload(`${header}\nMenta,${gtin(73)},\nSalvia,${gtin(75)},\nTilo,${gtin(74)},\n`);
  // A restricted prefix, which imports refuse today but accepted earlier.
  await withConnection(databaseUrl(server.dataDir), (client) =>
    client.query(`update variants set gtin = $2, gtin14 = lpad($2, 14, '0') where brand_id = $1 and name = 'Salvia'`, [
      brand.id,
      toGtin13('200000000071'),
    ]),
  );
  await connectBrand(server, brand);
  const issue = { type: 'IMAGE_MISSING', title: 'Image needed', description: 'Teas need an image.' };
  await setSwitches(server, { refusals: [{ gtin: gtin(74), ...issue }] });
  await page.goto(`/brands/${brand.id}/product-variants`);
  await page.getByRole('button', { name: 'Publish all to channels' }).click();
  await expect(page.getByRole('dialog')).toContainText('1 of them is blocked by Google’s rules');
  await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Start Free Trial' }).click();
  const state = (name: string) => page.getByRole('row', { name: new RegExp(name) });
  await expect(state('Menta')).toContainText('Live', CHANNEL_ANSWERS);
  await expect(state('Salvia')).toContainText('Refused', CHANNEL_ANSWERS);
  await expect(state('Tilo')).toContainText('Refused', CHANNEL_ANSWERS);

  await page.getByRole('link', { name: 'Needs attention' }).click();
  const reason = page.getByRole('listitem').filter({ hasText: 'Image needed' });
  await expect(reason).toContainText('Teas need an image.');
  const download = page.waitForEvent('download');
  await reason.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: 'CSV' }).click();
  const file = await readFile(await (await download).path(), 'utf8');
  expect(file).toContain('Tilo');
  expect(file).not.toContain('Menta');
  await reason.getByRole('link', { name: 'Show them' }).click();
  await expect(page.getByRole('row', { name: /Menta/ })).toBeHidden();
  await expect(state('Tilo')).toBeVisible();

  await setSwitches(server, { refusals: [] });
  await brand.upload(`${header}\nTilo,${gtin(74)},https://example.com/tilo.jpg\n`);
  await page.goto(`/brands/${brand.id}/product-variants`);
  await expect(state('Tilo')).toContainText('Live', CHANNEL_ANSWERS);
  await page.getByRole('link', { name: 'Needs attention' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'Restricted GTIN' }).first()).toBeVisible();
  await expect(reason).toBeHidden();
});

test('a feed is created, fetched without a session, and no longer works once it is revoked', {
  tag: '@release',
}, async ({ page, server, brand, request }) => {
  const name = ['--brand', brand.id, '--certification', 'FSC', '--id', 'FSC-C100200', '--reason', 'Seen'];
  await brand.upload(`variant_name,gtin,certificate_id,certification_name,publishing_channel\nMenta,${gtin(72)},FSC-C100200,FSC,\n`);
  await portal(server, 'certificates', 'approve', ...name);
  await page.goto(`/brands/${brand.id}/settings`);
  await page.getByRole('button', { name: 'Create feed address' }).click();
  const address = await page.getByRole('textbox', { name: 'Address (TSV)' }).inputValue();
  const answer = await request.get(address);
  expect(answer.status()).toBe(200);
  expect(await answer.text()).toBe('id\tcertification(certification_authority:certification_name:certification_code)\n');
  const { etag = '' } = answer.headers();
  expect((await request.get(address, { headers: { 'if-none-match': etag } })).status()).toBe(304);
  expect(server.log).not.toContain(new URL(address).pathname);
  await page.reload();
  await expect(page.getByText(/Last fetched on/)).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Address (TSV)' })).toBeHidden();
  await page.getByRole('button', { name: 'Revoke', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
  await expect(page.getByText('Feed revoked', { exact: true })).toBeVisible();
  expect((await request.get(address)).status()).toBe(404);
});
