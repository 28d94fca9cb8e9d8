import { expectAccessible, FLOATING } from '../support/axe.ts';
import { expectToFitEveryWidth } from '../support/looks.ts';
import { button, expect, test } from '../support/states.ts';
import { startWebDevServer } from '../support/web-dev-server.ts';

test.use({ expectedProblems: /^foreign request: http:\/\/localhost:|Broken on purpose|A part of the page failed/ });

test('the page of all components', async ({ page }) => {
  const kit = await startWebDevServer();
  try {
    await page.goto(`${kit.url}/ui-kit.html`);
    await expect(page.getByRole('heading', { level: 1, name: 'UI kit' })).toBeVisible();
    await expectAccessible(page, 'all components');
    await expectToFitEveryWidth(page, 'all components');
    await button(page, 'Row actions').click();
    await expectAccessible(page, 'a menu', FLOATING);
    await page.keyboard.press('Escape');
    await button(page, 'Open dialog').click();
    await expectAccessible(page, 'a dialog');
    await page.keyboard.press('Escape');
    for (const variant of ['default', 'success', 'error', 'warning']) await button(page, `${variant} toast`).click();
    await expect(page.getByText('The warning toast', { exact: true })).toBeVisible();
    await expectAccessible(page, 'every toast');
  } finally {
    await kit.stop();
  }
});
