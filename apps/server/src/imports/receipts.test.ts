import { createHash, randomBytes } from 'node:crypto';
import type { ImportReceipt } from '@brand-portal/contract/import';
import { expect, test, vi } from 'vitest';
import { createTestMember, createTestUser } from '../../test/people.ts';
import { products } from '../../test/workbooks.ts';
import { anonymiseUser, setStaff } from '../people/identity/users.ts';
import { deleteRejectedRowsBeyond, listRejectedBatch, readBatches } from './corrections.queries.ts';
import { purgeImports, REJECTED_ROWS_BYTES } from './receipts.ts';
import { type ImportingBrand, sendUpload, storedVariants, useImportingBrand } from './test-support/uploads.ts';

test('a receipt names people like the history: a deleted account by its number, platform staff not at all', async () => {
  const brand = await useImportingBrand();
  const { db } = brand.database;
  const gone = await createTestMember(db, brand.brandId, 'editor', 'Grace Hopper');
  const staff = await createTestUser(db, 'Sam Staff');
  await setStaff(db, staff.id, true);
  for (const [index, { id }] of [gone, staff].entries()) {
    const { import_id } = await brand.upload(`variant_name,gtin\nSalt ${index},96385074\n`);
    await brand.pool.query('update imports set user_id = $1 where id = $2', [id, import_id]);
  }
  await anonymiseUser(db, gone.id);
  const { results } = (await brand.get('imports/', 'es')).json();
  expect(results.map(({ imported_by }: ImportReceipt) => imported_by)).toEqual([
    { first_name: 'Personal de la plataforma', last_name: '', email: '' },
    { first_name: `Antiguo miembro ${gone.id}`, last_name: '', email: '' },
  ]);
  for (const search of ['sam', 'deleted-']) {
    expect((await brand.get(`imports/?search=${search}`)).json().count).toBe(0);
  }
});

test('a receipt says who uploaded which file, and its result', { tags: 'empty-installation' }, async () => {
  const brand = await useImportingBrand();
  const file = 'variant_name,gtin\nSalt,96385074\nOil,1\n,2\n';
  const { import_id } = await brand.upload(file, { fileName: 'C:\\Users\\Ada\\Überblick 2025.csv' });
  const receipt = (await brand.get(`imports/${import_id}/`)).json();
  expect(receipt).toEqual({
    id: import_id,
    kind: 'file',
    outcome: null,
    file_name: 'Überblick 2025.csv',
    file_bytes: Buffer.byteLength(file),
    file_sha256: createHash('sha256').update(file).digest('hex'),
    created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    imported_by: { first_name: 'Ada', last_name: 'Byron', email: brand.editor.email },
    state: 'done',
    stage: null,
    rows_done: 3,
    rows_total: 3,
    failure: null,
    total_rows: 3,
    imported: 1,
    rejected: 2,
    error_count: 3,
    variants_created: 1,
    variants_updated: 0,
    variants_unchanged: 0,
    may_edit: true,
    warnings: [],
    undoes_import_id: null,
    corrects_import_id: null,
    undo_until: expect.stringMatching(/^\d{4}-.*Z$/),
    changed_nothing: false,
    variants_removed: 0,
    kept_count: 0,
    kept: [],
    errors: [
      expect.objectContaining({ row: 3, code: 'gtin_length' }),
      expect.objectContaining({ row: 4, code: 'missing_value' }),
      expect.objectContaining({ row: 4, code: 'gtin_length' }),
    ],
  });
  const { errors: _errors, kept: _kept, may_edit: _mayEdit, ...listed } = receipt;
  expect((await brand.get('imports/')).json()).toEqual({ results: [listed], count: 1 });
  const audit = await brand.pool.query(`select user_id, details from audit_log where action = 'variants.imported'`);
  expect(audit.rows).toEqual([
    {
      user_id: brand.editor.id,
      details: { import_id, file_name: 'Überblick 2025.csv', total_rows: 3, imported: 1, rejected: 2 },
    },
  ]);
});

test('imports are listed in pages, the newest first', async () => {
  const brand = await useImportingBrand();
  for (const name of ['a.csv', 'b.csv', 'c.csv']) await brand.upload('variant_name,gtin\nS,96385074\n', { fileName: name });
  const page = async (query: string) => {
    const { results, count } = (await brand.get(`imports/?${query}`)).json();
    return [count, ...results.map(({ file_name }: { file_name: string }) => file_name)];
  };
  expect(await page('page_size=2')).toEqual([3, 'c.csv', 'b.csv']);
  expect(await page('page_size=2&page=2')).toEqual([3, 'a.csv']);
});

