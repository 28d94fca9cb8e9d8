import { expectAccessible } from '../support/axe.ts';
import { holdRequests } from '../support/held-requests.ts';
import { expectToFitEveryWidth } from '../support/looks.ts';
import { OWNER } from '../support/sign-in.ts';
import { button, changeAnswers, dialog, expect, openBrand, refuse, test } from '../support/states.ts';

const TEAM = '**/api/v1/brands/*/team/?*';
const LONG = 'maximiliana.von-und-zu-hohenstein-langenburg@a-rather-long-company-name.example';

test('the team', async ({ page }) => {
  await openBrand(page, 'Fjord & Forest', OWNER);
  const release = await holdRequests(page, TEAM);
  await page.goto(page.url().replace(/product-variants.*/, 'team'));
  await expect(page.getByRole('heading', { level: 1, name: 'Team' })).toBeVisible();
  await expectAccessible(page, 'a team that is on its way');
  await release();
  await expect(page.getByRole('row').nth(2)).toBeVisible();
  // Adds members in every state, with long and short names.
  await changeAnswers<{ results: object[]; count: number }>(page, TEAM, (list) => {
    const [first] = list.results;
    const invited = { status: 'invited', role: 'viewer', first_name: '', last_name: '', last_seen_at: null };
    list.results.push(
      { ...first, ...invited, id: 9001, email: LONG, state: 'invited', expires_at: null, is_last_owner: false },
      { ...first, ...invited, id: 9002, email: 'e@x.example', state: 'expired', expires_at: '2026-01-01T00:00:00Z' },
    );
    list.count = list.results.length;
  });
  await page.reload();
  await expect(page.getByText('Invitation expired')).toBeVisible();
  await expectAccessible(page, 'the team');
  await expectToFitEveryWidth(page, 'the team');

  await button(page, 'Roles').click();
  await expectAccessible(page, 'roles and permissions');
  await expectToFitEveryWidth(page, 'roles and permissions');
  await page.keyboard.press('Escape');

  await button(page, 'Invite people').click();
  await page.getByLabel('Email addresses').fill(`${LONG} wrong`);
  await button(page, 'Send invitations').click();
  await expect(page.getByText('This is not an email address: wrong')).toBeVisible();
  await expectAccessible(page, 'an address that is none');
  await expectToFitEveryWidth(page, 'an address that is none');
  await page.getByLabel('Email addresses').fill(`${LONG} ${OWNER}`);
  await button(page, 'Send invitations').click();
  await expect(page.getByText('1 person was invited.')).toBeVisible();
  await expectAccessible(page, 'what became of invitations');
  await expectToFitEveryWidth(page, 'what became of invitations');
  await button(page, 'Done').click();

  await button(page, 'More for Olivia Lindqvist').click();
  await expect(page.getByText('Name another owner first.').first()).toBeVisible();
  await expectAccessible(page, 'the menu of the last owner');
  await page.getByRole('menuitem', { name: 'Change role' }).click();
  await expect(dialog(page)).toBeVisible();
  await expectAccessible(page, 'the role of the last owner');
  await page.keyboard.press('Escape');
  await button(page, 'More for Vera Okafor').click();
  await page.getByRole('menuitem', { name: 'Remove from the brand' }).click();
  await page.route('**/api/v1/brands/*/members/*/?*', refuse);
  await button(page, 'Remove').click();
  await expect(dialog(page).getByRole('alert')).toBeVisible();
  await expectAccessible(page, 'a member who could not be removed');
  await expectToFitEveryWidth(page, 'a member who could not be removed');
  await page.keyboard.press('Escape');
  await button(page, `More for ${LONG}`).first().click();
  await page.getByRole('menuitem', { name: 'Copy link' }).click();
  await page.route('**/team/*/link/', (route) =>
    route.fulfill({ json: { link: `https://portal.example/${LONG}`, expires_at: '2026-12-01T00:00:00Z' } }),
  );
  await button(page, 'Make link').click();
  await expect(page.getByLabel('Link', { exact: true })).toBeVisible();
  await expectAccessible(page, 'a link to hand over');
  await expectToFitEveryWidth(page, 'a link to hand over');
  await button(page, 'Done').click();

  await page.unroute(TEAM);
  await page.goto(`${page.url().replace(/\?.*/, '')}?search=nobody-of-this-name`);
  await expect(page.getByText('Nobody was found for')).toBeVisible();
  await expectAccessible(page, 'nobody found');
  await page.route(TEAM, refuse);
  await page.reload();
  await expect(page.getByText('The team could not be loaded')).toBeVisible();
  await expectAccessible(page, 'a team that could not be loaded');
});

test('the brand’s own settings', async ({ page }) => {
  await openBrand(page, 'Fjord & Forest', OWNER);
  await page.goto(page.url().replace(/product-variants.*/, 'settings'));
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('');
  await page.getByRole('textbox', { name: 'Logo' }).fill('no address');
  await button(page, 'Save').click();
  await expect(page.getByText('Enter a name')).toBeVisible();
  await expectAccessible(page, 'a brand that cannot be saved');
  await expectToFitEveryWidth(page, 'a brand that cannot be saved');
  await page.reload();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Mine');
  const context = { name: `${LONG} ${LONG}`, description: '', website: '', logo: '', version: '9' };
  await page.route('**/api/v1/brands/1/', (route) =>
    route.request().method() === 'PATCH'
      ? route.fulfill({ status: 409, json: { code: 'brand_changed', detail: '', context, request_id: 'x' } })
      : route.continue(),
  );
  await button(page, 'Save').click();
  await expect(button(page, 'Take theirs')).toBeVisible();
  await expectAccessible(page, 'a brand that somebody else has changed');
  await expectToFitEveryWidth(page, 'a brand that somebody else has changed');
  await button(page, 'Delete this brand').click();
  await button(page, 'Delete brand').click();
  await expect(page.getByText('This is not the name of the brand')).toBeVisible();
  await expectAccessible(page, 'the question before a brand is deleted');
  await expectToFitEveryWidth(page, 'the question before a brand is deleted');

  await page.route('**/api/v1/users/me/deleted-brands/', (route) =>
    route.fulfill({
      json: { results: [{ id: 1, name: `${LONG} ${LONG}`, restorable_until: '2026-12-01T00:00:00Z' }] },
    }),
  );
  await page.goto('/brands');
  await expect(page.getByText('Deleted, restorable until')).toBeVisible();
  await expectAccessible(page, 'a brand that can be restored');
  await expectToFitEveryWidth(page, 'a brand that can be restored');
});
