import type { Page } from '@playwright/test';
import { expect, test } from '../support/journey.ts';

interface ThemeRecord {
  changes: { theme: string | null; at: number }[];
  firstPaintAt: number | undefined;
}

/** Stores the dark mode. Records each change of the theme and the first paint, from the start of the page. */
async function recordTheme(page: Page): Promise<() => Promise<ThemeRecord>> {
  await page.addInitScript(() => {
    localStorage.setItem('color-mode', 'dark');
    const record: ThemeRecord = { changes: [], firstPaintAt: undefined };
    Object.assign(window, { themeRecord: record });
    new MutationObserver(() => {
      record.changes.push({ theme: document.documentElement.getAttribute('data-theme'), at: performance.now() });
    }).observe(document, { subtree: true, attributes: true, attributeFilter: ['data-theme'] });
    new PerformanceObserver((list) => {
      record.firstPaintAt ??= list.getEntries()[0]?.startTime;
    }).observe({ type: 'paint', buffered: true });
  });
  return async () => {
    await page.waitForFunction(() => (window as unknown as { themeRecord: ThemeRecord }).themeRecord.firstPaintAt);
    return page.evaluate(() => (window as unknown as { themeRecord: ThemeRecord }).themeRecord);
  };
}

/** The app has rendered some text. */
async function expectAppShown(page: Page): Promise<void> {
  await expect(page.locator('#root')).toContainText(/\p{L}{2}/u);
}

test('the first load shows the app, and sends requests only to its own server', async ({ page }) => {
  const answer = await page.goto('/');
  expect(answer?.status()).toBe(200);
  expect(answer?.headers()['content-security-policy']).toContain("default-src 'none'");
  await expectAppShown(page);
});

test('the documentation of the API breaks no content security policy', async ({ page }) => {
  await page.goto('/api/docs');
  await expect(page.getByRole('heading', { name: /Brand Portal/ })).toBeVisible();
});

test('the first paint has the stored colour mode', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  const readTheme = await recordTheme(page);
  await page.goto('/');
  await expectAppShown(page);
  const { changes, firstPaintAt = 0 } = await readTheme();
  expect(new Set(changes.map(({ theme }) => theme))).toEqual(new Set(['dark']));
  expect(changes[0]?.at).toBeLessThan(firstPaintAt);
});

test.describe('language', () => {
  const LANGUAGES = [
    { locale: 'es-MX', language: 'es' },
    { locale: 'fr-FR', language: 'en' },
  ];
  for (const { locale, language } of LANGUAGES) {
    test.describe(locale, () => {
      test.use({ locale });
      // spec: §1 languages, §9 languages
      test(`a browser that asks for ${locale} gets ${language}`, async ({ page }) => {
        await page.goto('/');
        await expectAppShown(page);
        await expect(page.locator('html')).toHaveAttribute('lang', language);
        await expect(page.locator('#root')).toContainText(language === 'es' ? SPANISH : ENGLISH);
      });
    });
  }
});

const ENGLISH = /\b(the|your|and|is|sign)\b/i;
const SPANISH = /\b(el|la|los|tus?|sus?|y|está|inicia|iniciar)\b/i;
