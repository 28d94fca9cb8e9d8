import type { Page } from '@playwright/test';
import type pg from 'pg';
import { EMAIL, launchBrowser, signIn } from './support/browser.ts';
import { quantile } from './support/measure.ts';
import { option } from './support/options.ts';
import { connect, startPortal } from './support/portal.ts';
import { loadVariants } from './support/variants-data.ts';
import { printVerdicts, verdict } from './support/verdict.ts';

/**
 * A member's actions in the list of variants, in Chromium, from the key or click to the frame that shows the result. `--rows=20000` for a
 * quick run, `--runs=20` for a rough one.
 */
const rows = Number(option('rows') ?? 1_000_000);
const runs = Number(option('runs') ?? 40);
const SEARCH_DEBOUNCE_MS = 300;

interface Interaction {
  readonly name: string;
  /** Prepares the page. Not measured. */
  readonly before?: (page: Page, run: number) => Promise<void>;
  readonly act: (page: Page, run: number) => Promise<void>;
  /** Runs in the page: whether the result is shown. `from` is the list's text before. */
  readonly isDone: (from: string) => boolean;
  /** The debounce of the page before it calls the server. */
  readonly waitsMs?: number;
}

const SETTLED = () => document.querySelectorAll('tbody tr[tabindex]').length >= 10;
const CHANGED = (from: string) => document.querySelector('tbody')?.textContent !== from;
const PANEL = () => !!document.querySelector('[role=dialog] h2');
const row = (page: Page, index: number) => page.locator('tbody tr[tabindex]').nth(index);
const sort = (page: Page) => page.getByRole('columnheader', { name: 'Product Variant' }).getByRole('button');

const INTERACTIONS: readonly Interaction[] = [
  {
    name: 'tick a row',
    act: (page, run) =>
      row(page, run % 10)
        .getByRole('checkbox')
        .click(),
    isDone: () => !!document.querySelector('section[aria-label] p.tabular-nums'),
    before: async (page) => {
      await page.keyboard.press('Escape');
      const clear = page.getByRole('button', { name: 'Clear', exact: true });
      if (await clear.count()) await clear.click();
    },
  },
  {
    name: 'open a row’s panel',
    act: (page, run) =>
      row(page, run % 10)
        .getByRole('cell')
        .nth(2)
        .click(),
    isDone: PANEL,
    before: closePanel,
  },
  {
    name: 'next variant in the panel, by key',
    before: async (page, run) => {
      await closePanel(page);
      await row(page, run % 9).focus();
      await page.keyboard.press('Enter');
      await page.waitForFunction(PANEL);
      await page.waitForTimeout(200);
      await page.evaluate(() => {
        const name = document.querySelector('[role=dialog] h2')?.textContent;
        (window as never as { panelName?: string | null | undefined }).panelName = name;
      });
    },
    act: (page) => page.keyboard.press('j'),
    isDone: () => document.querySelector('[role=dialog] h2')?.textContent !== (window as never as { panelName?: string | null }).panelName,
  },
  {
    name: 'open the palette',
    before: closePanel,
    act: (page) => page.keyboard.press('Control+k'),
    isDone: () => !!document.querySelector('[role=dialog] [role=combobox]'),
  },
  {
    name: 'type a letter, until it stands there',
    before: async (page) => {
      await closePanel(page);
      await page.getByRole('searchbox').fill('');
      await page.waitForTimeout(500);
    },
    act: (page) => page.getByRole('searchbox').press('j'),
    isDone: () => document.querySelector<HTMLInputElement>('input[type=search]')?.value === 'j',
  },
  {
    name: 'search, until its rows stand there',
    waitsMs: SEARCH_DEBOUNCE_MS,
    before: async (page) => {
      await page.getByRole('searchbox').fill('');
      await page.waitForTimeout(700);
    },
    act: (page, run) => page.getByRole('searchbox').pressSequentially('xzw'[run % 3] ?? 'x'),
    isDone: CHANGED,
  },
  {
    name: 'next page',
    before: async (page) => {
      await page.getByRole('searchbox').fill('');
      await page.waitForFunction(SETTLED);
      await page.waitForTimeout(300);
    },
    act: (page) => page.getByRole('button', { name: 'Next page' }).click(),
    isDone: CHANGED,
  },
  {
    name: 'sort',
    before: (page) => page.waitForTimeout(300),
    act: (page) => sort(page).click(),
    isDone: CHANGED,
  },
  {
    name: 'filter by a state',
    before: (page) => page.waitForTimeout(300),
    act: (page) => page.getByRole('button', { name: /^Certificate problems/ }).click(),
    isDone: CHANGED,
  },
];

async function closePanel(page: Page): Promise<void> {
  if (await page.getByRole('dialog').count()) await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

const portal = await startPortal({ NODE_ENV: 'development' });
const browser = await launchBrowser();
try {
  const client = await connect(portal.databaseUrl);
  console.log(`Loading ${rows} variants of one brand`);
  const { brandId, ordinaryId } = await loadVariants(client, rows);
  const context = await browser.newContext({ baseURL: portal.url, viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await signIn(page);
  for (const [id, label, bar] of [
    [ordinaryId, '3,000 variants', 100],
    [brandId, `${rows.toLocaleString('en')} variants`, 200],
  ] as const) {
    await addMember(client, id);
    console.log(`\n| ${label} | p50 ms | p95 ms | bar |\n|---|---|---|---|`);
    for (const interaction of INTERACTIONS) await measure(page, id, interaction, bar);
  }
  await client.end();
} finally {
  await browser.close();
  await portal.stop();
}
printVerdicts();

async function addMember(client: pg.Client, brandId: number): Promise<void> {
  await client.query(
    `insert into brand_members (brand_id, user_id, role, status) select $1, id, 'owner', 'active' from users where email = $2`,
    [brandId, EMAIL],
  );
}

async function measure(page: Page, brandId: number, { name, before, act, isDone, waitsMs = 0 }: Interaction, bar: number) {
  const times: number[] = [];
  await page.goto(`/brands/${brandId}/product-variants`);
  await page.waitForFunction(SETTLED);
  for (let run = 0; run < runs + 3; run++) {
    await before?.(page, run);
    // From the event's timestamp to the end of the frame after the result is in the page.
    await page.evaluate((isDone) => {
      const answered = new Function(`return (${isDone})`)() as (from: string) => boolean;
      const from = document.querySelector('tbody')?.textContent ?? '';
      const state = window as never as { took: Promise<number> };
      state.took = new Promise((resolve) => {
        const begin = (event: Event) => {
          for (const kind of ['keydown', 'click']) removeEventListener(kind, begin, true);
          const look = () => {
            if (!answered(from)) return requestAnimationFrame(look);
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => resolve(performance.now() - event.timeStamp);
            return port2.postMessage(undefined);
          };
          requestAnimationFrame(look);
        };
        for (const kind of ['keydown', 'click']) addEventListener(kind, begin, true);
      });
    }, isDone.toString());
    await act(page, run);
    const took = await page.evaluate(() => (window as never as { took: Promise<number> }).took);
    // The first runs are a warm-up.
    if (run >= 3) times.push(took - waitsMs);
  }
  const [p50, p95] = [quantile(times, 0.5), quantile(times, 0.95)];
  const told = waitsMs > 0 ? `${name} (after its ${waitsMs} ms of debounce)` : name;
  console.log(`| ${told} | ${p50.toFixed(0)} | ${p95.toFixed(0)} | ≤ ${bar}: ${verdict(p95 <= bar)} |`);
}
