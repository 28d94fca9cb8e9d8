import { expect, test } from '@playwright/test';
import { makeAccount } from '../support/account.ts';
import { createClusterDatabase } from '../support/cluster.ts';
import { csvFile, gtin } from '../support/csv-files.ts';
import { makeDataFolder, removeDataFolder } from '../support/data-folder.ts';
import { connectBrand, portal } from '../support/portal.ts';
import { startServer } from '../support/server.ts';
import { enterPassword } from '../support/sign-in.ts';

test.setTimeout(300_000);

test('on a cluster people sign in, import, find and publish, and see what is live', async ({ browser, request }) => {
  const database = await createClusterDatabase();
  const dataDir = await makeDataFolder();
  const server = await startServer({ dataDir, env: { DATABASE_URL: database.url } });
  try {
    // While the server is running and in use.
    const { email, password, brand } = await makeAccount(server, request);
    expect(await portal(server, 'database', 'distribute')).toMatch(/^Distributed .*\bvariants\b/);
    expect(await portal(server, 'database', 'distribute')).toBe('Everything is distributed already.\n');

    await connectBrand(server, brand);

    const page = await browser.newPage({ baseURL: server.url });
    await page.goto('/');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await enterPassword(page, email, password);
    await page.getByRole('link', { name: `Manage ${brand.name}`, exact: true }).click();
    await page.getByRole('button', { name: 'Add Product Variant' }).first().click();
    const dialog = page.getByRole('dialog');
    const lines = ['Sea salt', 'Olive oil'].map((name, index) => `${name},${gtin(index)},FSC-C00471${index},FSC`);
    await dialog
      .locator('input[type="file"]')
      .setInputFiles(csvFile('new.csv', ['variant_name,gtin,certificate_id,certification_name', ...lines]));
    await dialog.getByRole('button', { name: 'Upload File', exact: true }).click();
    await expect(dialog).toContainText('2 rows imported successfully');
    await page.keyboard.press('Escape');
    await page.getByRole('searchbox', { name: 'Search product variants' }).fill('oliv');
    await expect(page.getByText('Product variants found: 1', { exact: true })).toBeAttached();

    await page.getByRole('button', { name: 'Actions for Olive oil' }).click();
    await page.getByRole('menuitem', { name: 'Publish', exact: true }).click();
    await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
    await dialog.getByRole('button', { name: 'Start Free Trial' }).click();
    const row = page.getByRole('row', { name: /Olive oil/ });
    await expect(row.getByRole('cell', { name: 'Published Live' })).toBeVisible({ timeout: 60_000 });

    expect(await portal(server, 'delivery', 'list', '--brand', brand.id)).toContain('live');
  } finally {
    await server.stop();
    await removeDataFolder(dataDir);
    await database.drop();
  }
});
