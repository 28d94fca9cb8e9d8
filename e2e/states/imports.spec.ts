import type { ImportPreview } from '@brand-portal/contract/import';
import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/axe.ts';
import { csvFile, gtin } from '../support/csv-files.ts';
import { holdRequests } from '../support/held-requests.ts';
import { expectToFitEveryWidth } from '../support/looks.ts';
import { dialog, expect, openBrand, refuse, test } from '../support/states.ts';

const LIST = '**/api/v1/brands/*/imports/?*';
const ONE = '**/api/v1/brands/*/imports/7/';
const GROUPS = '**/imports/7/error-groups/';
const CHANGES = '**/imports/7/changes/?*';
const UNDO = '**/imports/7/undo/';
const CORRECTIONS = '**/imports/7/corrections/?*';

const receipt = {
  id: 7,
  file_name: 'autumn-collection-with-a-long-name-2026.csv',
  file_bytes: 50,
  file_sha256: 'x',
  created_at: '2026-11-16T08:30:00Z',
  state: 'done',
  stage: null,
  rows_done: 1_220,
  rows_total: 1_220,
  imported_by: { first_name: 'Ada', last_name: 'Byron', email: 'ada@example.com' },
  failure: null,
  total_rows: 1_220,
  imported: 20,
  rejected: 1_200,
  error_count: 1_200,
  warnings: [],
  variants_created: 11,
  variants_updated: 5,
  variants_unchanged: 4,
  variants_removed: 0,
  undoes_import_id: null,
  corrects_import_id: null,
  undo_until: '2999-01-01T00:00:00Z',
  changed_nothing: false,
  kept_count: 0,
};
const kept = [{ id: 4, gtin: '4006381333931', name: 'Olive oil' }];
const running = { state: 'running', stage: 'reading', rows_done: 700, rows_total: 1_220 };
const failed = { state: 'failed', failure: { code: 'interrupted', message: 'The server stopped.' }, undo_until: null };
const undo = { id: 9, undoes_import_id: 7, undo_until: null, kept_count: 1, variants_removed: 11, rejected: 0 };
const preview: ImportPreview = {
  import_id: 7,
  file_name: receipt.file_name,
  valid_until: '2999-01-01T00:00:00Z',
  total_rows: 20,
  rejected: 0,
  error_count: 0,
  variants_created: 20,
  variants_updated: 0,
  variants_unchanged: 0,
  needs_trial: false,
  ...{
    channel: { published: 0, sent_again: 0 },
    created: [],
    updated: [],
    errors: [],
    warnings: [],
    likely_ids: [],
    same_as: null,
  },
};
const others = [undo, { state: 'undone' }, failed, { state: 'cancelled' }, { state: 'waiting' }, { state: 'checked' }, running];

const columns = ['variant_name', 'gtin', 'category', 'certificate_id', 'certification_name'].map((name, place) => ({
  place,
  name,
  field: name,
}));
const unknown = {
  place: 4,
  code: 'unknown_certification',
  suggestions: ['Fairtrade'],
  message: 'The certification "Fairtrade Intl" is not supported. Did you mean "Fairtrade"?',
};
const checkDigit = {
  place: 1,
  code: 'gtin_check_digit',
  suggestions: [],
  message: 'The check digit (the last one) should be 1, but it is 2. Please compare the number with the package.',
  hint: 'If the other digits are right, the number is 4006381333931. Please compare it with the package.',
};
const tooMany = {
  place: null,
  code: 'too_many_cells',
  message: 'The row has 7 cells, but there are 5 columns.',
  suggestions: [],
};
const cells = ['Green tea', '4006381333931', 'Drinks', 'FT-1', 'Fairtrade Intl'];
const rejected = { row: 3, state: 'wrong', cells, corrected: [], errors: [unknown], import_id: null };
const corrections = {
  columns,
  results: [
    rejected,
    { ...rejected, row: 1_204, cells: ['Black tea', '4006381333932', '', '', ''], errors: [checkDigit] },
    { ...rejected, row: 1_205, errors: [tooMany] },
    { ...rejected, row: 1_206, state: 'ready', errors: [], corrected: [4], cells: [...cells.slice(0, 4), 'Fairtrade'] },
    { ...rejected, row: 1_207, state: 'importing', errors: [], import_id: 9 },
    { ...rejected, row: 1_208, state: 'imported', errors: [], import_id: 9 },
  ],
  count: 1_200,
  counts: { wrong: 1_197, ready: 1, importing: 1, imported: 1 },
};

async function openImports(page: Page): Promise<void> {
  await openBrand(page, 'Fjord & Forest');
  await page.getByRole('link', { name: 'Imports', exact: true }).click();
}

