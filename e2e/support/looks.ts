import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';

export interface Look {
  readonly mode: 'light' | 'dark';
  readonly language: 'en' | 'es';
}

export async function readMode(page: Page): Promise<Look['mode']> {
  return (await page.locator('html').getAttribute('data-theme')) === 'dark' ? 'dark' : 'light';
}

/** Changes the page that is open, as if chosen in another tab: the focus stays, and so does a menu that is open. */
export async function wear(page: Page, { mode, language }: Look): Promise<void> {
  // What is seen before there is an app follows nobody.
  await expect(page.locator('[data-first-paint]')).toHaveCount(0);
  await page.evaluate(
    async ([mode, language]) => {
      const root = document.documentElement;
      const choose = (key: string, newValue: string) => {
        localStorage.setItem(key, newValue);
        window.dispatchEvent(new StorageEvent('storage', { key, newValue }));
      };
      const isBusy = () => document.querySelector('table[aria-busy="true"]') !== null;
      const wasBusy = isBusy();
      if (root.dataset.theme !== mode) choose('color-mode', mode);
      if (root.lang !== language) choose('language', language);
      const isWorn = () => root.dataset.theme === mode && root.lang === language;
      const nextFrame = () => new Promise((drawn) => requestAnimationFrame(drawn));
      // Drawn, not only decided. Rows that the server translates are dimmed until they come in the other language.
      for (let frames = 0; frames < 2; ) {
        await nextFrame();
        frames = isWorn() && (wasBusy || !isBusy()) ? frames + 1 : 0;
      }
    },
    [mode, language] as const,
  );
}

export const WIDTHS = [375, 768, 1440] as const;

/** Nothing can be reached only by scrolling sideways, in the longer of the languages. */
export async function expectToFitEveryWidth(page: Page, state: string): Promise<void> {
  const size = page.viewportSize();
  const mode = await readMode(page);
  await wear(page, { mode, language: 'es' });
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    const needed = () => page.evaluate(() => document.documentElement.scrollWidth);
    await expect.poll(needed, `${state}, ${width} px wide`).toBeLessThanOrEqual(width);
  }
  if (size) await page.setViewportSize(size);
  await wear(page, { mode, language: 'en' });
}

/** No cell of the table, nor what it holds, reaches into the next one. */
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

/** Only `npm run test:looks` does, once for each width. */
export const takesPictures = () => test.info().project.name.startsWith('looks-');

/** For a person to look at. */
export async function photograph(page: Page, state: string): Promise<void> {
  if (!takesPictures()) return;
  const { title } = test.info();
  // What floats stays where it is only while the window keeps its size.
  const isFloating =
    (await page.getByRole('dialog').or(page.locator('[data-radix-popper-content-wrapper]')).count()) > 0;
  const name = `${title} – ${state}, ${page.viewportSize()?.width} px`.replaceAll(/[^\p{L}\p{N}–,-]+/gu, ' ').trim();
  await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: !isFloating, scale: 'css' });
}
