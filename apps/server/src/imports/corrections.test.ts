import type { ImportReceipt } from '@brand-portal/contract/import';
import { MAX_CORRECTION_LENGTH, type RejectedRow, type RejectedRowPage } from '@brand-portal/contract/import-corrections';
import { describe, expect, inject, test } from 'vitest';
import { expectDerivedData } from '../../test/catalogue.ts';
import { createTestMember } from '../../test/people.ts';
import { textRow, workbook } from '../../test/workbooks.ts';
import { toGtin } from '../channel/test-support/delivery.ts';
import { correctAll } from './corrections.ts';
import { purgeImports } from './receipts.ts';
import {
  addImportingBrand,
  describeBrand,
  type ImportingBrand,
  lockBrandRow,
  useImportingBrand,
  waitsForLock,
} from './test-support/uploads.ts';

const HEADER = 'variant_name,gtin,category,certificate_id,certification_name';
const [NAME, GTIN, CERTIFICATE_ID, CERTIFICATION] = [0, 1, 3, 4];

const send = async (brand: ImportingBrand, ...lines: string[]) => (await brand.upload(`${[HEADER, ...lines].join('\n')}\n`)).import_id;

function call({ app, brandId, editor }: ImportingBrand, method: 'GET' | 'POST' | 'PATCH', path: string, payload?: object, user = editor) {
  const url = `/api/v1/brands/${brandId}/imports/${path}`;
  return app.inject({ method, url, headers: user.headers, ...(payload && { payload }) });
}

async function list(brand: ImportingBrand, importId: number, query = ''): Promise<RejectedRowPage> {
  const answer = await call(brand, 'GET', `${importId}/corrections/${query}`);
  if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}: ${answer.body}`);
  return answer.json();
}

const correct = (brand: ImportingBrand, importId: number, row: number, place: number, to: string, from?: string) =>
  call(brand, 'PATCH', `${importId}/corrections/${row}/`, { place, to, ...(from !== undefined && { from }) });
const replace = (brand: ImportingBrand, importId: number, place: number, from: string, to: string) =>
  call(brand, 'POST', `${importId}/corrections/replace/`, { place, from, to });
const importRows = (brand: ImportingBrand, importId: number) => call(brand, 'POST', `${importId}/corrections/import/`);

const names = async (brand: ImportingBrand) => (await describeBrand(brand)).map(({ name }) => name);
const codes = ({ errors }: RejectedRow) => errors.map(({ code }) => code);

test('the longest valid description is listed whole, corrected and imported', async () => {
  const brand = await useImportingBrand();
  const description = 'd'.repeat(5_000);
  const { import_id } = await brand.upload(`variant_name,gtin,description\n,${toGtin(1)},${description}\n`);
  expect((await list(brand, import_id)).results[0]?.cells.slice(0, 3)).toEqual(['', toGtin(1), description]);
  const shorter = description.slice(1);
  await correct(brand, import_id, 2, 0, 'Salt');
  expect((await correct(brand, import_id, 2, 2, shorter, description)).statusCode).toBe(200);
  expect((await importRows(brand, import_id)).json()).toMatchObject({ imported: 1 });
  const { rows } = await brand.pool.query(`select details->>'description' as stored from variants`);
  expect(rows).toEqual([{ stored: shorter }]);
});

test('rejected rows are listed with their columns, the error at its cell, in pages', async () => {
  const brand = await useImportingBrand();
  const importId = await send(
    brand,
    `Salt,${toGtin(1)},,,`,
    'Tea,12345,Drinks,,',
    `Oil,${toGtin(3)},,A,Nonsense`,
    'Rice',
    `Rye,${toGtin(4)},,,,,far`,
  );
  const page = await list(brand, importId);
  expect(page).toMatchObject({ count: 4, counts: { wrong: 4, ready: 0, importing: 0, imported: 0 } });
  expect(page.columns.map(({ place, name, field }) => [place, name, field])).toEqual([
    ...[[0, 'variant_name', 'variant_name'] as const, [1, 'gtin', 'gtin'], [2, 'category', 'category']],
    ...[[3, 'certificate_id', 'certificate_id'] as const, [4, 'certification_name', 'certification_name']],
    ...[[5, '', null] as const, [6, '', null]],
  ]);
  expect(page.results.map(({ row, cells, errors }) => [row, cells, errors.map(({ place, code }) => [place, code])])).toEqual([
    [3, ['Tea', '12345', 'Drinks', '', '', '', ''], [[GTIN, 'gtin_length']]],
    [4, ['Oil', toGtin(3), '', 'A', 'Nonsense', '', ''], [[CERTIFICATION, 'unknown_certification']]],
    [5, ['Rice', '', '', '', '', '', ''], [[null, 'too_few_cells']]],
    [6, ['Rye', toGtin(4), '', '', '', '', 'far'], [[null, 'too_many_cells']]],
  ]);
  expect((await list(brand, importId, '?page=2&page_size=2')).results.map(({ row }) => row)).toEqual([5, 6]);
  const spanish = await brand.get(`imports/${importId}/corrections/`, 'es');
  expect(spanish.json().results[0].errors[0].message).toContain('12345');
});

test('a column whose name has no visible character has no name, so it is not among the columns to correct', async () => {
  const brand = await useImportingBrand();
  const { import_id, warnings } = await brand.upload(`variant_name,gtin,\u200B,\u00AD,stock\nTea,12345,,,2\nOil,${toGtin(1)},Olive,,2\n`);
  expect(warnings.map(({ message }) => message)).toContainEqual(expect.stringMatching(/^A column without a name is ignored: C\./));
  const { columns } = await list(brand, import_id);
  expect(columns.map(({ name }) => name)).toEqual(['variant_name', 'gtin', 'stock', 'category', 'certificate_id', 'certification_name']);
});

test('a corrected cell is validated at once like in an import, and stored', async () => {
  const brand = await useImportingBrand();
  const importId = await send(brand, `,12345,,,`, 'Short');
  const half = (await correct(brand, importId, 2, NAME, 'Tea', '')).json();
  expect([half.row.state, codes(half.row), half.row.corrected]).toEqual(['wrong', ['gtin_length'], [NAME]]);
  const whole = (await correct(brand, importId, 2, GTIN, ` ${toGtin(2)} `)).json();
  expect([whole.row.state, codes(whole.row), whole.counts]).toEqual([...['ready', []], { wrong: 1, ready: 1, importing: 0, imported: 0 }]);
  expect((await correct(brand, importId, 3, GTIN, toGtin(3))).json().row).toMatchObject({ state: 'ready', errors: [] });
  expect((await list(brand, importId, '?state=ready')).results.map(({ row }) => row)).toEqual([2, 3]);
  // The corrected row is not imported yet. The download has the corrected text.
  expect(await names(brand)).toEqual([]);
  expect((await brand.get(`imports/${importId}/rejected-rows/`)).body).toContain(`3,,Short,'${toGtin(3)}`);
  // Corrected to an invalid value.
  expect((await correct(brand, importId, 3, GTIN, 'x')).json().row).toMatchObject({ state: 'wrong' });
});