test('imports are found by a part of the file name, or of who uploaded them', async () => {
  const brand = await useImportingBrand();
  const { db } = brand.database;
  const grace = await createTestMember(db, brand.brandId, 'editor');
  await brand.pool.query(`update users set first_name = 'Grace', last_name = 'Höpper' where id = $1`, [grace.id]);
  const file = 'variant_name,gtin\nS,96385074\n';
  for (const fileName of ['Été 2026.csv', 'winter_100%.csv']) await brand.upload(file, { fileName });
  await sendUpload(brand.app, brand.brandId, grace, file, { fileName: 'other.csv' });
  const find = async (search: string) => {
    const { results, count } = (await brand.get(`imports/?search=${encodeURIComponent(search)}`)).json();
    expect(count).toBe(results.length);
    return results.map(({ file_name }: { file_name: string }) => file_name);
  };
  expect(await find('ETE')).toEqual(['Été 2026.csv']);
  expect(await find('_100%')).toEqual(['winter_100%.csv']);
  expect(await find('grace hop')).toEqual(['other.csv']);
  expect(await find(grace.email.toUpperCase())).toEqual(['other.csv']);
  expect(await find('byron')).toEqual(['winter_100%.csv', 'Été 2026.csv']);
  expect(await find('%')).toEqual(['winter_100%.csv']);
  expect(await find('nobody')).toEqual([]);
  expect(await find(' ')).toHaveLength(3);
});

test('a viewer is refused when cancelling or undoing an import', async () => {
  const brand = await useImportingBrand();
  const viewer = await createTestMember(brand.database.db, brand.brandId, 'viewer');
  const { import_id } = await brand.upload('variant_name,gtin\nS,96385074\n');
  const url = `/api/v1/brands/${brand.brandId}/imports/${import_id}/`;
  expect((await brand.app.inject({ url, headers: viewer.headers })).json()).toMatchObject({ may_edit: false });
});

test('errors are counted by kind and column over all rejected rows, with the first rows of each', async () => {
  const brand = await useImportingBrand();
  const wrong = Array.from({ length: 1_200 }, (_, index) => `Salt,${index % 10}`);
  const { import_id } = await brand.upload(`variant_name,gtin\n,4006381333932\n${wrong.join('\n')}\nOil,4006381333933\n`);
  const groups = (await brand.get(`imports/${import_id}/error-groups/`)).json();
  expect(groups).toMatchObject([
    { code: 'gtin_length', field: 'gtin', title: 'Wrong number of digits', count: 1_200 },
    { code: 'gtin_check_digit', field: 'gtin', title: 'Wrong check digit', count: 2 },
    { code: 'missing_value', field: 'variant_name', title: 'Missing value', count: 1 },
  ]);
  expect(groups[0].rows.map(({ row }: { row: number }) => row)).toEqual(Array.from({ length: 20 }, (_, n) => n + 3));
  expect(groups[1].rows).toEqual([
    { row: 2, message: expect.stringContaining('4006381333932') },
    { row: 1_203, message: expect.stringContaining('4006381333933') },
  ]);
  const [, spanish] = (await brand.get(`imports/${import_id}/error-groups/`, 'es')).json();
  expect(spanish.title).toBe('Dígito de control incorrecto');
  expect((await brand.get('imports/999999/error-groups/')).statusCode).toBe(404);
});

test('at most 1,000 errors are listed, all are counted, and the rejected rows have them all', async () => {
  const brand = await useImportingBrand();
  const rows = Array.from({ length: 1_200 }, (_, index) => `Salt,${index}`);
  const result = await brand.upload(`variant_name,gtin\n${rows.join('\n')}\n`);
  expect(result).toMatchObject({ imported: 0, total_rows: 1_200, error_count: 1_200 });
  expect(result.errors).toHaveLength(1_000);
  expect(result.errors.at(-1)?.row).toBe(1_001);
  const download = await brand.get(`imports/${result.import_id}/rejected-rows/`);
  expect(download.body.trimEnd().split('\r\n')).toHaveLength(1_201);
});

