import { IMPORT_FIELDS } from '@brand-portal/contract/import-mapping';
import { DETAIL_FIELDS } from '@brand-portal/contract/variant-fields';
import { expect, test } from 'vitest';
import { addVariants } from '../../../test/catalogue.ts';
import { toGtin } from '../../channel/test-support/delivery.ts';
import { addImportingBrand, type ImportingBrand, storedVariants, useImportingBrand } from '../../imports/test-support/uploads.ts';

const FILE = [
  'variant_name,gtin,category,certification_name,certificate_id,publishing_channel',
  'Soap «é»,036000291452,Care,FSC,FSC-C000001,',
  'Soap «é»,036000291452,Care,Fairtrade,FT-1,',
  '\'=1+1,4006381333931,"x, \'=2",,,',
  '"-20% <b>&_x0041_ ""quoted""",96385074,,,,',
].join('\n');

const exported = (brand: ImportingBrand, query: string, language?: string) => brand.get(`variants/export/?${query}`, language);

test.each([
  ['csv', 'en'],
  ['csv', 'es'],
  ['xlsx', 'en'],
])('an export as %s (%s) is uploaded again without changing anything', async (format, language) => {
  const brand = await useImportingBrand();
  const first = await brand.upload(FILE);
  expect(first.errors).toEqual([]);
  const before = await storedVariants(brand);
  const { rawPayload, statusCode } = await exported(brand, `format=${format}`, language);
  expect(statusCode).toBe(200);
  const again = await brand.upload(rawPayload, { fileName: `again.${format}` });
  expect(again).toMatchObject({
    errors: [],
    warnings: [],
    total_rows: 4,
    imported: 4,
    variants_created: 0,
    variants_updated: 0,
    variants_unchanged: 3,
  });
  expect(await storedVariants(brand)).toEqual(before);
});

test.each(['csv', 'xlsx'])('apostrophes and quotes that belong to a name survive an export as %s', async (format) => {
  const brand = await useImportingBrand();
  const names = ["'=x", "'@home", "''+1", '="x"'];
  const cells = names.map((name) => `="${name.replaceAll('"', '""')}"`.replaceAll('"', '""'));
  await brand.upload(['variant_name,gtin', ...cells.map((cell, at) => `"${cell}",${toGtin(at)}`)].join('\n'));
  const { rawPayload } = await exported(brand, `format=${format}`);
  const again = await brand.upload(rawPayload, { fileName: `again.${format}` });
  expect(again).toMatchObject({ errors: [], variants_updated: 0, variants_unchanged: names.length });
  expect((await storedVariants(brand)).map(({ name }) => name).sort()).toEqual(names.toSorted());
});

test('certificate ids of digits keep their zeros in a spreadsheet, and are the same certificates when uploaded again', {
  tags: 'empty-installation',
}, async () => {
  const brand = await useImportingBrand();
  await brand.upload('variant_name,gtin,certification_name,certificate_id\nSoap,036000291452,Fairtrade,0012345');
  const { body } = await exported(brand, 'format=csv&apostrophe=true');
  expect(body).toContain("Soap,'036000291452,,,'0012345,Fairtrade");
  expect((await brand.get('certificates/export/?format=csv&apostrophe=true')).body).toContain("'0012345,Fairtrade");
  expect(await brand.upload(body)).toMatchObject({ errors: [], warnings: [], variants_unchanged: 1 });
  expect((await brand.pool.query('select external_certificate_id from certificates')).rows).toEqual([
    { external_certificate_id: '0012345' },
  ]);
});