test('a value is replaced in every row that has it, and in no other', async () => {
  const brand = await useImportingBrand();
  const lines = Array.from({ length: 1_200 }, (_, n) => `Tea ${n},${toGtin(n + 1)},,A${n},${n % 3 ? 'Fairtrade Intl' : 'Nonsense'}`);
  const importId = await send(brand, ...lines);
  const first = (await correct(brand, importId, 3, CERTIFICATION, 'Fairtrade', 'Fairtrade Intl')).json();
  expect([first.row.state, first.same]).toEqual(['ready', 799]);
  const rest = await replace(brand, importId, CERTIFICATION, 'Fairtrade Intl', 'Fairtrade');
  expect(rest.json()).toEqual({ rows: 799, rest: 0, counts: { wrong: 400, ready: 800, importing: 0, imported: 0 } });
  expect((await replace(brand, importId, NAME, 'Fairtrade Intl', 'x')).json().rows).toBe(0);
  const result = (await importRows(brand, importId)).json();
  expect(result).toMatchObject({ imported: 800, total_rows: 800, errors: [], variants_created: 800 });
  expect(await names(brand)).toHaveLength(800);
  await expectDerivedData(brand.pool);
});

test('a blank cell is filled only in rows where it is an error', async () => {
  const brand = await useImportingBrand();
  const importId = await send(brand, `Tea,${toGtin(1)},,A1,`, `Oil,${toGtin(2)},,A2,`, 'Salt,12345,,,');
  const first = (await correct(brand, importId, 2, CERTIFICATION, 'Fairtrade', '')).json();
  expect([first.row.state, first.same]).toEqual(['ready', 1]);
  const rest = (await replace(brand, importId, CERTIFICATION, '', 'Fairtrade')).json();
  expect(rest).toMatchObject({ rows: 1, rest: 0, counts: { wrong: 1, ready: 2 } });
  expect((await list(brand, importId)).results.map(codes)).toEqual([[], [], ['gtin_length']]);
});

