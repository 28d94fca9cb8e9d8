import { expectAccessible } from '../support/axe.ts';
import { holdRequests } from '../support/held-requests.ts';
import { expectColumnsApart, expectToFitEveryWidth } from '../support/looks.ts';
import { OWNER, signIn } from '../support/sign-in.ts';
import { button, changeAnswers, dialog, expect, openBrand, refuse, test } from '../support/states.ts';

const ME = '**/api/v1/users/me/';
const KEYS = '**/api/v1/brands/*/api-keys/';

test('the API keys', async ({ page }) => {
  await openBrand(page, 'Fjord & Forest', OWNER);
  const release = await holdRequests(page, KEYS);
  await page.goto(page.url().replace(/product-variants.*/, 'api-keys'));
  await expect(page.getByRole('heading', { level: 1, name: 'API keys' })).toBeVisible();
  await expectAccessible(page, 'keys that are on their way');
  await release();
  await expect(page.getByRole('heading', { name: 'No API keys yet' })).toBeVisible();
  await expectAccessible(page, 'no keys');

  await button(page, 'Create key').click();
  await button(page, 'Create').click();
  await expect(dialog(page)).toContainText('Enter a name');
  await expectAccessible(page, 'a key without a name');
  await dialog(page).getByRole('textbox', { name: 'Name' }).fill('Nightly upload of the warehouse in Oslo');
  await page.route(KEYS, refuse);
  await button(page, 'Create').click();
  await expect(dialog(page).getByRole('alert')).toBeVisible();
  await expectAccessible(page, 'a key that was refused');
  await page.unroute(KEYS);
  await button(page, 'Create').click();
  await expect(dialog(page).getByRole('textbox', { name: 'Key' })).toHaveValue(/^bp_/);
  await expectAccessible(page, 'the new key');
  await button(page, 'Done').click();

  await changeAnswers<{ results: object[] }>(page, KEYS, ({ results }) => {
    const [key] = results;
    const other = (id: number, change: object) => ({ ...key, id, ...change });
    const time = '2026-11-10T10:00:00Z';
    results.push(
      other(100_001, { maker_left: true, created_by: 'Maximiliana Wolfeschlegelsteinhausen', last_used_at: time }),
      other(100_002, { name: 'W'.repeat(100), state: 'expired', role: 'admin', expires_at: time }),
      other(100_003, { state: 'revoked', expires_at: null, created_by: '', maker_left: true }),
    );
  });
  await page.reload();
  await expect(page.getByText('Revoked', { exact: true })).toBeVisible();
  await expectAccessible(page, 'keys in every state');
  await expectToFitEveryWidth(page, 'keys in every state');
  for (const width of [768, 1440]) {
    const size = page.viewportSize();
    await page.setViewportSize({ width, height: 800 });
    await expectColumnsApart(page);
    if (size) await page.setViewportSize(size);
  }
  await page
    .getByRole('button', { name: /^Revoke Nightly/ })
    .first()
    .click();
  await expect(dialog(page)).toBeVisible();
  await page.route(`${KEYS}*/`, refuse);
  await button(page, 'Revoke').click();
  await expect(dialog(page).getByRole('alert')).toBeVisible();
  await expectAccessible(page, 'a key that could not be revoked');
  await page.unrouteAll();
  await button(page, 'Revoke').click();
  await expect(dialog(page)).toBeHidden();

  await page.route(KEYS, refuse);
  await page.reload();
  await expect(page.getByRole('alert')).toContainText('The API keys could not be loaded');
  await expectAccessible(page, 'keys that could not be loaded');
});

test('the account', async ({ page }) => {
  await signIn(page, OWNER);
  const release = await holdRequests(page, `${ME}{account,sessions,notifications}/`);
  await page.goto('/account');
  await expect(page.getByRole('heading', { level: 1, name: 'Your account' })).toBeVisible();
  await expectAccessible(page, 'an account that is on its way');
  await release();
  await changeAnswers<{ results: object[] }>(page, `${ME}sessions/`, ({ results }) => {
    const time = '2026-11-10T10:00:00Z';
    results.splice(1);
    results.push(
      { ...results[0], id: 100_001, is_current: false, device: { browser: 'Safari', system: 'iPhone' } },
      { ...results[0], id: 100_002, is_current: false, device: { browser: null, system: null }, last_used_at: time },
    );
  });
  await page.reload();
  await expect(page.getByText('Unknown device')).toBeVisible();
  await expect(page.getByRole('checkbox', { name: 'Fjord & Forest' })).toBeChecked();
  await expectAccessible(page, 'the account');
  await expectToFitEveryWidth(page, 'the account');

  await page.route(`${ME}account/`, refuse);
  await button(page, 'Save').click();
  await expect(page.getByRole('region', { name: 'Name' }).getByRole('alert')).toBeVisible();
  await page.route('**/api/v1/brands/*/notifications/', refuse);
  await page.getByRole('checkbox', { name: 'Fjord & Forest' }).click();
  await expect(page.getByRole('region', { name: 'Email notices' }).getByRole('alert')).toBeVisible();
  await expectAccessible(page, 'changes that were refused');

  await button(page, 'Delete account').click();
  await dialog(page).getByRole('textbox').fill('somebody@else.example');
  await dialog(page).getByRole('button', { name: 'Delete account' }).click();
  await expect(dialog(page)).toContainText('This is not your address');
  await expectAccessible(page, 'a wrong address');
  await dialog(page).getByRole('textbox').fill(OWNER);
  await dialog(page).getByRole('button', { name: 'Delete account' }).click();
  await expect(dialog(page).getByRole('alert')).toContainText('Fjord & Forest');
  await expectAccessible(page, 'an owner who cannot go');
  await page.keyboard.press('Escape');

  await page.route(`${ME}{account,sessions,notifications}/`, refuse);
  await page.reload();
  await expect(page.getByRole('alert').first()).toBeVisible();
  await expectAccessible(page, 'an account that could not be loaded');
});