test('the imports', async ({ page }) => {
  const results = [receipt, ...others.map((change, index) => ({ ...receipt, ...change, id: 20 + index }))];
  // The page polls while an import runs, so every call is mocked.
  await page.route(LIST, (route) => {
    const found = new URL(route.request().url()).searchParams.has('search') ? [] : results;
    return route.fulfill({ json: { results: found, count: found.length } });
  });
  await openImports(page);
  await expect(page.getByText('Running, 57%')).toBeVisible();
  await expectAccessible(page, 'the imports');
  await expectToFitEveryWidth(page, 'the imports');

  await page.getByRole('searchbox').fill('no such thing');
  await expect(page.getByRole('button', { name: 'Clear search' })).toBeVisible();
  await expectAccessible(page, 'a search that found nothing');
  await page.unroute(LIST);

  const release = await holdRequests(page, LIST, (route) => route.fulfill({ json: { results: [], count: 0 } }));
  await page.goto(page.url().replace(/\?.*/, ''));
  await expect(page.getByRole('table')).toHaveAttribute('aria-busy', 'true');
  await expectAccessible(page, 'imports that are on their way');
  await release();
  await expect(page.getByRole('heading', { name: 'No imports yet' })).toBeVisible();
  await expectAccessible(page, 'no imports');
  await page.route(LIST, refuse);
  await page.reload();
  await expect(page.getByRole('alert')).toBeVisible();
  await expectAccessible(page, 'imports that could not be loaded');
});

test('a file on the Imports page', async ({ page }) => {
  await page.route(LIST, (route) => route.fulfill({ json: { results: [receipt], count: 1 } }));
  await openImports(page);
  const place = page.getByRole('region', { name: 'Import a file' });
  const choose = (name: string, lines: string[]) => place.locator('input[type="file"]').setInputFiles(csvFile(name, lines));
  await expect(place.getByRole('button', { name: 'Choose a file' })).toBeVisible();
  const notes = { name: 'notes.md', mimeType: 'text/plain', buffer: Buffer.from('x') };
  await place.locator('input[type="file"]').setInputFiles(notes);
  await expect(place.getByRole('alert')).toBeVisible();
  await expectAccessible(page, 'a file of the wrong kind');
  await choose('autumn.csv', ['Produktname;EAN', `Mijo;${gtin(60_001)}`]);
  await expect(place.getByRole('button', { name: 'Upload File' })).toBeFocused();
  await expectAccessible(page, 'a chosen file');
  await expectToFitEveryWidth(page, 'a chosen file');
  await place.getByRole('button', { name: 'Upload File' }).click();
  await expect(place).toContainText('Which column is which?');
  await expectAccessible(page, 'which column is which');
  await place.getByRole('button', { name: 'Check first' }).click();
  await expect(place).toContainText('Nothing has been imported yet');
  await expectAccessible(page, 'what the file would do');
  await place.getByRole('button', { name: 'Import 1 row' }).click();
  await expect(place).toContainText('1 row imported successfully');
  await expectAccessible(page, 'a file that was imported');
  await expectToFitEveryWidth(page, 'a file that was imported');
});