test('a program gets GTINs and certificate ids as they are, and uploads them again without changing anything', async () => {
  const brand = await useImportingBrand();
  await brand.upload('variant_name,gtin,certification_name,certificate_id\nSoap,036000291452,Fairtrade,0012345\nBag,036000291469,,');
  const files = {
    chosen: (await chosen(brand, { format: 'csv', search: 'soap' })).body,
    variants: (await exported(brand, 'format=csv')).body,
    without: (await exported(brand, 'format=csv&apostrophe=false')).body,
    certificates: (await brand.get('certificates/export/?format=csv')).body,
  };
  for (const body of Object.values(files)) expect(body).not.toContain("'");
  expect(files.variants).toContain('Soap,036000291452,,,0012345,Fairtrade');
  expect(files.without).toBe(files.variants);
  expect(files.chosen).toContain('Soap,036000291452,,,0012345,Fairtrade');
  expect(files.certificates).toContain('0012345,Fairtrade');
  expect(await brand.upload(files.variants)).toMatchObject({ errors: [], warnings: [], variants_unchanged: 2 });
});

test('a CSV export for a spreadsheet has a byte order mark, GTINs that stay text, and no formulas', async () => {
  const brand = await useImportingBrand();
  await brand.upload(FILE);
  const { body, headers } = await exported(brand, 'format=csv&apostrophe=true');
  expect(headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="product-variants.csv"',
  });
  const details = ','.repeat(DETAIL_FIELDS.length);
  expect(body.split('\r\n')).toEqual([
    `\uFEFF${IMPORT_FIELDS.join(',')},published,certificate_status,certificate_expires_on,channel_state,channel_reason`,
    `Soap «é»,'036000291452,Care,,FSC-C000001,FSC${details},,false,pending,,,`,
    `Soap «é»,'036000291452,Care,,FT-1,Fairtrade${details},,false,pending,,,`,
    `'=1+1,'4006381333931,"x, ''=2",,,${details},,false,,,,`,
    `"'-20% <b>&_x0041_ ""quoted""",'96385074,,,,${details},,false,,,,`,
    '',
  ]);
  expect((await exported(brand, 'format=csv&apostrophe=true', 'es')).body).toContain("Soap «é»;'036000291452;Care");
});

test('an export has what the list shows: search, filters and order', async () => {
  const brand = await useImportingBrand();
  await brand.upload(FILE);
  const names = async (query: string) =>
    (await exported(brand, `format=csv&${query}`)).body
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.split(',')[0]);
  expect(await names('search=so%C3%81p')).toEqual(['Soap «é»', 'Soap «é»']);
  expect(await names('search=9638')).toHaveLength(1);
  expect(await names('search=nothing')).toEqual([]);
  expect(await names('has_certs=false')).toHaveLength(2);
  expect(await names('published=true')).toEqual([]);
  const [first, ...others] = await names('state=unpublished');
  expect([first, ...others]).toEqual(await names(''));
  await brand.pool.query(
    `update certificates set status = 'invalid' where brand_id = $1 and id = (select min(id) from certificates where brand_id = $1)`,
    [brand.brandId],
  );
  expect(await names('state=certificate_problems')).toEqual(['Soap «é»', 'Soap «é»']);
  expect(await names('state=live')).toEqual([]);
  expect((await names('ordering=name')).at(-1)).toBe('Soap «é»');
  expect((await names('ordering=-name'))[0]).toBe('Soap «é»');
});

test.each(['-created_at', 'created_at', 'name', '-name'])('an export of many variants ordered by %s has each once', async (ordering) => {
  const brand = await useImportingBrand();
  const gtins = Array.from({ length: 2_500 }, (_, index) => String(index).padStart(12, '0'));
  await addVariants(
    brand.database.db,
    brand.brandId,
    gtins.map((gtin) => ({ gtin, name: `Variant ${gtin.slice(-1)}` })),
  );
  const { body } = await exported(brand, `format=csv&ordering=${ordering}`);
  const found = body
    .split('\r\n')
    .slice(1, -1)
    .map((line) => line.split(',')[1]);
  expect(found).toHaveLength(2_500);
  expect(new Set(found).size).toBe(2_500);
});

