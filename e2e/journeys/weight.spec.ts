import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { holdRequests } from '../support/held-requests.ts';
import { expect, test } from '../support/journey.ts';
import { completeSignIn, EDITOR, signIn, signInFromScratch } from '../support/sign-in.ts';

const DIST = join(import.meta.dirname, '../../apps/web/dist');
const LOCALES = join(import.meta.dirname, '../../apps/web/src/locales');
const MAX_BYTES_BEFORE_SIGN_IN = 144_000;
const MAX_BYTES_BEFORE_TABLE = 192_000;
const MAX_FILES_BEFORE_TABLE = 20;
const MAX_SHIFT = 0.05;

interface Asset {
  readonly name: string;
  readonly content: Buffer;
}

/** Records the files of the app that the browser loads. Reads their uncompressed content from the build. */
function recordAssets(page: Page): (options?: { idle: boolean }) => Promise<Asset[]> {
  const names = new Set<string>();
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/assets/')) names.add(pathname);
  });
  return async ({ idle } = { idle: true }) => {
    if (idle) await page.waitForLoadState('networkidle');
    return [...names].map((name) => ({ name, content: readFileSync(join(DIST, name)) }));
  };
}

const isCounted = ({ name }: Asset) => /\.(js|css)$/.test(name);
const codeOf = (assets: readonly Asset[]) =>
  assets
    .filter(isCounted)
    .map(({ content }) => content.toString())
    .join('\n');

/** Sentences that only this language has. Only plain characters, because a bundler may escape others. */
function sentencesOf(language: 'en' | 'es', part: string): string[] {
  const read = (folder: string) => readFileSync(join(LOCALES, folder, `${part}.json`), 'utf8');
  const other = read(language === 'en' ? 'es' : 'en');
  const sentences = [...read(language).matchAll(/: "([\w ,.]{12,})"/g)].map(([, sentence]) => sentence ?? '');
  return sentences.filter((sentence) => sentence.includes(' ') && !other.includes(`"${sentence}"`));
}

function expectOnly(code: string, language: 'en' | 'es', part: string): void {
  const inCode = (wanted: 'en' | 'es') => sentencesOf(wanted, part).filter((sentence) => code.includes(sentence));
  expect(inCode(language)).toEqual(sentencesOf(language, part));
  expect(inCode(language).length).toBeGreaterThan(3);
  expect(inCode(language === 'en' ? 'es' : 'en')).toEqual([]);
}

/** Texts that identify code independently of the bundler's file names. */
const TABLE = 'aria-sort';
const DIALOG = 'onCloseAutoFocus';
const PROVIDER = 'handleRedirectCallback(';

for (const [locale, language] of [
  ['en-US', 'en'],
  ['es-ES', 'es'],
] as const) {
  test.describe(locale, { tag: language === 'es' ? '@release' : [] }, () => {
    test.use({ locale });

    test(`a visitor whose browser asks for ${locale} loads little, and nothing before it is needed`, async ({ page }) => {
      const readAssets = recordAssets(page);
      await page.goto('/');
      await expect(page.getByRole('button', { name: /^(Sign in|Iniciar sesión)$/ })).toBeEnabled();
      const first = await readAssets();
      const weights = first.map((asset) => ({ ...asset, bytes: gzipSync(asset.content).length }));
      const sum = weights.filter(isCounted).reduce((sum, { bytes }) => sum + bytes, 0);
      const list = weights.map(({ name, bytes }) => `${name} ${bytes}`).sort();
      test.info().annotations.push({ type: 'gzipped bytes before the sign-in', description: [sum, ...list].join('\n') });
      expect(sum, list.join('\n')).toBeLessThanOrEqual(MAX_BYTES_BEFORE_SIGN_IN);
      expect(sum).toBeGreaterThan(MAX_BYTES_BEFORE_SIGN_IN / 3);
      expectOnly(codeOf(first), language, 'first-load');
      for (const later of [TABLE, DIALOG, PROVIDER]) expect(codeOf(first).includes(later), later).toBe(false);

      await completeSignIn(page, EDITOR);
      await expect(page.getByRole('link', { name: /^(Manage|Gestionar) / })).toHaveCount(4);
      const dashboard = codeOf(await readAssets());
      expectOnly(dashboard, language, 'portal');
      expect(dashboard.includes(PROVIDER)).toBe(true);
      expect(dashboard.includes(TABLE)).toBe(false);

      await page
        .getByRole('main')
        .getByRole('link', { name: /^(Manage|Gestionar) Fjord & Forest$/ })
        .click();
      await expect(page.getByRole('row').nth(10)).toBeVisible();
      const variants = codeOf(await readAssets());
      expect(variants.includes(TABLE)).toBe(true);
      expect(variants.includes(DIALOG)).toBe(true);
    });
  });
}

