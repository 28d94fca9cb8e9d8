import type { Browser, BrowserContext, Page } from '@playwright/test';
import { launchBrowser, signIn } from './support/browser.ts';
import { quantile } from './support/measure.ts';
import { option } from './support/options.ts';
import { startPortal } from './support/portal.ts';
import { printVerdicts, verdict } from './support/verdict.ts';

/**
 * How long a member waits for a page that is opened by a link, in Chromium: with nothing in the browser's cache, and again in the same
 * tab. `--runs=3` for a rough run.
 */
const runs = Number(option('runs') ?? 7);
const BAR_MS = 1_200;

/** Lighthouse's slow 4G, applied by the browser to each request. */
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 1_638_400 / 8, uploadThroughput: 750_000 / 8 };
const NETWORKS = [
  { name: 'no throttling', network: undefined, slowdown: 1 },
  { name: 'slow 4G', network: SLOW_4G, slowdown: 1 },
  { name: 'slow 4G, processor four times slower', network: SLOW_4G, slowdown: 4 },
] as const;
const PAGES = [
  { name: 'variants, until the rows are there', path: '/brands/1/product-variants', sign: 'tbody tr[data-row]' },
  { name: 'dashboard, until the brands are there', path: '/brands', sign: 'main a[href^="/brands/"]' },
] as const;
type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>;

const portal = await startPortal({ NODE_ENV: 'development' });
const browser = await launchBrowser();
try {
  const session = await saveSession(browser);
  for (const { name, path, sign } of PAGES) {
    console.log(`\n| ${name}, ms | empty cache | again in the same tab |\n|---|---|---|`);
    for (const { name: network, ...speed } of NETWORKS) {
      const times = { empty: [] as number[], again: [] as number[] };
      for (let run = 0; run < runs; run++) {
        const context = await browser.newContext({ baseURL: portal.url, storageState: session });
        const page = await prepare(context, sign, speed);
        times.empty.push(await open(page, path));
        times.again.push(await open(page, path));
        await context.close();
      }
      const [empty, again] = [quantile(times.empty, 0.5), quantile(times.again, 0.5)];
      const bar = (took: number) => (network === 'slow 4G' ? ` (≤ ${BAR_MS}: ${verdict(took <= BAR_MS)})` : '');
      console.log(`| ${network} | ${empty.toFixed(0)}${bar(empty)} | ${again.toFixed(0)}${bar(again)} |`);
    }
  }
} finally {
  await browser.close();
  await portal.stop();
}
printVerdicts();

async function saveSession(browser: Browser): Promise<StorageState> {
  const context = await browser.newContext({ baseURL: portal.url });
  const page = await context.newPage();
  await signIn(page);
  // The server's first answers are slower.
  for (const { path, sign } of PAGES) {
    await page.goto(path);
    await page.locator(sign).first().waitFor();
  }
  const state = await context.storageState();
  await context.close();
  return state;
}

/** A tab that notes when a page has the sign. */
async function prepare(
  context: BrowserContext,
  sign: string,
  { network, slowdown }: Pick<(typeof NETWORKS)[number], 'network' | 'slowdown'>,
): Promise<Page> {
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  if (network) await devtools.send('Network.emulateNetworkConditions', network);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  await page.addInitScript((sign) => {
    const look = () => {
      if (document.querySelector(sign)) Object.assign(window, { shownAfter: performance.now() });
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }, sign);
  return page;
}

/** From the start of the navigation to the frame that has the sign. */
async function open(page: Page, path: string): Promise<number> {
  await page.goto(path, { waitUntil: 'commit' });
  const shown = await page.waitForFunction(() => (window as never as { shownAfter?: number }).shownAfter);
  const took = (await shown.jsonValue()) ?? Number.NaN;
  // The other files of the page, for the cache.
  await page.waitForLoadState('networkidle');
  return took;
}
