import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, type OwnBrand, test } from '../support/own-brand.ts';
import { portal } from '../support/portal.ts';
import type { ServerProcess } from '../support/server.ts';

const table = (page: Page) => page.getByRole('table', { name: /^(Certificates|Certificados)$/ });
const row = (page: Page, id: string) => table(page).getByRole('row').filter({ hasText: id });
const badge = (page: Page, id: string) => row(page, id).getByRole('cell').last().locator('span[tabindex]');

const THREE = `variant_name,gtin,certificate_id,certification_name
Mint tea,4006381333931,GS-0001,Green Seal
Sage tea,5901234123457,GS-0002,Green Seal
Thyme tea,7501031311309,MS-0003,MADE SAFE
`;

async function openCertificates(page: Page, brand: OwnBrand): Promise<void> {
  await page.goto(`/brands/${brand.id}/certifications`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your Certificates');
}

async function loadRegistry(server: ServerProcess, content: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'brand-portal-registry-'));
  try {
    await writeFile(join(folder, 'registry.csv'), content);
    const file = join(folder, 'registry.csv');
    const said = await portal(server, 'certificates', 'registry', 'load', '--certification', 'Green Seal', '--file', file, '--apply');
    expect(said).toContain('1 brand is validated anew.');
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function expectReason(page: Page, id: string, reason: string | RegExp): Promise<void> {
  await badge(page, id).focus();
  await expect(page.getByRole('tooltip')).toHaveText(reason);
  await badge(page, id).blur();
  await expect(page.getByRole('tooltip')).toBeHidden();
}

test('certificates are pending until a registry is loaded, and both pages show the reason', {
  tag: '@release',
}, async ({ page, server, brand }) => {
  // Runs four operator commands, each in its own process.
  test.slow();
  await openCertificates(page, brand);
  await expect(page.getByRole('heading', { name: 'No certificates yet' })).toBeVisible();
  await page.getByRole('link', { name: 'Go to product variants' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Product Variants & Publishing');

  await brand.upload(THREE);
  await openCertificates(page, brand);
  await expect(table(page).getByRole('columnheader')).toHaveText([
    'Certificate ID',
    'Certifying Body',
    'Certification',
    'Valid until',
    'Variants',
    'Status',
  ]);
  for (const id of ['GS-0001', 'GS-0002', 'MS-0003']) await expect(badge(page, id)).toHaveText('Pending Review');
  const cells = ['GS-0001', 'Green Seal', 'Green Seal', 'No end known', '1', 'Pending Review'];
  // What is visible: the cards on a phone have more words.
  await expect(row(page, 'GS-0001').getByRole('cell')).toHaveText(cells, { useInnerText: true });
  await expect(async () => {
    await expectReason(
      page,
      'MS-0003',
      /^Waiting since .+: we have no registry of MADE SAFE to check it against, so our team will review it\.$/,
    );
  }).toPass();

  await loadRegistry(server, 'certificate_id,active,expires_on\nGS-0001,yes,2999-01-31\nGS-0002,yes,2024-03-31\n');
  try {
    await expect(async () => {
      await page.reload();
      await expect(badge(page, 'GS-0001')).toHaveText('Validated', { timeout: 2_000 });
    }).toPass();
    await expect(badge(page, 'GS-0002')).toHaveText('Invalid');
    await expect(badge(page, 'MS-0003')).toHaveText('Pending Review');
    await expectReason(page, 'GS-0001', 'The registry lists it as active until January 31, 2999.');
    await badge(page, 'GS-0002').hover();
    await expect(page.getByRole('tooltip')).toHaveText('It expired on March 31, 2024.');
    await page.mouse.move(0, 0, { steps: 5 });

    // A typo: one character differs from an entry of the registry.
    await brand.upload(`${THREE.split('\n')[0]}\nFennel tea,614141000418,GS-00010,Green Seal\n`);
    await expect(async () => {
      await page.reload();
      await expect(badge(page, 'GS-00010')).toHaveText('Invalid', { timeout: 2_000 });
    }).toPass();
    await row(page, 'GS-00010').getByRole('cell').first().click();
    await expect(page.getByText('The registry lists GS-0001, you wrote GS-00010.')).toBeVisible();
    await page.getByRole('button', { name: 'Use GS-0001 for its variant' }).click();
    await expect(page.getByRole('dialog', { name: 'GS-0001', exact: true })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(row(page, 'GS-00010')).toHaveCount(0);
    await expect(row(page, 'GS-0001').getByRole('cell').nth(4)).toHaveText('2', { useInnerText: true });

    await page.getByRole('link', { name: 'Product Variants & Publishing' }).click();
    const variant = (name: string) => page.getByRole('row').filter({ hasText: name });
    await expect(variant('Mint tea').getByRole('listitem')).toHaveText('Green Seal Validated');
    await expect(variant('Thyme tea').getByRole('listitem')).toHaveText('MADE SAFE Pending Review');
    const invalid = variant('Sage tea').getByRole('listitem');
    await expect(invalid).toHaveText('Green Seal Invalid');
    await invalid.locator('[tabindex]').focus();
    await expect(page.getByRole('tooltip')).toHaveText(/Certificate: GS-0002.*Status: Invalid.*It expired on March\s31,\s2024\.$/);
  } finally {
    await portal(server, 'certificates', 'registry', 'remove', '--certification', 'Green Seal');
  }
});

test('a certificate is renewed for all its variants by keyboard, and its panel has a URL', async ({ page, brand }) => {
  const header = 'variant_name,gtin,certificate_id,certification_name\n';
  await brand.upload(`${header}Mint tea,4006381333931,GS-0001,Green Seal\nSage tea,5901234123457,GS-0001,Green Seal\n`);
  await openCertificates(page, brand);
  await row(page, 'GS-0001').focus();
  await page.keyboard.press('Enter');
  const panel = page.getByRole('dialog', { name: 'GS-0001', exact: true });
  await expect(panel.getByText('No registry of Green Seal is loaded.')).toBeVisible();
  await expect(page).toHaveURL(/\/certifications\/\d+$/);
  await panel.getByRole('button', { name: 'Replace' }).press('Enter');
  await page.getByRole('textbox', { name: 'ID of the new certificate for Green Seal' }).fill('GS-0002');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'GS-0002', exact: true })).toBeVisible();
  await expect(page.getByText('GS-0001 was replaced by GS-0002', { exact: true })).toBeVisible();
  await page.reload();
  const renewed = page.getByRole('dialog', { name: 'GS-0002', exact: true });
  await expect(renewed.getByText(/^Replaced GS-0001, by/)).toBeVisible();

  await page.setViewportSize({ width: 375, height: 812 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375);
  await renewed.getByRole('link', { name: 'Show 2 variants that have it' }).click();
  await expect(page.getByText('Only variants that have the chosen certificate.')).toBeVisible();
  await expect(page.getByText('Sage tea')).toBeVisible();
  await page.goBack();
  await page.keyboard.press('Escape');
  await expect(row(page, 'GS-0002')).toBeVisible();
  await expect(row(page, 'GS-0001')).toHaveCount(0);
});

test.describe('on a phone', { tag: '@release' }, () => {
  test.use({ viewport: { width: 375, height: 812 }, hasTouch: true });

  test('the status is visible, a tap on it opens the panel with its reason, and nothing overflows', async ({ page, brand }) => {
    await brand.upload(THREE);
    await openCertificates(page, brand);
    await expect(badge(page, 'GS-0001')).toBeInViewport();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375);
    await badge(page, 'GS-0001').tap();
    await expect(page.getByRole('dialog', { name: 'GS-0001' })).toContainText(/Green Seal|checked in a moment/);
  });
});