test("a member's deep link takes two round trips after the page: its code, then its data", async ({ page }) => {
  await signIn(page, EDITOR);
  const manage = page.getByRole('main').getByRole('link', { name: 'Manage Fjord & Forest' });
  const path = (await manage.getAttribute('href')) ?? '';
  const brandId = /\d+/.exec(path)?.[0];
  await page.goto('/favicon.svg');

  const letCodeCome = await holdRequests(page, '**/assets/*.js');
  const letBrandCome = await holdRequests(page, `**/api/v1/brands/${brandId}/`);
  const readAssets = recordAssets(page);
  const isList = (url: URL) => url.pathname === `/api/v1/brands/${brandId}/variants/`;
  const listIsAsked = page.waitForRequest((request) => isList(new URL(request.url())));
  const letListCome = await holdRequests(page, isList);
  const pageIsThere = page.goto(path, { waitUntil: 'commit' });
  // All files are requested before the first one arrives.
  const isAsked = (part: string) => page.waitForRequest((request) => request.url().includes(`/assets/${part}-`));
  await Promise.all([pageIsThere, ...['base', 'app', 'shell', 'portal', 'table', 'variants'].map(isAsked)]);
  await letCodeCome();
  // The list is requested without waiting for the brand.
  await listIsAsked;
  const assets = (await readAssets({ idle: false })).filter(isCounted);
  await Promise.all([letBrandCome(), letListCome()]);
  await expect(page.getByRole('row').nth(10)).toBeVisible();

  const weights = assets.map(({ name, content }) => ({ name, bytes: gzipSync(content).length }));
  const sum = weights.reduce((sum, { bytes }) => sum + bytes, 0);
  const list = weights.map(({ name, bytes }) => `${name} ${bytes}`).join('\n');
  test.info().annotations.push({ type: 'gzipped bytes before the table', description: `${sum}\n${list}` });
  expect(sum, list).toBeLessThanOrEqual(MAX_BYTES_BEFORE_TABLE);
  expect(weights.length, list).toBeLessThanOrEqual(MAX_FILES_BEFORE_TABLE);
  expect(codeOf(assets).includes(PROVIDER)).toBe(false);
});

test.describe('code that cannot be loaded', { tag: '@release' }, () => {
  test.use({ expectedProblems: /ERR_FAILED|dynamically imported module|A part of the page failed/ });

  test('is loaded when its page is visited again', async ({ page }) => {
    await signIn(page, EDITOR);
    await page.goto('/brands');
    await page.getByRole('main').getByRole('link', { name: 'Tiny' }).click();
    await page.route('**/assets/history-page-*.js', (route) => route.abort());
    await page.getByRole('link', { name: 'History', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'This page could not be shown' })).toBeVisible();
    await page.unroute('**/assets/history-page-*.js');
    await page.getByRole('link', { name: 'Certificates', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Certificates' })).toBeVisible();
    await page.getByRole('link', { name: 'History', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'History' })).toBeVisible();
  });
});

