import { expectAccessible } from '../support/axe.ts';
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
    await expectAccessible(page, 'a menu');
    await page.keyboard.press('Escape');
    await page.getByRole('combobox', { name: 'Show' }).click();
    await expect(page.getByRole('listbox')).toBeVisible();
    await expectAccessible(page, 'options');
    await page.keyboard.press('Escape');
    await button(page, 'Has a popover').click();
    await expect(page.getByRole('dialog', { name: 'More about this' })).toBeVisible();
    await expectAccessible(page, 'a popover');
    await page.keyboard.press('Escape');
    await button(page, 'Has a tooltip').focus();
    await expect(page.getByRole('tooltip')).toBeVisible();
    await expectAccessible(page, 'a tooltip');
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
