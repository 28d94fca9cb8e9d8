import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';

export interface Look {
  readonly mode: 'light' | 'dark';
  readonly language: 'en' | 'es';
}

export async function readMode(page: Page): Promise<Look['mode']> {
  return (await page.locator('html').getAttribute('data-theme')) === 'dark' ? 'dark' : 'light';
}

/** Changes the look by a storage event, as from another tab. So the focus stays, and open menus stay open. */
export async function applyLook(page: Page, { mode, language }: Look): Promise<void> {
  await page.evaluate(
    async ([mode, language]) => {
      const root = document.documentElement;
      const nextFrame = () => new Promise((drawn) => requestAnimationFrame(drawn));
      // The static first paint does not react to storage events.
      while (document.querySelector('[data-first-paint]')) await nextFrame();
      const choose = (key: string, newValue: string) => {
        localStorage.setItem(key, newValue);
        window.dispatchEvent(new StorageEvent('storage', { key, newValue }));
      };
      const isBusy = () => document.querySelector('table[aria-busy="true"]') !== null;
      const wasBusy = isBusy();
      if (root.dataset.theme !== mode) choose('color-mode', mode);
      if (root.lang !== language) choose('language', language);
      const isApplied = () => root.dataset.theme === mode && root.lang === language;
      // Waits until the new look is drawn. Rows translated by the server are busy until they arrive in the other language.
      for (let frames = 0; frames < 2; ) {
        await nextFrame();
        frames = isApplied() && (wasBusy || !isBusy()) ? frames + 1 : 0;
      }
    },
    [mode, language] as const,
  );
}

export const WIDTHS = [375, 768, 1440] as const;

/** The page must not scroll horizontally at any width. Checked in Spanish, which has longer texts. */
export async function expectToFitEveryWidth(page: Page, state: string): Promise<void> {
  const size = page.viewportSize();
  const mode = await readMode(page);
  await applyLook(page, { mode, language: 'es' });
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    const needed = () => page.evaluate(() => document.documentElement.scrollWidth);
    await expect.poll(needed, `${state}, ${width} px wide`).toBeLessThanOrEqual(width);
  }
  if (size) await page.setViewportSize(size);
  await applyLook(page, { mode, language: 'en' });
}

/** No cell of a table may overlap the next one. */
export async function expectColumnsApart(page: Page): Promise<void> {
  const covering = await page.locator('tr').evaluateAll((rows) =>
    rows
      .flatMap((row) =>
        [...row.children].filter((cell) => {
          const content = document.createRange();
          content.selectNodeContents(cell);
          const right = Math.max(cell.getBoundingClientRect().right, content.getBoundingClientRect().right);
          const next = cell.nextElementSibling?.getBoundingClientRect();
          return next !== undefined && right > next.left + 1;
        }),
      )
      .map((cell) => cell.textContent),
  );
  const { width } = page.viewportSize() ?? {};
  expect(covering, `cells that cover the next one, ${width} px wide`).toEqual([]);
}

const PICTURES = join(import.meta.dirname, '../pictures');

/** Only `npm run test:looks` does, once per width. */
export const savesScreenshots = () => test.info().project.name.startsWith('looks-');

/** Saves a screenshot for review by a person. */
export async function saveScreenshot(page: Page, state: string): Promise<void> {
  if (!savesScreenshots()) return;
  const { title } = test.info();
  // A full-page screenshot resizes the window, which would move dialogs and menus.
  const isFloating = (await page.getByRole('dialog').or(page.locator('[data-radix-popper-content-wrapper]')).count()) > 0;
  const name = `${title} – ${state}, ${page.viewportSize()?.width} px`.replaceAll(/[^\p{L}\p{N}–,-]+/gu, ' ').trim();
  await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: !isFloating, scale: 'css' });
}
