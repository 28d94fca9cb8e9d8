import { expectAccessible } from '../support/axe.ts';
import { holdRequests } from '../support/held-requests.ts';
import { expectToFitEveryWidth } from '../support/looks.ts';
import { OWNER } from '../support/sign-in.ts';
import { changeAnswers, expect, openBrand, refuse, test } from '../support/states.ts';

const HISTORY = '**/api/v1/brands/*/history/?*';
const LONG = 'Verylongnamewithoutanyspace'.repeat(5);

test('the history', async ({ page }) => {
  await openBrand(page, 'Fjord & Forest', OWNER);
  const release = await holdRequests(page, HISTORY);
  await page.goto(page.url().replace(/product-variants.*/, 'history'));
  await expect(page.getByRole('heading', { level: 1, name: 'History' })).toBeVisible();
  await expectAccessible(page, 'a history that is on its way');
  await release();
  await expect(page.getByRole('table')).toHaveAttribute('aria-busy', 'false');
  await expectAccessible(page, 'the history');

  await changeAnswers<{ results: object[]; older: number }>(page, HISTORY, (history) => {
    const [entry] = history.results;
    const by = { kind: 'person', id: 1, name: LONG };
    const subjects = [{ kind: 'variant', id: 1, label: `${LONG} (61414100)`, exists: true }];
    const deletion = { id: 1, restorable: true, variants: 12, restored: 0 };
    const restored = { id: 2, restorable: false, variants: 1_200, restored: 1_180 };
    history.results = [
      { ...entry, id: 3, text: `Certificate rejected: ${LONG}`, by, subjects, deletion: null },
      { ...entry, id: 2, text: 'Variants deleted: 12', by, subjects: [], deletion },
      { ...entry, id: 1, text: 'Variants deleted: 1,200', subjects: [], deletion: restored },
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

const PLATFORM = '**/api/v1/platform/';
const at = '2026-10-01T08:00:00.000Z';
const BRANDS = Array.from({ length: 3 }, (_, index) => ({
  id: index + 1,
  name: index === 0 ? LONG : 'Fjord & Forest',
  status: ['active', 'inactive', 'pending'][index],
  created_at: at,
  opted_in_for_trial: false,
  member_count: 12,
  shares_name: index > 0,
  owner: index === 2 ? null : { email: `${LONG}@example.com`, name: index === 0 ? LONG : '', is_invited: index === 0 },
}));
const ANSWERS = {
  'brands/?*': { results: BRANDS, count: 300, sharing_names: 2 },
  'deliveries/': {
    results: [
      {
        ...{
          brand_id: 1,
          brand_name: LONG,
          variant_id: 1,
          gtin: '61414100',
          state: 'refused',
          attempts: 3,
          reason: LONG,
        },
        since: at,
        next_attempt_at: at,
      },
    ],
    count: 200,
  },
  'imports/': {
    results: [{ brand_id: 1, brand_name: LONG, id: 1, file_name: `${LONG}.csv`, created_at: at, reason: LONG }],
    count: 1,
  },
  'registries/': {
    results: [{ certification_name: 'FSC', entries: 1_200_000, loaded_at: at, can_roll_back: true }],
  },
  'registries/rollback/': {
    loaded_at: at,
    brands: 3,
    effects: [{ from: 'validated', to: 'invalid', certificates: 12_000, brands: 300 }],
  },
  'jobs/': {
    kinds: [{ task: 'deliver', waiting: 1, scheduled: 2, running: 3, retrying: 4, failed: 5 }],
    failing: [
      {
        id: '5',
        task: 'send_invitation',
        attempts: 25,
        max_attempts: 25,
        last_error: LONG,
        created_at: at,
        run_at: null,
      },
    ],
  },
};
const EMPTY = { results: [], count: 0, kinds: [], failing: [] };

test('the pages of platform staff', async ({ page }) => {
  await openBrand(page, 'Fjord & Forest', OWNER);
  const play = async (change?: object) => {
    for (const [path, answer] of Object.entries(ANSWERS))
      await page.route(PLATFORM + path, (route) => route.fulfill({ json: change ?? answer }));
  };
  await play();
  const pages = [
    ['brands', 'All brands', 'Fjord & Forest'],
    ['failures', 'Failures', 'Deliveries to Google'],
    ['registries', 'Registries', 'FSC'],
    ['jobs', 'Jobs', 'deliver'],
  ] as const;
  for (const [path, title, content] of pages) {
    await page.goto(`/platform/${path}`);
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await expect(page.getByRole('main').getByText(content, { exact: true }).first()).toBeVisible();
    await expectAccessible(page, title);
    await expectToFitEveryWidth(page, title);
  }
  await page.goto('/platform/registries');
  await page.getByRole('button', { name: 'Roll back FSC' }).click();
  await expect(page.getByText('12,000 certificates: Validated → Invalid (brands: 300)')).toBeVisible();
  await expectAccessible(page, 'the question before a registry is rolled back');
  await page.goto('/platform/brands');
  await page.getByRole('button', { name: 'Create brand' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Create brand' }).click();
  await expect(page.getByText('Please fill this in.')).toHaveCount(2);
  await expectAccessible(page, 'a new brand without a name');

  await page.unrouteAll();
  await play(EMPTY);
  for (const [path, title] of pages) {
    await page.goto(`/platform/${path}`);
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await expect(page.getByText(/No |The queue/).first()).toBeVisible();
    await expectAccessible(page, `${title}, nothing there`);
  }
  await page.unrouteAll();
  await page.goto('/platform/jobs');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page not found');
});