test('of several certificates of one certification the newest is exported, so that the file does not contradict itself', async () => {
  const brand = await useImportingBrand();
  const header = 'variant_name,gtin,certification_name,certificate_id\n';
  await brand.upload(`${header}Soap,96385074,FSC,FSC-C000001\n`);
  await brand.upload(`${header}Soap,96385074,FSC,FSC-C000002\n`);
  const { body } = await exported(brand, 'format=csv');
  expect(body).toContain('FSC-C000002');
  expect(body).not.toContain('FSC-C000001');
});

test('a format that is not offered is refused', async () => {
  const brand = await useImportingBrand();
  expect((await exported(brand, 'format=pdf')).statusCode).toBe(400);
  expect((await exported(brand, '')).statusCode).toBe(400);
});

const chosen = (brand: ImportingBrand, body: object, headers = {}) =>
  brand.app.inject({
    method: 'POST',
    url: `/api/v1/brands/${brand.brandId}/variants/export/`,
    headers: { ...brand.editor.headers, ...headers },
    payload: body,
  });

test('an export of chosen variants has those that match the list, in its order', async () => {
  const brand = await useImportingBrand();
  const other = await addImportingBrand(brand);
  await brand.upload(FILE);
  await other.upload(FILE);
  const idsOf = async ({ pool, brandId }: ImportingBrand) =>
    (await pool.query('select id from variants where brand_id = $1 order by name', [brandId])).rows.map(({ id }) => id);
  const [formula, discount, soap] = await idsOf(brand);
  const names = async (body: object) =>
    (await chosen(brand, { format: 'csv', ordering: 'name', ...body })).body
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.split(',')[0]);
  expect(new Set(await names({ ids: [soap] }))).toEqual(new Set(['Soap «é»']));
  expect(await names({ ids: [soap, discount, formula] })).toHaveLength(4);
  expect((await names({ ids: [soap, discount], ordering: '-name' }))[0]).toBe('Soap «é»');
  expect(await names({ ids: [soap, formula], has_certs: false })).toHaveLength(1);
  expect(await names({ ids: [soap, formula], search: 'so%', published: false })).toEqual([]);
  expect(await names({ ids: [soap, formula], search: 'soap' })).toHaveLength(2);
  // Ids of another brand match nothing.
  expect(await names({ ids: await idsOf(other) })).toEqual([]);
  expect((await chosen(brand, { format: 'csv', ids: [] })).statusCode).toBe(400);
  const tooMany = Array.from({ length: 10_001 }, (_, index) => index + 1);
  expect((await chosen(brand, { format: 'csv', ids: tooMany })).statusCode).toBe(400);
});

test('an export of 2,500 chosen variants has each once', async () => {
  const brand = await useImportingBrand();
  const gtins = Array.from({ length: 2_600 }, (_, index) => String(index).padStart(12, '0'));
  await addVariants(
    brand.database.db,
    brand.brandId,
    gtins.map((gtin) => ({ gtin, name: `Variant ${gtin.slice(-1)}` })),
  );
  const { rows } = await brand.pool.query('select id from variants where brand_id = $1 limit 2500', [brand.brandId]);
  const { body } = await chosen(brand, { format: 'csv', ids: rows.map(({ id }) => id), ordering: 'name' });
  const found = body.split('\r\n').slice(1, -1);
  expect(found).toHaveLength(2_500);
  expect(new Set(found).size).toBe(2_500);
});

test('an export of all that match omits the excepted ids', async () => {
  const brand = await useImportingBrand();
  const ids = await addVariants(
    brand.database.db,
    brand.brandId,
    Array.from({ length: 1_200 }, (_, index) => ({ gtin: toGtin(index), name: `Variant ${index}` })),
  );
  const { body } = await chosen(brand, { format: 'csv', search: 'variant', except_ids: ids.slice(0, 1_000) });
  expect(body.split('\r\n').slice(1, -1)).toHaveLength(200);
  expect(body).not.toContain('Variant 999,');
});