test('the time to replace a value does not grow quadratically with the rows that have it', async () => {
  const brand = await useImportingBrand();
  const measure = async (count: number) => {
    const lines = Array.from({ length: count }, (_, n) => `Tea ${n},${toGtin(n + 1)},,A${n},Fairtrade Intl`);
    const importId = await send(brand, ...lines);
    const startedAt = performance.now();
    const answer = (await replace(brand, importId, CERTIFICATION, 'Fairtrade Intl', 'Fairtrade')).json();
    expect(answer).toMatchObject({ rows: count, counts: { ready: count } });
    return performance.now() - startedAt;
  };
  await measure(10);
  const [few, many] = [await measure(500), await measure(2_000)];
  expect(many / few).toBeLessThan(10);
});

test('one call corrects a limited number of rows, and returns how many are left', async () => {
  const brand = await useImportingBrand();
  const lines = Array.from({ length: 7 }, (_, n) => `Tea ${n},${toGtin(n + 1)},,A${n},Fairtrade Intl`);
  const place = { brandId: brand.brandId, importId: await send(brand, ...lines) };
  const correction = { place: CERTIFICATION, from: 'Fairtrade Intl', to: 'Fairtrade' };
  const next = () => correctAll(brand.database.db, place, correction, 'en', 3);
  expect(await next()).toMatchObject({ rows: 3, rest: 4, counts: { wrong: 4, ready: 3 } });
  expect(await next()).toMatchObject({ rows: 3, rest: 1 });
  expect(await next()).toMatchObject({ rows: 1, rest: 0, counts: { wrong: 0, ready: 7 } });
});

test('corrected rows become a new import, which refers to the first one and can be undone', async () => {
  const brand = await useImportingBrand();
  const importId = await send(brand, `Salt,${toGtin(1)},,,`, `Tea,${toGtin(2)},,B,Fairtrad`, 'Oil,123,,,');
  await correct(brand, importId, 3, CERTIFICATION, 'Fairtrade');
  const { import_id: second } = (await importRows(brand, importId)).json();
  const receipt: ImportReceipt = (await brand.get(`imports/${second}/`)).json();
  expect(receipt).toMatchObject({
    ...{
      corrects_import_id: importId,
      state: 'done',
      file_name: 'products.csv',
      total_rows: 1,
      imported: 1,
      rejected: 0,
    },
    variants_created: 1,
    undo_until: expect.any(String),
  });
  expect(await describeBrand(brand)).toMatchObject([{ name: 'Salt' }, { name: 'Tea', certificates: ['B'] }]);
  const rows = (await list(brand, importId)).results;
  expect(rows.map(({ row, state, import_id }) => [row, state, import_id])).toEqual([
    [3, 'imported', second],
    [4, 'wrong', null],
  ]);
  // Imported rows can be neither corrected nor downloaded.
  expect((await correct(brand, importId, 3, NAME, 'Green tea')).json().code).toBe('import_row_changed');
  expect((await replace(brand, importId, NAME, 'Tea', 'Green tea')).json().rows).toBe(0);
  expect((await brand.get(`imports/${importId}/rejected-rows/`)).body).not.toContain('Tea');

  expect((await call(brand, 'POST', `${second}/undo/`)).statusCode).toBe(200);
  expect(await names(brand)).toEqual(['Salt']);
  expect((await list(brand, importId)).results.map(({ state }) => state)).toEqual(['ready', 'wrong']);
  expect((await importRows(brand, importId)).json()).toMatchObject({ imported: 1 });
  expect(await names(brand)).toEqual(['Salt', 'Tea']);
  await expectDerivedData(brand.pool);
});

test('the preview of an undo counts later imports of corrected rows, and the list of rows says that the import is undone', async () => {
  const brand = await useImportingBrand();
  const importId = await send(brand, `Salt,${toGtin(1)},,,`, 'Tea,1,,,', 'Oil,2,,,');
  const preview = async () => (await call(brand, 'GET', `${importId}/undo/`)).json();
  expect(await preview()).toMatchObject({ removed: 1, corrected_imports: 0, corrected_variants: 0 });
  await correct(brand, importId, 3, GTIN, toGtin(2));
  const { import_id: second } = (await importRows(brand, importId)).json();
  await correct(brand, importId, 4, GTIN, toGtin(3));
  await importRows(brand, importId);
  expect(await preview()).toMatchObject({ removed: 1, corrected_imports: 2, corrected_variants: 2 });
  await call(brand, 'POST', `${second}/undo/`);
  expect(await preview()).toMatchObject({ corrected_imports: 1, corrected_variants: 1 });
  expect(await list(brand, importId)).toMatchObject({ import_undone: false });
  await call(brand, 'POST', `${importId}/undo/`);
  expect(await names(brand)).toEqual(['Oil']);
  expect(await list(brand, importId)).toMatchObject({ import_undone: true, counts: { ready: 1, imported: 1 } });
  // The rows can still be imported.
  expect((await importRows(brand, importId)).json()).toMatchObject({ imported: 1 });
});