test('rejected rows come as a file that a spreadsheet opens without calculating or rounding anything', async () => {
  const brand = await useImportingBrand();
  const { import_id } = await brand.upload(
    [
      'variant_name;gtin;Notes;category',
      '"=HYPERLINK(""http://evil.example"")";06291041500214;"two\nlines; ""quoted""";@x',
      'Fine;96385074;;',
      '-1;4.0E+12;+1;',
    ].join('\n'),
  );
  const answer = await brand.get(`imports/${import_id}/rejected-rows/`);
  expect(answer.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="rejected-rows-${import_id}.csv"`,
  });
  expect(answer.body).toBe(
    [
      '\uFEFFRow;Error;variant_name;gtin;Notes;category',
      `2;"gtin: ""06291041500214"": The check digit (the last one) should be 3, but it is 4. Please compare the number with the package.";"'=HYPERLINK(""http://evil.example"")";'06291041500214;"two\nlines; ""quoted""";'@x`,
      `4;"gtin: A spreadsheet has shortened the number to 4.0E+12, so its digits are lost. Format the column as text and enter the GTIN again.";'-1;'4.0E+12;'+1;`,
      '',
    ].join('\r\n'),
  );
});

test('certificate ids of digits keep their zeros in rejected rows', async () => {
  const brand = await useImportingBrand();
  const { import_id } = await brand.upload('variant_name,gtin,certification_name,certificate_id\nTea,1,Fairtrade,0012345');
  const { body } = await brand.get(`imports/${import_id}/rejected-rows/`);
  expect(body).toContain("Tea,'1,Fairtrade,'0012345");
  await brand.upload(body.replace("'1,", '96385074,'));
  const { rows } = await brand.pool.query('select external_certificate_id from certificates');
  expect(rows).toEqual([{ external_certificate_id: '0012345' }]);
});

test('a formula after a separator that the file does not use is escaped too, and restored on upload', async () => {
  const brand = await useImportingBrand();
  const { import_id } = await brand.upload('variant_name;gtin;category\nx,=1+1;1;y|@z');
  const { body } = await brand.get(`imports/${import_id}/rejected-rows/`);
  expect(body).toContain(`"x,'=1+1";'1;"y|'@z"`);
  await brand.upload(body.replace("'1;", '96385074;'));
  expect(await storedVariants(brand)).toMatchObject([{ name: 'x,=1+1', category: 'y|@z' }]);
});

