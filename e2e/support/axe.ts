import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { applyLook, type Look, readMode, saveScreenshot, savesScreenshots } from './looks.ts';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Without the comments, which are more than half of what the builder would inject. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** Checks the whole page in its current look. Reports the rule and the elements of every violation that axe finds. */
export async function expectAccessibleAsItIs(page: Page, state: string): Promise<void> {
  await waitForCurrentRows(page);
  // Once per page, not once per look. The builder would do it twice per look; only pages with frames need that.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  const builder = new AxeBuilder({ page, axeSource: page.frames().length > 1 ? AXE : ';' })
    .options({
      // Otherwise the result describes each element that passes.
      reporter: 'no-passes',
      runOnly: { type: 'tag', values: TAGS },
    })
    // The default mode opens a tab for every run, to isolate frames of other origins. The portal has none.
    .setLegacyMode();
  const { violations } = await builder.analyze();
  const found = violations.map(({ id, help, nodes }) => `${id}: ${help}\n  ${nodes.map(({ html }) => html).join('\n  ')}`);
  expect.soft(found, state).toEqual([]);
  await saveScreenshot(page, state);
}

/** Rows of the previous page are faded until the next ones arrive. Like disabled controls, they need no contrast. */
async function waitForCurrentRows(page: Page): Promise<void> {
  const areFaded = (tables: Element[]) => tables.some((rows) => getComputedStyle(rows).opacity !== '1');
  await expect.poll(() => page.locator('tbody').evaluateAll(areFaded), 'rows stay faded').toBe(false);
}

/** The number of states checked so far, per page. */
const checkedStates = new WeakMap<Page, number>();

/**
 * Checks a state in one look, alternating language and colour mode from state to state. Open menus and dialogs stay open. The page is
 * English afterwards. `npm run test:looks` checks each state in every language and mode, and saves screenshots.
 */
export async function expectAccessible(page: Page, state: string): Promise<void> {
  const mode = await readMode(page);
  const other = mode === 'dark' ? 'light' : 'dark';
  const turn = checkedStates.get(page) ?? 0;
  checkedStates.set(page, turn + 1);
  const looks: Look[] = [{ mode, language: turn % 2 === 0 ? 'en' : 'es' }];
  if (savesScreenshots()) {
    looks.push({ mode, language: turn % 2 === 0 ? 'es' : 'en' });
    looks.push({ mode: other, language: 'en' }, { mode: other, language: 'es' });
  }
  for (const look of looks) {
    await applyLook(page, look);
    await expectAccessibleAsItIs(page, describeLook(state, look));
  }
  await applyLook(page, { mode: other, language: 'en' });
}

/** For pages that cannot switch language: `open` opens them in each. Spanish is checked in light mode and English in dark mode; `npm run test:looks` checks both modes. */
export async function expectAccessibleWhenOpened(
  page: Page,
  state: string,
  open: (language: Look['language']) => Promise<void>,
): Promise<void> {
  for (const language of ['es', 'en'] as const) {
    await open(language);
    const modes = ['light', 'dark'] as const;
    for (const mode of savesScreenshots() ? modes : modes.slice(language === 'es' ? 0 : 1).slice(0, 1)) {
      await page.evaluate((mode) => Object.assign(document.documentElement.dataset, { theme: mode }), mode);
      await expectAccessibleAsItIs(page, describeLook(state, { mode, language }));
    }
  }
}

/**
 * For pages opened afterwards. Disables animations, because the contrast in the middle of a fade means nothing. Disables the timers
 * that close toasts and the upload dialog and that give up an unanswered upload, so that there is time to check every look.
 */
export async function freezePage(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('*, ::before, ::after { animation: none !important; transition: none !important; }');
    document.adoptedStyleSheets = [sheet];
    const setTimer = window.setTimeout.bind(window);
    const endingDelays: unknown[] = [1_500, 5_000, 10_000];
    const keepOpen = (...[work, delay, ...rest]: Parameters<typeof setTimer>) =>
      endingDelays.includes(delay) ? 0 : setTimer(work, delay, ...rest);
    Object.assign(window, { setTimeout: keepOpen });
  });
}

function describeLook(state: string, { mode, language }: Look): string {
  return `${state}, in ${language} and ${mode}`;
}