test('an import', async ({ page }) => {
  const detail = { ...receipt, errors: [], kept: [], may_edit: true };
  detail.warnings = [{ code: 'ignored_columns', message: 'Unknown columns are ignored: Notes.' }] as never[];
  const rows = Array.from({ length: 20 }, (_, index) => ({ row: index + 2, message: 'The check digit should be 1.' }));
  const group = { code: 'gtin_check_digit', field: 'gtin', title: 'Wrong check digit', count: 1_200, rows };
  const change = {
    variant_id: 1,
    gtin: '4006381333931',
    name: 'Sea salt',
    old_name: 'Salt',
    category: 'Food',
    old_category: '',
    certificates: ['Fairtrade FT-1'],
  };
  await page.route(LIST, (route) => route.fulfill({ json: { results: [receipt], count: 1 } }));
  await page.route(GROUPS, (route) => route.fulfill({ json: [group] }));
  await page.route(CORRECTIONS, (route) => route.fulfill({ json: corrections }));
  await page.route(CHANGES, (route) => route.fulfill({ json: { results: [change], count: 11 } }));
  await page.route(UNDO, (route) => route.fulfill({ json: { restored: 5, removed: 10, withdrawn: 4, kept_count: 1, kept } }));
  await page.route('**/imports/7/preview/', (route) => route.fulfill({ json: preview }));
  const release = await holdRequests(page, ONE, (route) => route.fulfill({ json: detail }));
  await openImports(page);
  await page.getByRole('link', { name: receipt.file_name }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Loading' })).toBeAttached();
  await expectAccessible(page, 'an import that is on its way');
  await release();
  await page.getByText('1,200 × Wrong check digit').click();
  await page.getByRole('tab', { name: 'Updated' }).click();
  await expect(page.getByRole('cell', { name: 'before: Salt after: Sea salt' })).toBeVisible();
  await expectAccessible(page, 'an import');
  await expectToFitEveryWidth(page, 'an import');
  await page.getByRole('button', { name: 'Undo import' }).click();
  await expect(dialog(page)).toContainText('Olive oil');
  await expectAccessible(page, 'the dialog of an undo');
  await page.keyboard.press('Escape');

  for (const [state, shown] of [
    ['an import that runs', running],
    ['an import that failed', failed],
    ['a file that was checked', { state: 'checked', undo_until: null, rejected: 0 }],
    ['an import that was undone', { state: 'undone', undo_until: null }],
    ['an undo', { ...undo, id: 7, undoes_import_id: 6, kept }],
  ] as const) {
    await page.unroute(ONE);
    await page.route(ONE, (route) => route.fulfill({ json: { ...detail, ...shown } }));
    await page.reload();
    await expect(page.getByRole('heading', { level: 1 })).toContainText(receipt.file_name);
    await expectAccessible(page, state);
  }
  await page.unroute(ONE);
  await page.route(ONE, refuse);
  await page.reload();
  await expect(page.getByRole('alert')).toBeVisible();
  await expectAccessible(page, 'an import that could not be loaded');
});

test('an upload that was left', async ({ page }) => {
  await page.route('**/variant-certifications/upload/', (route) =>
    route.fulfill({ status: 202, json: { import_id: 7, state: 'running' } }),
  );
  await page.route(ONE, (route) => route.fulfill({ json: { ...receipt, ...running, errors: [], kept: [] } }));
  await openBrand(page, 'Fjord & Forest');
  await page.getByRole('link', { name: 'Certificates', exact: true }).click();
  // A link to the current URL would replace the history entry, so it waits for the other page first.
  await expect(page.getByRole('heading', { name: 'Your Certificates' })).toBeVisible();
  await page.getByRole('link', { name: 'Product Variants & Publishing' }).click();
  await page.getByRole('button', { name: 'Add Product Variant' }).click();
  const file = { name: 'autumn.csv', mimeType: 'text/csv', buffer: Buffer.from('variant_name,gtin\nSalt,96385074\n') };
  await dialog(page).locator('input[type="file"]').setInputFiles(file);
  await page.getByRole('button', { name: 'Upload File' }).click();
  await expect(dialog(page)).toContainText('Reading rows: 700 of 1,220');
  await page.goBack();
  await expect(page.getByRole('link', { name: 'See this import' })).toBeVisible();
  await expectAccessible(page, 'the toast of an import that goes on');
});

test('rejected rows that are corrected', async ({ page }) => {
  const detail = { ...receipt, errors: [], kept: [], may_edit: true };
  await page.route(LIST, (route) => route.fulfill({ json: { results: [receipt], count: 1 } }));
  await page.route(ONE, (route) => route.fulfill({ json: detail }));
  await page.route(GROUPS, (route) => route.fulfill({ json: [] }));
  await page.route(CHANGES, (route) => route.fulfill({ json: { results: [], count: 0 } }));
  await page.route('**/imports/7/corrections/3/', (route) =>
    route.fulfill({ json: { row: corrections.results[3], counts: corrections.counts, same: 412 } }),
  );
  const release = await holdRequests(page, CORRECTIONS, (route) => route.fulfill({ json: corrections }));
  await openImports(page);
  await page.getByRole('link', { name: receipt.file_name }).click();
  await expect(page.getByRole('heading', { name: 'Rejected rows' })).toBeVisible();
  await expectAccessible(page, 'rejected rows that are on their way');
  await release();
  await expect(page.getByRole('table', { name: 'Rejected rows' })).toBeVisible();
  await expectAccessible(page, 'rejected rows');
  await expectToFitEveryWidth(page, 'rejected rows');
  const size = page.viewportSize();
  for (const width of [768, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    // The error is visible without horizontal scrolling.
    const error = await page.getByText(unknown.message).first().boundingBox();
    expect(error && error.x + error.width).toBeLessThanOrEqual(width);
  }
  if (size) await page.setViewportSize(size);
  await page.getByRole('button', { name: 'Edit gtin, row 1204:' }).click();
  await expectAccessible(page, 'a cell that is edited');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Use “Fairtrade” for certification_name, row 3' }).click();
  await expect(page.getByRole('button', { name: 'Apply to all 412 rows with this value' })).toBeVisible();
  // Scrolled, the sticky bar may cover all of a cell but a few pixels.
  await page.evaluate(() => window.scrollTo(0, 0));
  await expectAccessible(page, 'the offer to replace a value in all rows');
  await page.unroute(CORRECTIONS);
  await page.route(CORRECTIONS, refuse);
  await page.reload();
  await expect(page.getByText('The rejected rows could not be loaded')).toBeVisible();
  await expectAccessible(page, 'rejected rows that could not be loaded');
  await page.unroute(CORRECTIONS);
  const none = { columns, results: [], count: 0, counts: { wrong: 0, ready: 0, importing: 0, imported: 0 } };
  await page.route(CORRECTIONS, (route) => route.fulfill({ json: none }));
  await page.reload();
  await expect(page.getByText(/they are kept for 90 days/)).toBeVisible();
  await expectAccessible(page, 'rejected rows that are no longer kept');
});