test('two clicks import the rows once', async () => {
  const brand = await useImportingBrand();
  const importId = await send(brand, 'Tea,123,,,');
  await correct(brand, importId, 2, GTIN, toGtin(2));
  const answers = await Promise.all([importRows(brand, importId), importRows(brand, importId)]);
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
  expect(answers.find(({ statusCode }) => statusCode === 409)?.json().code).toBe('import_nothing_corrected');
  const { count } = (await brand.get('imports/')).json();
  expect([count, await names(brand)]).toEqual([2, ['Tea']]);
});

// On a cluster the statement waits on a worker, where this test does not see it.
const isCluster = inject('postgresUrls').length > 1;
test.skipIf(isCluster)('an import of corrected rows that waits for a running correction does not block other uploads', async () => {
  const brand = await useImportingBrand();
  const importId = await send(brand, 'Tea,123,,,');
  await correct(brand, importId, 2, GTIN, toGtin(2));
  const client = await brand.pool.connect();
  try {
    await client.query('begin');
    await client.query('select from imports where brand_id = $1 and id = $2 for no key update', [brand.brandId, importId]);
    const importing = importRows(brand, importId);
    await waitsForLock(brand);
    expect(await send(brand, `Salt,${toGtin(1)},,,`)).toBeGreaterThan(importId);
    await client.query('commit');
    expect((await importing).json()).toMatchObject({ imported: 1 });
  } finally {
    client.release(true);
  }
});

test('an import without rejected rows has none to correct', async () => {
  const brand = await useImportingBrand();
  await brand.send('variant_name,gtin\n');
  const first = await send(brand, `Salt,${toGtin(1)},,,`);
  await call(brand, 'POST', `${first}/undo/`);
  const { results } = (await brand.get('imports/')).json() as { results: ImportReceipt[] };
  const without = results.filter(({ state, undoes_import_id }) => state === 'failed' || undoes_import_id !== null);
  expect(without).toHaveLength(2);
  for (const { id } of without) {
    expect(await list(brand, id)).toMatchObject({ columns: [], results: [], count: 0 });
    const answers = [
      await brand.get(`imports/${id}/rejected-rows/`),
      await replace(brand, id, NAME, 'x', 'y'),
      await correct(brand, id, 2, NAME, 'y'),
    ];
    expect(answers.map((answer) => [answer.statusCode, answer.json().code])).toEqual(answers.map(() => [404, 'import_not_found']));
    expect((await importRows(brand, id)).statusCode).toBe(409);
  }
});

test.each(['products.csv', 'products.xlsx'])(
  'corrections of a workbook are treated as workbook text, whatever the file name is: %s',
  async (fileName) => {
    const brand = await useImportingBrand();
    const header = ['variant_name', 'gtin', 'published', 'certificate_status', 'certificate_expires_on'];
    const rows = [
      [...header, 'channel_state', 'channel_reason'],
      ["''=Tea", '123'],
    ];
    const file = await workbook({
      sheets: [{ name: 'A', content: rows.map((row, at) => textRow(at + 1, row)).join('') }],
    });
    const { import_id } = await brand.upload(file, { fileName });
    await correct(brand, import_id, 2, GTIN, toGtin(1));
    await importRows(brand, import_id);
    expect(await names(brand)).toEqual(["''=Tea"]);
  },
);

test('columns that the file lacks can be filled in, and those that are ignored are shown', async () => {
  const brand = await useImportingBrand();
  const { import_id } = await brand.upload(`variant_name,shelf,gtin,Siegel\nTea,7,${toGtin(1)},FSC\nOil,8,${toGtin(2)},FSC,,x\n`, {
    fields: { mapping: '{"0":"variant_name","2":"gtin","3":"certification_name"}' },
  });
  const { columns, results } = await list(brand, import_id);
  expect(columns.map(({ name, field, read_only }) => [name, field, read_only ?? false])).toEqual([
    ...[['variant_name', 'variant_name', false] as const, ['shelf', null, true], ['gtin', 'gtin', false]],
    ...[['certification_name', 'certification_name', false] as const, ['category', 'category', false]],
    ...[['certificate_id', 'certificate_id', false] as const, ['', null, false], ['', null, false]],
  ]);
  const place = columns.find(({ field }) => field === 'certificate_id')?.place ?? -1;
  expect(results.map((row) => [row.cells, row.errors.map((error) => [error.code, error.place])])).toEqual([
    [['Tea', '7', toGtin(1), 'FSC', '', '', '', ''], [['certificate_id_missing', place]]],
    [['Oil', '8', toGtin(2), 'FSC', '', '', '', 'x'], [['too_many_cells', null]]],
  ]);
  expect((await correct(brand, import_id, 2, place, 'FSC-C104882')).json().row).toMatchObject({ state: 'ready' });
  // Filled cells beyond the last column are still an error.
  expect(codes((await correct(brand, import_id, 3, place, 'FSC-C2')).json().row)).toEqual(['too_many_cells']);
  const { body } = await brand.get(`imports/${import_id}/rejected-rows/`);
  expect(body).toContain('Row,Error,variant_name,shelf,gtin,certification_name,category,certificate_id\r\n');
  expect(body).toContain(`Tea,7,'${toGtin(1)},FSC,,FSC-C104882\r\n`);
  expect(body).toContain(`Oil,8,'${toGtin(2)},FSC,,FSC-C2,,x\r\n`);
  expect((await importRows(brand, import_id)).json()).toMatchObject({ imported: 1 });
  expect(await describeBrand(brand)).toMatchObject([{ name: 'Tea', certificates: ['FSC-C104882'] }]);
});

