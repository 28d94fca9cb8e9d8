import { test as base, expect } from '@playwright/test';
import { expectAccessible } from '../support/axe.ts';
import { collectProblems } from '../support/page-problems.ts';
import { startWebDevServer } from '../support/web-dev-server.ts';

const test = base.extend<object, { kitUrl: string }>({
  kitUrl: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the wanted fixtures from this pattern.
    async ({}, use) => {
      const { url, stop } = await startWebDevServer();
      await use(url);
      await stop();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
});

for (const [mode, width] of [
  ['light', 375],
  ['dark', 1440],
] as const) {
  test(`all components are accessible in ${mode} at ${width} px`, async ({ page, kitUrl }) => {
    const problems = await collectProblems(page, kitUrl);
    await page.setViewportSize({ width, height: 900 });
    await page.addInitScript((stored) => localStorage.setItem('color-mode', stored), mode);
    await page.goto(`${kitUrl}/ui-kit.html`);
    await expect(page.getByRole('button').first()).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('data-theme', mode);
    await expectAccessible(page);
    // Nothing may stick out sideways: a phone would scroll the whole page.
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    expect(problems).toEqual([]);
  });
}