test('an export of all that match is refused if the number of matches has changed, with the new number', async () => {
  const brand = await useImportingBrand();
  const ids = await addVariants(
    brand.database.db,
    brand.brandId,
    [1, 2, 3].map((n) => ({ gtin: toGtin(n), name: `Variant ${n}` })),
  );
  const ask = async (body: object) => {
    const answer = await chosen(brand, { format: 'csv', search: 'variant', ...body });
    return { status: answer.statusCode, ...(answer.statusCode === 200 ? {} : answer.json()) };
  };
  expect(await ask({ expected: 3 })).toEqual({ status: 200 });
  expect(await ask({ except_ids: [ids[0]], expected: 2 })).toEqual({ status: 200 });
  const changed = { status: 409, code: 'selection_changed' };
  expect(await ask({ expected: 4 })).toMatchObject({ ...changed, context: { count: '3' } });
  expect(await ask({ except_ids: [ids[0]], expected: 3 })).toMatchObject({ ...changed, context: { count: '2' } });
  expect(await ask({ ids, expected: 3 })).toMatchObject({ status: 400, fields: { expected: 'belongs to a filter' } });
});

test.each([
  [{ serch: 'salt' }, { serch: 'is not known' }],
  [{ search: '  ' }, { search: 'must not be empty' }],
])('an export of chosen variants is refused for %j', async (body, fields) => {
  const brand = await useImportingBrand();
  const answer = await chosen(brand, { format: 'csv', ...body });
  expect({ status: answer.statusCode, ...answer.json() }).toMatchObject({ status: 400, fields });
});

/** Splits a chunked export into the file and the row counts reported so far. */
function joinPieces(bytes: Buffer) {
  const progress: number[] = [];
  const file: Buffer[] = [];
  let isWhole = false;
  for (let at = 0; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at + 4);
    progress.push(bytes.readUInt32BE(at));
    file.push(bytes.subarray(at + 8, at + 8 + length));
    isWhole = length === 0;
    at += 8 + length;
  }
  return { progress, file: Buffer.concat(file), isWhole };
}

test.each(['csv', 'xlsx'])('an export as %s reports its total rows, and its progress', async (format) => {
  const brand = await useImportingBrand();
  const gtins = Array.from({ length: 3_500 }, (_, index) => toGtin(index));
  await addVariants(
    brand.database.db,
    brand.brandId,
    gtins.map((gtin) => ({ gtin, name: `Variant ${gtin}` })),
  );
  const headers = { ...brand.editor.headers, accept: 'application/vnd.brand-portal.pieces' };
  const url = `/api/v1/brands/${brand.brandId}/variants/export/?format=${format}`;
  const answer = await brand.app.inject({ url, headers });
  expect(answer.headers).toMatchObject({
    'x-total-rows': '3500',
    'content-type': 'application/vnd.brand-portal.pieces',
  });
  const { progress, file, isWhole } = joinPieces(answer.rawPayload);
  expect(isWhole).toBe(true);
  expect(progress).toEqual(progress.toSorted((a, b) => a - b));
  expect(progress.at(-1)).toBe(3_500);
  expect(progress.some((rows) => rows > 0 && rows < 3_500)).toBe(true);
  expect(await brand.upload(file, { fileName: `again.${format}` })).toMatchObject({
    total_rows: 3_500,
    variants_unchanged: 3_500,
    errors: [],
  });
  // With a search too, as in the list.
  expect((await brand.app.inject({ url: `${url}&search=variant`, headers })).headers['x-total-rows']).toBe('3500');
});

test('a row that was deleted in the file does not delete its variant', async () => {
  const brand = await useImportingBrand();
  await brand.upload(FILE);
  const before = await storedVariants(brand);
  const { body } = await exported(brand, 'format=csv');
  const [header, , , ...others] = body.split('\r\n');
  const answer = await brand.upload([header, ...others].join('\r\n'));
  expect(answer).toMatchObject({ total_rows: 2, variants_created: 0, variants_updated: 0, errors: [] });
  expect(await storedVariants(brand)).toEqual(before);
});