test('a GTIN cannot be replaced in several rows at once, and that is not offered', async () => {
  const brand = await useImportingBrand();
  const importId = await send(brand, 'Tea,123,,,', 'Oil,123,,,');
  const answer = await replace(brand, importId, GTIN, '123', toGtin(1));
  expect([answer.statusCode, answer.json().detail]).toEqual([422, expect.stringContaining('cannot be several products')]);
  expect((await correct(brand, importId, 2, GTIN, toGtin(1))).json().same).toBe(0);
});

test('a row that gives another name to the GTIN of a row that was corrected and imported contradicts it', async () => {
  const brand = await useImportingBrand();
  const importId = await send(brand, 'Tea,123,,,', 'Oil,456,,,');
  await correct(brand, importId, 2, GTIN, toGtin(1));
  const { import_id: taken } = (await importRows(brand, importId)).json();
  const { row } = (await correct(brand, importId, 3, GTIN, toGtin(1))).json();
  expect([row.state, codes(row), row.errors[0].message]).toEqual([
    'wrong',
    ['contradicting_names'],
    'Row 2 gives the same GTIN another name. Please keep the right one.',
  ]);
  expect((await list(brand, importId)).results[0]).toMatchObject({ state: 'imported', errors: [], import_id: taken });
  expect((await correct(brand, importId, 3, NAME, 'tea')).json().row.state).toBe('ready');
});

test('rows that contradict each other are found while one of them has another error, and after each correction', async () => {
  const brand = await useImportingBrand();
  const importId = await send(brand, `Tea,${toGtin(1)},,,`, `Black tea,${toGtin(1)},,A,Nonsense`, 'Oil,5,,B,Nonsense');
  const states = async () => (await list(brand, importId)).results.map((row) => [row.state, ...codes(row)]);
  expect(await states()).toEqual([
    ['wrong', 'contradicting_names'],
    ['wrong', 'unknown_certification', 'contradicting_names'],
    ['wrong', 'gtin_length', 'unknown_certification'],
  ]);
  // The other error is corrected first, then the contradiction.
  await replace(brand, importId, CERTIFICATION, 'Nonsense', 'FSC');
  expect((await states()).slice(0, 2)).toEqual([
    ['wrong', 'contradicting_names'],
    ['wrong', 'contradicting_names'],
  ]);
  await correct(brand, importId, 4, CERTIFICATION, 'Nonsense');
  await correct(brand, importId, 4, GTIN, toGtin(1));
  expect((await states())[2]).toEqual(['wrong', 'unknown_certification', 'contradicting_names']);
  await correct(brand, importId, 3, NAME, 'Tea');
  await correct(brand, importId, 4, NAME, 'Tea');
  expect(await states()).toEqual([['ready'], ['ready'], ['wrong', 'unknown_certification']]);
  await correct(brand, importId, 4, CERTIFICATION, 'GOTS');
  expect((await importRows(brand, importId)).json()).toMatchObject({ imported: 3 });
  expect(await names(brand)).toEqual(['Tea']);
});

test('cancelling an import of corrected rows makes the rows available again', async () => {
  const brand = await useImportingBrand();
  const importId = await send(brand, 'Tea,123,,,');
  await correct(brand, importId, 2, GTIN, toGtin(2));
  const release = await lockBrandRow(brand);
  const importing = importRows(brand, importId);
  await waitsForLock(brand);
  const [row] = (await list(brand, importId)).results;
  expect([row?.state, (await correct(brand, importId, 2, NAME, 'x')).json().code]).toEqual(['importing', 'import_row_changed']);
  await call(brand, 'POST', `${row?.import_id}/cancel/`);
  await release();
  expect((await importing).json().code).toBe('import_cancelled');
  expect((await list(brand, importId)).results).toMatchObject([{ state: 'ready', import_id: null }]);
  expect((await importRows(brand, importId)).json()).toMatchObject({ imported: 1 });
});

