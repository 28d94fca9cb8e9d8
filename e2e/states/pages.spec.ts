import { PAGES } from '@brand-portal/contract/pages';
import type { Page } from '@playwright/test';
import { expectAccessible, expectAccessibleAsItIs } from '../support/axe.ts';
import { invalidGtin } from '../support/csv-files.ts';
import { OWNER, readStoredSession } from '../support/sign-in.ts';
import { asStaff } from '../support/staff.ts';
import { dialog, expect, openBrand, test } from '../support/states.ts';

type PageName = keyof typeof PAGES;

/** What is seen on a page once it has its data, as text. */
const PUBLIC_PAGES = {
  home: 'Welcome to Brand Portal',
  login: 'Welcome to Brand Portal',
  callback: 'The sign-in could not be completed. Please sign in again.',
  verifyEmail: 'No verification token provided',
  setupPassword: 'No verification token provided',
};
const MEMBER_PAGES = {
  brands: /^3 members/,
  brand: /^Showing 1 to/,
  productVariants: /^Showing 1 to/,
  productVariant: 'At Google',
  certifications: /^Showing 1 to/,
  certification: 'Validity',
  imports: 'autumn.csv',
  import: 'Variants created',
  attention: /^Show them/,
  team: 'Vera Okafor',
  settings: 'Connected',
  apiKeys: 'No API keys yet',
  history: /imported/,
  account: 'Where you are signed in',
};
const STAFF_PAGES = {
  platform: 'Northfield Organics',
  platformBrands: 'Northfield Organics',
  reviews: 'Approve',
  platformFailures: 'Deliveries to Google',
  platformRegistries: 'Registries',
  platformJobs: 'Jobs',
};
// A page without a state is a type error.
({ ...PUBLIC_PAGES, ...MEMBER_PAGES, ...STAFF_PAGES }) satisfies Record<PageName, string | RegExp>;

async function expectPagesAccessible(
  page: Page,
  pages: Partial<Record<PageName, string | RegExp>>,
  ids: Record<string, unknown> = {},
): Promise<void> {
  for (const [name, seen] of Object.entries(pages)) {
    const path = PAGES[name as PageName].replaceAll(/:(\w+)/g, (_, id: string) => String(ids[id]));
    await page.goto(path);
    await expect(page.getByText(seen).filter({ visible: true }).first(), name).toBeVisible();
    await expectAccessible(page, name);
  }
}

test('the pages before the sign-in are accessible', async ({ page }) => {
  await expectPagesAccessible(page, PUBLIC_PAGES);
  await page.goto('/login');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(/\/idp\/login\//);
  await expectAccessibleAsItIs(page, "the provider's form");
});

test('the pages of a member are accessible', async ({ page }) => {
  await openBrand(page, 'Fjord & Forest', OWNER);
  const id = /brands\/(\d+)/.exec(page.url())?.[1] ?? '';
  const authorization = `Bearer ${(await readStoredSession(page))?.accessToken}`;
  const api = `/api/v1/brands/${id}`;
  const newest = async (list: string) =>
    (await (await page.request.get(`${api}/${list}/?page=1`, { headers: { authorization } })).json()).results[0];
  const [variant, certificate] = [await newest('variants'), await newest('certifications')];
  // A row that changes nothing, and one that is rejected.
  const rows = `variant_name,gtin\n"${variant.name}",${variant.gtin}\nRye,${invalidGtin(1)}\n`;
  const file = { name: 'autumn.csv', mimeType: 'text/csv', buffer: Buffer.from(rows) };
  const uploaded = await page.request.post(`${api}/variant-certifications/upload/`, {
    headers: { authorization },
    multipart: { file },
  });
  const { import_id: importId } = await uploaded.json();
  const ids = { id, variantId: variant.id, certificateId: certificate.id, importId };
  await expectPagesAccessible(page, MEMBER_PAGES, ids);
  await page.goto(`/brands/${id}/product-variants`);
  await page.getByRole('button', { name: 'Add Product Variant' }).click();
  await expect(dialog(page)).toContainText('variant_name*');
  await expectAccessible(page, 'the upload');
});

test('the pages of platform staff are accessible', async ({ page, server }) => {
  await asStaff(server, OWNER, async () => {
    await openBrand(page, 'Fjord & Forest', OWNER);
    await expectPagesAccessible(page, STAFF_PAGES);
  });
});
