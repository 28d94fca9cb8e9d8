import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { BROWSER_ARGS, findBrowser } from '../scripts/find-browser.ts';
import { makeDataFolder, removeDataFolder } from './support/data-folder.ts';
import { startServer } from './support/server.ts';
import { signInFromScratch } from './support/sign-in.ts';

/** `npm run screenshots`: takes the screenshots of README and docs again, from a fresh server with demo data. */
const FOLDER = join(import.meta.dirname, '../docs/images');
const WINDOW = { width: 1440, height: 900 };

interface Picture {
  readonly name: string;
  readonly mode?: 'light' | 'dark';
  readonly language?: 'en' | 'es';
  readonly width?: number;
  readonly show: (page: Page) => Promise<void>;
}

/** Rows have buttons, placeholders do not. */
async function showList(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.locator('tbody').getByRole('button').first().waitFor();
}

const showVariants = (page: Page) => showList(page, '/brands/1/product-variants');

const PICTURES: readonly Picture[] = [
  // Not its heading, which is there before the brands.
  {
    name: 'dashboard',
    show: (page) =>
      page
        .getByRole('link', { name: /^Manage / })
        .first()
        .waitFor(),
  },
  { name: 'variants', show: showVariants },
  { name: 'variants-dark', mode: 'dark', language: 'es', show: showVariants },
  {
    name: 'upload',
    show: async (page) => {
      await showVariants(page);
      await page.getByRole('button', { name: 'Add Product Variant' }).click();
      await page.getByRole('dialog').getByText('gtin').first().waitFor();
    },
  },
  { name: 'certificates', show: (page) => showList(page, '/brands/1/certifications') },
  { name: 'variants-phone', width: 375, mode: 'dark', show: showVariants },
];

const dataDir = await makeDataFolder();
const server = await startServer({ dataDir });
const browser = await chromium.launch({ executablePath: await findBrowser(), args: BROWSER_ARGS });
try {
  mkdirSync(FOLDER, { recursive: true });
  const context = await browser.newContext({ baseURL: server.url, viewport: WINDOW, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await signInFromScratch(page);
  for (const { name, mode = 'light', language = 'en', width = WINDOW.width, show } of PICTURES) {
    await page.setViewportSize({ ...WINDOW, width });
    await page.evaluate(
      ([mode, language]) => {
        localStorage.setItem('color-mode', mode);
        localStorage.setItem('language', language);
      },
      [mode, language] as const,
    );
    await page.goto('/brands');
    await show(page);
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    await page.screenshot({ path: join(FOLDER, `${name}.png`) });
    process.stdout.write(`docs/images/${name}.png\n`);
  }
} finally {
  await browser.close();
  await server.stop();
  await removeDataFolder(dataDir);
}