test('rejected rows can be corrected and uploaded again, and those that are not corrected are rejected as before', async () => {
  const brand = await useImportingBrand();
  const first = await brand.upload(
    'variant_name,gtin,category\n=Tea+,036000291453,-5 %\nSalt,96385074,@home\nOil, virgin,73513537,Food\n,90311018,x\n',
  );
  const download = await brand.get(`imports/${first.import_id}/rejected-rows/`);
  const corrected = download.body.replaceAll('036000291453', '036000291452').replace('Oil, virgin', '"Oil, virgin"');
  const second = await brand.upload(corrected);
  expect(second).toMatchObject({ imported: 2, total_rows: 3, warnings: [] });
  expect(second.errors.map(({ row, code }) => [row, code])).toEqual([
    [4, 'missing_value'],
    [4, 'gtin_check_digit'],
  ]);
  expect(await storedVariants(brand)).toMatchObject([
    { gtin: '036000291452', name: '=Tea+', category: '-5 %' },
    { gtin: '73513537', name: 'Oil, virgin', category: 'Food' },
    { gtin: '96385074', name: 'Salt', category: '@home' },
  ]);

  const third = await brand.get(`imports/${second.import_id}/rejected-rows/`);
  expect(third.body.split('\r\n')[0]).toBe('\uFEFFRow,Error,variant_name,gtin,category');
  expect(third.body.split('\r\n')[1]).toMatch(/^4,"variant_name: .* gtin: .*",,'90311018,x$/);
});

test('a file of rejected rows in Spanish names its columns in Spanish, and is recognised when it is uploaded again', async () => {
  const brand = await useImportingBrand();
  const first = await brand.upload('variant_name,gtin\n=Tea,96385075\nSalt,1\n');
  const { body } = await brand.get(`imports/${first.import_id}/rejected-rows/`, 'es');
  expect(body).toMatch(/^\uFEFFFila,Error,variant_name,gtin\r\n2,/);
  const second = await brand.upload(body.replaceAll('96385075', '96385074'));
  expect(second).toMatchObject({ imported: 1, total_rows: 2, warnings: [] });
  expect(await storedVariants(brand)).toMatchObject([{ name: '=Tea' }]);
  const again = await brand.get(`imports/${second.import_id}/rejected-rows/`);
  expect(again.body).toMatch(/^\uFEFFRow,Error,variant_name,gtin\r\n3,[^\r]*,Salt,'1\r\n$/);
});

test('rejected rows that are downloaded and uploaded several times keep their text', async () => {
  const brand = await useImportingBrand();
  let file = `variant_name,gtin,category\n"x, =2",1,'=y\n`;
  for (let round = 0; round < 3; round++) {
    const { import_id } = await brand.upload(file);
    file = (await brand.get(`imports/${import_id}/rejected-rows/`)).body;
  }
  await brand.upload(file.replace(",'1,", ',96385074,'));
  expect(await storedVariants(brand)).toMatchObject([{ name: 'x, =2', category: '=y' }]);
});

test('a rejected row of an export is corrected without changing its text', async () => {
  const brand = await useImportingBrand();
  await brand.upload(`variant_name,gtin,category\n"=""'=x""",96385074,"x, =2"\n`);
  const before = await storedVariants(brand);
  expect(before).toMatchObject([{ name: "'=x", category: 'x, =2' }]);
  const { body } = await brand.get('variants/export/?format=csv');
  const { import_id } = await brand.upload(body.replace('96385074', '96385075'));
  const rejected = await brand.get(`imports/${import_id}/rejected-rows/`);
  const again = await brand.upload(rejected.body.replaceAll('96385075', '96385074'));
  expect(again).toMatchObject({ imported: 1, variants_unchanged: 1 });
  expect(await storedVariants(brand)).toEqual(before);
});

test('a file of rejected rows without row numbers is accepted, and a column Row in another file is unknown', async () => {
  const brand = await useImportingBrand();
  expect(await brand.upload(`Error,variant_name,gtin\nx,'=Tea,'96385074\n`)).toMatchObject({
    imported: 1,
    warnings: [],
  });
  expect(await storedVariants(brand)).toMatchObject([{ name: '=Tea' }]);
  const { warnings } = await brand.upload('Row,variant_name,gtin\n1,Tea,96385074\n');
  expect(warnings).toMatchObject([{ code: 'ignored_columns', message: 'Unknown columns are ignored: Row.' }]);
});

/** Hours until the brand's next purge, undefined if none is scheduled. */
async function hoursUntilPurge({ pool }: ImportingBrand): Promise<number | undefined> {
  const { rows } = await pool.query(
    `select round(extract(epoch from due_at - now()) / 3600)::int as hours from due_work where kind = 'purge_imports'`,
  );
  return rows[0]?.hours;
}

/** Runs the hourly purge as if `hours` had passed. */
async function purgeAfter({ pool, database }: ImportingBrand, hours: number): Promise<number> {
  // In UTC, whatever the session's time zone: Citus allows only immutable expressions here.
  const pass = async (column: string, table: string) =>
    pool.query(`update ${table} set ${column} = (${column} at time zone 'utc' - make_interval(hours => $1)) at time zone 'utc'`, [hours]);
  await pass('created_at', 'imports');
  await pass('heartbeat_at', 'imports');
  await pass('due_at', 'due_work');
  await pool.query('update imports set undo_until = null');
  return purgeImports(database.db);
}

test('rejected rows are stored for 90 days, receipts forever', { tags: 'empty-installation' }, async () => {
  const brand = await useImportingBrand();
  const old = await brand.upload('variant_name,gtin\nSalt,1\n');
  expect(await purgeAfter(brand, 2)).toBe(0);
  expect(await hoursUntilPurge(brand)).toBe(90 * 24 - 2);
  expect(await purgeAfter(brand, 24)).toBe(0);
  const young = await brand.upload('variant_name,gtin\nSalt,1\n');
  expect(await purgeAfter(brand, 89 * 24)).toBe(1);
  expect(await hoursUntilPurge(brand)).toBe(24);
  expect((await brand.get(`imports/${young.import_id}/rejected-rows/`)).statusCode).toBe(200);
  const gone = await brand.get(`imports/${old.import_id}/rejected-rows/`);
  expect(gone.json()).toMatchObject({ code: 'import_not_found', detail: expect.stringContaining('90 days') });
  expect((await brand.get(`imports/${old.import_id}/`)).json()).toMatchObject({ error_count: 1, errors: [] });
  expect(await purgeAfter(brand, 25)).toBe(1);
  expect(await hoursUntilPurge(brand)).toBeUndefined();
});

test('what is left of an import that has ended is purged, and an import without a job gets one', {
  tags: 'empty-installation',
}, async () => {
  const brand = await useImportingBrand();
  const { pool, brandId } = brand;
  const { import_id } = await brand.upload('variant_name,gtin\nSalt,96385074\n');
  await pool.query('insert into import_files (brand_id, import_id, part, bytes) values ($1, $2, 0, $3)', [brandId, import_id, 'x']);
  await pool.query('insert into import_rows (brand_id, import_id, row_number) values ($1, $2, 2)', [brandId, import_id]);
  await pool.query(`insert into imports (brand_id, file_name, file_bytes, file_sha256, rows_total) values ($1, 'lost.csv', 7, '', 2)`, [
    brandId,
  ]);
  await purgeAfter(brand, 1);
  for (const table of ['import_files', 'import_rows']) expect((await pool.query(`select from ${table}`)).rows).toEqual([]);
  // A server of an earlier version accepted it, and its file has gone with that server.
  await vi.waitFor(async () => {
    const [{ state, failure }] = (await brand.get('imports/?search=lost')).json().results;
    expect({ state, failure }).toMatchObject({ state: 'failed', failure: { code: 'interrupted' } });
  }, 10_000);
});

test('an import leaves no staged rows, whether it succeeds or is refused', { tags: 'empty-installation' }, async () => {
  const brand = await useImportingBrand();
  await brand.upload('variant_name,gtin,certificate_id,certification_name\nSalt,96385074,A,FSC\nOil,1,,\n');
  expect((await brand.send('variant_name,gtin\n')).statusCode).toBe(422);
  for (const table of ['import_files', 'import_rows', 'import_plan', 'import_links'])
    expect((await brand.pool.query(`select from ${table}`)).rows).toEqual([]);
});

test('a brand keeps the rejected rows of its newest imports only, up to a number of bytes', async () => {
  const brand = await useImportingBrand();
  const bad = 'variant_name,gtin\nSalt,1\n';
  const [oldest, middle] = [await brand.upload(bad), await brand.upload(bad)];
  await brand.upload('variant_name,gtin\nSalt,96385074\n');
  await brand.pool.query('update imports set rejected_bytes = $1 where rejected > 0', [REJECTED_ROWS_BYTES / 2]);
  const newest = await brand.upload(bad);
  const statuses = () =>
    Promise.all([oldest, middle, newest].map(async ({ import_id }) => (await brand.get(`imports/${import_id}/rejected-rows/`)).statusCode));
  expect(await statuses()).toEqual([404, 200, 200]);
  await deleteRejectedRowsBeyond(brand.database.db, brand.brandId, 0);
  expect(await statuses()).toEqual([404, 404, 200]);
});

test('rejected rows count as what they take on disk: the cells of a small workbook may repeat a long text', async () => {
  const brand = await useImportingBrand();
  const strings = [`<t>${randomBytes(9_000).toString('hex')}</t>`];
  const file = await products('<row><c t="s"><v>0</v></c></row>'.repeat(50), { strings });
  const { import_id } = await brand.upload(file);
  const { rows } = await brand.pool.query('select rejected_bytes from imports where id = $1', [import_id]);
  expect(rows[0].rejected_bytes).toBeGreaterThan(10 * file.length);
});

test('rejected rows with long cells are read a few at a time, and a receipt reads none of their cells', async () => {
  const brand = await useImportingBrand();
  const { import_id } = await brand.upload(`variant_name,gtin\n${`${'x'.repeat(200_000)},1\n`.repeat(30)}`);
  const place = { brandId: brand.brandId, importId: import_id };
  const windows: { after: number; take: number }[] = [];
  const batches = readBatches(200, (window) => {
    windows.push(window);
    return listRejectedBatch(brand.database.db, place, window);
  });
  const sizes: number[] = [];
  for await (const rows of batches) sizes.push(rows.length);
  expect(sizes).toEqual(Array.from({ length: 10 }, () => 3));
  // Not 200 again: all of them would be measured for each batch.
  expect(windows.slice(0, 3)).toEqual([
    { after: 0, take: 200 },
    { after: 4, take: 6 },
    { after: 7, take: 6 },
  ]);
  const download = (await brand.get(`imports/${import_id}/rejected-rows/`)).body;
  expect(download.trim().split('\n')).toHaveLength(31);
  await brand.pool.query('alter table import_rejected_rows rename column cells to away');
  expect((await brand.get(`imports/${import_id}/`)).json().errors).toHaveLength(60);
});