test.describe('es-ES', { tag: '@release' }, () => {
  test.use({ locale: 'es-ES' });

  test('the sign-in page is shown before its code is loaded, and does not change then', async ({ page }) => {
    // Counts frames without the heading after one with it, such as a spinner in between.
    await page.addInitScript(() => {
      const frames = { lost: 0, seen: false };
      Object.assign(window, { framesOfHeading: frames });
      const look = () => {
        const isSeen = [...document.querySelectorAll('h1')].some((heading) => heading.checkVisibility());
        if (frames.seen && !isSeen) frames.lost += 1;
        frames.seen ||= isSeen;
        requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
    const letCodeCome = await holdRequests(page, '**/assets/*.js');
    await page.goto('/', { waitUntil: 'commit' });
    const heading = page.locator('h1:visible');
    const welcome = 'Te damos la bienvenida a Brand Portal';
    await expect(heading).toHaveText([welcome]);
    const button = page.locator('button:visible', { hasText: 'Iniciar sesión' });
    const before = [await heading.boundingBox(), await button.boundingBox()];
    await letCodeCome();
    await expect(page.locator('[data-first-paint]')).toHaveCount(0);
    await expect(page.getByRole('heading', { name: welcome })).toBeVisible();
    await expect(button).toBeEnabled();
    expect([await heading.boundingBox(), await button.boundingBox()]).toEqual(before);
    expect(await page.evaluate(() => (window as unknown as { framesOfHeading: object }).framesOfHeading)).toEqual({
      lost: 0,
      seen: true,
    });
  });
});

test('signed-in users and other pages show a spinner and then the page, never a blank page', {
  tag: '@release',
}, async ({ page }) => {
  // Not the shared session, because the last page of this test ends the session.
  await signInFromScratch(page, EDITOR);
  // Counts empty frames after a frame with content.
  await page.addInitScript(() => {
    const frames = { lost: 0, seen: false };
    Object.assign(window, { frames });
    const look = () => {
      const parts = [...document.querySelectorAll('[role=status] svg, h1, nav')];
      const isSeen = parts.some((part) => part.checkVisibility({ opacityProperty: true }));
      if (frames.seen && !isSeen) frames.lost += 1;
      frames.seen ||= isSeen;
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  for (const [path, text] of [
    ['/brands', 'Loading…'],
    ['/verify-email', 'Loading…'],
    ['/setup-password', 'Loading…'],
    ['/callback?code=unknown&state=unknown', 'Completing sign in...'],
  ] as const) {
    const letCodeCome = await holdRequests(page, '**/assets/*.js');
    await page.goto(path, { waitUntil: 'commit' });
    await expect(page.locator('h1:visible')).toHaveText([text]);
    await expect(page.locator('[data-first-paint] [role=status] svg')).toBeVisible();
    await expect(page.getByRole('status').filter({ visible: true })).toHaveCSS('opacity', '1');
    const letProviderCome = await holdRequests(page, '**/auth0-spa-js*.js');
    await letCodeCome();
    await expect(page.locator('[data-first-paint]')).toHaveCount(0);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(await page.evaluate(() => (window as unknown as { frames: object }).frames)).toEqual({
      lost: 0,
      seen: true,
    });
    await letProviderCome();
  }
});

interface Shift {
  readonly value: number;
  readonly moved: string[];
}

/** Records layout shifts that do not follow user input, from the start of each page. */
async function recordShifts(page: Page): Promise<() => Promise<Shift[]>> {
  await page.addInitScript(() => {
    const shifts: object[] = [];
    Object.assign(window, { layoutShifts: shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, hadRecentInput, sources } = entry as unknown as {
          value: number;
          hadRecentInput: boolean;
          sources: { node: Element | null }[];
        };
        const moved = sources.map(({ node }) => (node?.outerHTML ?? '').slice(0, 160));
        if (!hadRecentInput) shifts.push({ value, moved });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return async () => {
    await page.waitForLoadState('networkidle');
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    return page.evaluate(() => (window as unknown as { layoutShifts: Shift[] }).layoutShifts);
  };
}

/** Two frames: in the second one what was rendered is seen. The page may be left meanwhile. */
async function framesAreDrawn(page: Page): Promise<void> {
  const twoFrames = () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  await page.evaluate(twoFrames).catch(() => {});
}

for (const width of [375, 1440]) {
  test.describe(`${width} px wide`, { tag: '@release' }, () => {
    test.use({ viewport: { width, height: 812 } });

    test('nothing moves while a page and its data arrive', async ({ page }) => {
      const readShifts = await recordShifts(page);
      // Delays data, so that every placeholder is shown first.
      await page.route('**/api/v1/**', async (route) => {
        await framesAreDrawn(page);
        await route.continue();
      });
      const expectStill = async (screen: string) => {
        const shifts = await readShifts();
        const sum = shifts.reduce((sum, { value }) => sum + value, 0);
        test.info().annotations.push({ type: `layout shift of ${screen}`, description: sum.toFixed(4) });
        expect.soft(sum, `${screen}: ${JSON.stringify(shifts, null, 2)}`).toBeLessThanOrEqual(MAX_SHIFT);
      };
      await page.goto('/');
      await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
      await expectStill('the sign-in page');
      // Not the shared session, which another journey may have ended.
      await completeSignIn(page, EDITOR);
      await page.goto('/brands');
      const manage = page.getByRole('link', { name: 'Manage Fjord & Forest' });
      const brand = (await manage.getAttribute('href')) ?? '';
      await expectStill('the dashboard');
      for (const path of [brand, brand.replace('product-variants', 'certifications')]) {
        await page.goto(path);
        await expect(page.getByText(/^Showing 1 to/)).toBeVisible();
        await expectStill(path);
      }
      await page.goto('/account');
      await expect(page.getByRole('button', { name: 'Delete account' })).toBeVisible();
      await expectStill('the account');
    });
  });
}