test('contradicting rows become valid when one of them is corrected, and are checked against the rows imported with them', async () => {
  const brand = await useImportingBrand();
  const importId = await send(brand, `Salt,${toGtin(1)},,,`, `Pepper,${toGtin(1)},,,`, `Tea,${toGtin(2)},,,`, 'Coffee,1,,,');
  const states = async () => (await list(brand, importId)).results.map((row) => [row.row, ...codes(row)]);
  expect(await states()).toEqual([
    [2, 'contradicting_names'],
    [3, 'contradicting_names'],
    [5, 'gtin_length'],
  ]);
  // Another row joins the contradiction.
  await correct(brand, importId, 5, GTIN, toGtin(1));
  expect((await states())[2]).toEqual([5, 'contradicting_names']);
  await correct(brand, importId, 5, GTIN, toGtin(3));
  expect((await states())[2]).toEqual([5]);
  const answer = (await correct(brand, importId, 3, NAME, 'SALT')).json();
  expect([answer.row.state, answer.counts.ready]).toEqual(['ready', 3]);
  expect((await importRows(brand, importId)).json()).toMatchObject({ imported: 3, variants_created: 2 });
  expect(await names(brand)).toEqual(['Salt', 'Tea', 'Coffee']);
});

test('a corrected row that differs from what its import has written for the GTIN contradicts it, until it agrees', async () => {
  const brand = await useImportingBrand();
  await brand.upload(`${HEADER},description\nOil,${toGtin(2)},Food,,,Virgin\nSalt,${toGtin(3)},,,,\n`);
  const { import_id: importId } = await brand.upload(
    [
      `${HEADER},description`,
      `Tea,${toGtin(1)},Drinks,,,Green`,
      `Olive oil,${toGtin(2)},,,,`,
      `Salt,${toGtin(3)},,A-1,GOTS,`,
      'Coffee,1,Food,,,Black',
      'Oil,2,Drinks,,,Refined',
      'Sea salt,3,,,,',
      'S?lt,3,,,,',
    ].join('\n'),
  );
  const stateOf = async (row: number) => {
    const found = (await list(brand, importId)).results.find((other) => other.row === row) ?? expect.fail();
    return [found.state, ...codes(found)];
  };
  const created = (await correct(brand, importId, 5, GTIN, toGtin(1))).json().row;
  expect([created.state, ...codes(created)]).toEqual(['wrong', 'contradicting_names', 'contradicting_details', 'contradicting_categories']);
  expect(created.errors[0].message).toContain('has the name "Tea"');
  expect(created.errors[1].message).toContain('"Green"');
  // Of a variant that it changed, only what it changed: the category and description of this row are new.
  await correct(brand, importId, 6, GTIN, toGtin(2));
  expect(await stateOf(6)).toEqual(['wrong', 'contradicting_names']);
  // Of one to which it gave a certificate, the name.
  await correct(brand, importId, 7, GTIN, toGtin(3));
  expect(await stateOf(7)).toEqual(['wrong', 'contradicting_names']);
  expect((await importRows(brand, importId)).json().code).toBe('import_nothing_corrected');

  await correct(brand, importId, 5, NAME, 'tea');
  await correct(brand, importId, 5, 5, '');
  await correct(brand, importId, 5, 2, 'DRINKS');
  await correct(brand, importId, 6, NAME, 'Olive oil');
  await correct(brand, importId, 7, NAME, 'Salt');
  expect([await stateOf(5), await stateOf(6), await stateOf(7)]).toEqual([['ready'], ['ready'], ['ready']]);
  expect((await importRows(brand, importId)).json()).toMatchObject({ imported: 3, variants_created: 0 });
});

test('a corrected row may change a product that its import has not written, or not any longer', async () => {
  const brand = await useImportingBrand();
  await brand.upload(`${HEADER}\nOil,${toGtin(2)},,,\n`);
  const importId = await send(brand, `Tea,${toGtin(1)},,,`, 'Coffee,1,,,', 'Olive oil,2,,,');
  await call(brand, 'POST', `${importId}/undo/`);
  expect((await correct(brand, importId, 3, GTIN, toGtin(1))).json().row.state).toBe('ready');
  expect((await correct(brand, importId, 4, GTIN, toGtin(2))).json().row.state).toBe('ready');
});

