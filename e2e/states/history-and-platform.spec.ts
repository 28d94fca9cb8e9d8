import { expectAccessible } from '../support/axe.ts';
import { holdRequests } from '../support/held-requests.ts';
import { expectToFitEveryWidth } from '../support/looks.ts';
import { OWNER } from '../support/sign-in.ts';
import { changeAnswers, expect, openBrand, refuse, test } from '../support/states.ts';

const HISTORY = '**/api/v1/brands/*/history/?*';
const LONG = 'Verylongnamewithoutanyspace'.repeat(5);

test('the history', async ({ page }) => {
  await openBrand(page, 'Fjord & Forest', OWNER);
  const letGo = await holdRequests(page, HISTORY);
  await page.goto(page.url().replace(/product-variants.*/, 'history'));
  await expect(page.getByRole('heading', { level: 1, name: 'History' })).toBeVisible();
  await expectAccessible(page, 'a history that is on its way');
  await letGo();
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await expectAccessible(page, 'the history');

  await changeAnswers<{ results: object[]; older: number }>(page, HISTORY, (history) => {
    const [entry] = history.results;
    const by = { kind: 'person', id: 1, name: LONG };
    const subjects = [{ kind: 'variant', id: 1, label: `${LONG} (61414100)`, exists: true }];
    history.results = [
      { ...entry, id: 3, text: `Certificate rejected: ${LONG}`, by, subjects, deletion: null },
      { ...entry, id: 2, text: 'Variants deleted: 12', by, subjects: [], deletion: { id: 1, restorable: true } },
      { ...entry, id: 1, text: 'Variants deleted: 2', subjects: [], deletion: { id: 2, restorable: false } },
    ];
    history.older = 1;
  });
  await page.reload();
  await expect(page.getByRole('button', { name: /^Restore/ })).toBeVisible();
  await expectAccessible(page, 'a history of long names and deletions');
  await expectToFitEveryWidth(page, 'a history of long names and deletions');
  await page.getByRole('combobox', { name: 'Action' }).click();
  await expectAccessible(page, 'the filter of the history');
  await page.keyboard.press('Escape');
  await page.unroute(HISTORY);

  await page.goto(`${page.url()}?from=2001-01-01&to=2001-01-02`);
  await expect(page.getByText('Nothing in the history matches this filter.')).toBeVisible();
  await expectAccessible(page, 'a history without matches');
  await expectToFitEveryWidth(page, 'a history without matches');
  await page.route(HISTORY, refuse);
  await page.reload();
  await expect(page.getByText('The history could not be loaded')).toBeVisible();
  await expectAccessible(page, 'a history that could not be loaded');
});
