import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { type Look, photograph, readMode, takesPictures, wear } from './looks.ts';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * The whole page with all that is open on it, in the look that it has now. Fails with the rule and the elements of every
 * violation that axe finds.
 */
export async function expectAccessibleAsItIs(page: Page, state: string): Promise<void> {
  const isPrepared = await page.evaluate(() => 'axe' in window);
  const builder = new AxeBuilder({
    page,
    // Half a megabyte, which is read once per page and not once per look.
    ...(isPrepared && { axeSource: ';' }),
  })
    .options({
      // What passes is described element by element otherwise, for nobody to read.
      reporter: 'no-passes',
      runOnly: { type: 'tag', values: TAGS },
    })
    // All frames are our own; the other mode opens a tab for every run.
    .setLegacyMode();
  const { violations } = await builder.analyze();
  const found = violations.map(
    ({ id, help, nodes }) => `${id}: ${help}\n  ${nodes.map(({ html }) => html).join('\n  ')}`,
  );
  expect.soft(found, state).toEqual([]);
  await photograph(page, state);
}

/** How many states of a page have been looked at. */
const looked = new WeakMap<Page, number>();

/**
 * Every other state in the other language and the other colours, beginning and ending in English. What is open stays open. A run that takes
 * pictures (`npm run test:looks`) looks at each state in each language and mode.
 */
export async function expectAccessible(page: Page, state: string): Promise<void> {
  const mode = await readMode(page);
  const other = mode === 'dark' ? 'light' : 'dark';
  const turn = looked.get(page) ?? 0;
  looked.set(page, turn + 1);
  const looks: Look[] = [{ mode, language: turn % 2 === 0 ? 'en' : 'es' }];
  if (takesPictures()) {
    looks.push({ mode, language: turn % 2 === 0 ? 'es' : 'en' });
    looks.push({ mode: other, language: 'en' }, { mode: other, language: 'es' });
  }
  for (const look of looks) {
    await wear(page, look);
    await expectAccessibleAsItIs(page, describeLook(state, look));
  }
  await wear(page, { mode: other, language: 'en' });
}

/** For pages without a switch of their own: `open` brings them up in each language, Spanish in light and English in dark unless pictures are taken. */
export async function expectAccessibleWhenOpened(
  page: Page,
  state: string,
  open: (language: Look['language']) => Promise<void>,
): Promise<void> {
  for (const language of ['es', 'en'] as const) {
    await open(language);
    const modes = ['light', 'dark'] as const;
    for (const mode of takesPictures() ? modes : modes.slice(language === 'es' ? 0 : 1).slice(0, 1)) {
      await page.evaluate((mode) => Object.assign(document.documentElement.dataset, { theme: mode }), mode);
      await expectAccessibleAsItIs(page, describeLook(state, { mode, language }));
    }
  }
}

/**
 * For pages that are opened from now on: nothing fades, because half-way contrast means nothing, and what closes by
 * itself, the upload dialog and toasts, stays for as long as it takes to look at it four times. So does an upload that
 * gets no answer.
 */
export async function holdStill(page: Page): Promise<void> {
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