test('rows become invalid again if their certification is retired before they are imported', async () => {
  const brand = await useImportingBrand();
  const importId = await send(brand, `Tea,${toGtin(1)},,A,Nonsense`, `Oil,${toGtin(2)},,A,Nonsense`);
  await correct(brand, importId, 2, CERTIFICATION, 'GOTS');
  await brand.pool.query(`update certifications set retired_at = now() where name = 'GOTS'`);
  try {
    const { import_id: _id, ...answer } = (await importRows(brand, importId)).json();
    expect(answer.code).toBe('import_nothing_corrected');
    expect((await brand.get('imports/')).json().results[0]).toMatchObject({
      state: 'failed',
      failure: { code: 'nothing_corrected' },
    });
    expect((await list(brand, importId)).results.map((row) => [row.row, row.state, ...codes(row)])).toEqual([
      [2, 'wrong', 'unknown_certification'],
      [3, 'wrong', 'unknown_certification'],
    ]);
    await correct(brand, importId, 3, CERTIFICATION, 'FSC');
    expect((await importRows(brand, importId)).json()).toMatchObject({ imported: 1, total_rows: 1 });
    expect((await list(brand, importId)).results.map((row) => [row.state, ...codes(row)])).toEqual([
      ['wrong', 'unknown_certification'],
      ['imported'],
    ]);
  } finally {
    await brand.pool.query(`update certifications set retired_at = null where name = 'GOTS'`);
  }
});

describe('suggestions', () => {
  const errorOf = async (line: string) => {
    const brand = await useImportingBrand();
    const importId = await send(brand, line);
    const error = (await list(brand, importId)).results[0]?.errors[0];
    const taken = error?.suggestions[0];
    if (taken !== undefined && error?.place != null) {
      const { row } = (await correct(brand, importId, 2, error.place, taken)).json();
      expect(row.errors, `${taken} is right`).toEqual([]);
    }
    return [error?.code, error?.suggestions, error?.hint];
  };

  test.each([
    ['the nearest certification', `Tea,${toGtin(1)},,A,Fairtrade Intl`, 'unknown_certification', ['Fairtrade']],
    [
      'all possible meanings of a name',
      `Tea,${toGtin(1)},,A,OEKO-TEX`,
      'ambiguous_certification',
      ['OEKO-TEX MADE IN GREEN', 'OEKO-TEX STANDARD 100'],
    ],
    ['names that it begins', `Tea,${toGtin(1)},,A,Rainforest`, 'ambiguous_certification', ['Rainforest Alliance']],
    ['none of several certifications', `Tea,${toGtin(1)},,A,FSC; GOTS`, 'several_certifications', []],
    ['zeros that a spreadsheet dropped', 'Tea,1234567895,,,', 'gtin_length', ['001234567895']],
    ['garbled letters repaired', `CrÃ¨me,${toGtin(1)},,,`, 'double_encoded', ['Crème']],
    ['a name without its line break', `"Green\ntea",${toGtin(1)},,,`, 'control_characters', ['Green tea']],
    ['nothing for lost digits', 'Tea,4.00638E+12,,,', 'gtin_scientific', []],
    ['nothing for a number that is wrong with any leading zeros', 'Tea,1234567890,,,', 'gtin_length', []],
    ['nothing for nonsense', `Tea,${toGtin(1)},,A,Nonsense`, 'unknown_certification', []],
  ])('%s', async (_name, line, code, suggestions) => {
    expect(await errorOf(line)).toEqual([code, suggestions, undefined]);
  });

  test('the right check digit is a hint, not a suggestion', async () => {
    const [code, suggestions, hint] = await errorOf('Tea,4006381333932,,,');
    expect([code, suggestions]).toEqual(['gtin_check_digit', []]);
    expect(hint).toContain('4006381333931');
  });
});

describe('another member', () => {
  test('who corrected the same cell is not overwritten; another cell of the row is no conflict', async () => {
    const brand = await useImportingBrand();
    const importId = await send(brand, 'Tea,123,,,');
    await correct(brand, importId, 2, NAME, 'Green tea', 'Tea');
    const late = await correct(brand, importId, 2, NAME, 'Black tea', 'Tea');
    expect([late.statusCode, late.json().code]).toEqual([409, 'import_row_changed']);
    const { row } = (await correct(brand, importId, 2, GTIN, toGtin(2), '123')).json();
    expect(row.cells.slice(0, 2)).toEqual(['Green tea', toGtin(2)]);
    // A correction that names the current value may overwrite it.
    expect((await correct(brand, importId, 2, NAME, 'Black tea', 'Green tea')).statusCode).toBe(200);
  });

  test('of another brand can neither read nor correct rows, and viewers cannot correct them', async () => {
    const brand = await useImportingBrand();
    const importId = await send(brand, 'Tea,123,,,');
    const other = await addImportingBrand(brand);
    const viewer = await createTestMember(brand.database.db, brand.brandId, 'viewer');
    const calls = [
      ['PATCH', 'corrections/2/', { place: 1, to: toGtin(2) }],
      ['POST', 'corrections/replace/', { place: 1, from: '123', to: toGtin(2) }],
      ['POST', 'corrections/import/', undefined],
    ] as const;
    for (const [method, path, payload] of calls) {
      expect((await call(other, method, `${importId}/${path}`, payload)).json().code).toBe('import_not_found');
      const refused = await call(brand, method, `${importId}/${path}`, payload, viewer);
      expect([refused.statusCode, refused.json().code]).toEqual([403, 'permission_denied']);
    }
    expect((await call(other, 'GET', `${importId}/corrections/`)).statusCode).toBe(404);
    expect((await call(brand, 'GET', `${importId}/corrections/`, undefined, viewer)).statusCode).toBe(200);
    expect((await list(brand, importId)).counts).toMatchObject({ wrong: 1 });
  });
});

describe('hostile corrections', () => {
  test.each([
    ['too long for any column', { place: NAME, to: 'x'.repeat(MAX_CORRECTION_LENGTH + 1) }],
    ['NUL', { place: NAME, to: 'a\0b' }],
    ['a lone surrogate', { place: NAME, to: '\ud800' }],
    ['a cell beyond the last column', { place: 2_000, to: 'x' }],
    ['a cell before the first', { place: -1, to: 'x' }],
    ['no text', { place: 0, to: { a: 1 } }],
  ])('are refused: %s', async (_name, body) => {
    const brand = await useImportingBrand();
    const importId = await send(brand, 'Tea,123,,,');
    const answer = await call(brand, 'PATCH', `${importId}/corrections/2/`, body);
    expect(answer.statusCode).toBe(400);
    expect((await list(brand, importId)).results[0]?.corrected).toEqual([]);
  });

  test.each([
    ['text over the limit', 'x'.repeat(201), 'too_long'],
    ['control characters', 'Green\ttea', 'control_characters'],
    ['a formula that failed', '#REF!', 'spreadsheet_error'],
    ['lost letters', 'Cr?me', 'lost_letters'],
  ])('are validated like a file: %s', async (_name, to, code) => {
    const brand = await useImportingBrand();
    const importId = await send(brand, `,${toGtin(1)},,,`);
    expect(codes((await correct(brand, importId, 2, NAME, to)).json().row)).toEqual([code]);
  });

  test('formula text is text, and is neutralised in the download', async () => {
    const brand = await useImportingBrand();
    const importId = await send(brand, `,${toGtin(1)},,A,`);
    await correct(brand, importId, 2, NAME, '=1+1');
    expect((await brand.get(`imports/${importId}/rejected-rows/`)).body).toContain(`'=1+1`);
    await correct(brand, importId, 2, CERTIFICATE_ID, '');
    await importRows(brand, importId);
    expect(await names(brand)).toEqual(['=1+1']);
  });

  test('a cell that is far too long is truncated in the list, and can be corrected', async () => {
    const brand = await useImportingBrand();
    const importId = await send(brand, `${'y'.repeat(100_000)},${toGtin(1)},,,`);
    expect((await list(brand, importId)).results[0]?.cells[0]).toHaveLength(MAX_CORRECTION_LENGTH);
    expect((await correct(brand, importId, 2, NAME, 'Tea')).json().row.state).toBe('ready');
  });
});

test('a page of many rows is read in batches, in the order of the file and without those of another state', async () => {
  const brand = await useImportingBrand();
  const importId = await send(brand, ...Array.from({ length: 40 }, (_, index) => `,${toGtin(index)},,,`));
  for (const row of [4, 15, 30]) await correct(brand, importId, row, NAME, 'Tea');
  const rowsOf = async (query: string) => (await list(brand, importId, query)).results.map(({ row }) => row);
  const wrong = Array.from({ length: 40 }, (_, index) => index + 2).filter((row) => ![4, 15, 30].includes(row));
  expect(await rowsOf('?page_size=20&state=wrong')).toEqual(wrong.slice(0, 20));
  expect(await rowsOf('?page_size=20&state=wrong&page=2')).toEqual(wrong.slice(20));
  expect(await rowsOf('?page_size=100&state=ready')).toEqual([4, 15, 30]);
  expect(await rowsOf('?page_size=100')).toHaveLength(40);
});

test('rows that were purged are reported as deleted', async () => {
  const brand = await useImportingBrand();
  const importId = await send(brand, 'Tea,123,,,');
  await brand.pool.query(`update imports set created_at = now() - interval '91 days'`);
  await brand.pool.query(`update due_work set due_at = now() where kind = 'purge_imports'`);
  await purgeImports(brand.database.db);
  expect(await list(brand, importId)).toMatchObject({ count: 0, results: [] });
  const answer = await correct(brand, importId, 2, GTIN, toGtin(2));
  expect([answer.statusCode, answer.json().detail]).toEqual([404, expect.stringContaining('90 days')]);
  expect((await importRows(brand, importId)).json().code).toBe('import_nothing_corrected');
});
