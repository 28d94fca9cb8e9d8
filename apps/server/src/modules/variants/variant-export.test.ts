import { expect, test } from 'vitest';
import { addVariants } from '../../../test/catalogue.ts';
import { type ImportingBrand, storedVariants, useImportingBrand } from '../import/test-support/uploads.ts';

const FILE = [
  'variant_name,gtin,category,certification_name,certificate_id,publishing_channel',
  'Soap «é»,036000291452,Care,FSC,FSC-C000001,',
  'Soap «é»,036000291452,Care,Fairtrade,FT-1,',
  '\'=1+1,4006381333931,"x, \'=2",,,',
  '"-20% <b>&_x0041_ ""quoted""",96385074,,,,',
].join('\n');

const exported = (brand: ImportingBrand, query: string, language?: string) =>
  brand.get(`variants/export/?${query}`, language);

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
    ...{ errors: [], warnings: [], total_rows: 4, imported: 4 },
    ...{ variants_created: 0, variants_updated: 0, variants_unchanged: 3 },
  });
  expect(await storedVariants(brand)).toEqual(before);
});

test('a CSV export has a byte order mark, GTINs that stay text, and no formulas', async () => {
  const brand = await useImportingBrand();
  await brand.upload(FILE);
  const { body, headers } = await exported(brand, 'format=csv');
  expect(headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="product-variants.csv"',
  });
  expect(body.split('\r\n')).toEqual([
    '\uFEFFvariant_name,gtin,category,publishing_channel,certificate_id,certification_name,certificate_status,certificate_expires_on,channel_state,channel_reason',
    "Soap «é»,'036000291452,Care,,FSC-C000001,FSC,pending,,,",
    "Soap «é»,'036000291452,Care,,FT-1,Fairtrade,pending,,,",
    `'=1+1,'4006381333931,"x, ''=2",,,,,,,`,
    `"'-20% <b>&_x0041_ ""quoted""",'96385074,,,,,,,,`,
    '',
  ]);
  expect((await exported(brand, 'format=csv', 'es')).body).toContain("Soap «é»;'036000291452;Care");
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
  expect((await names('ordering=name')).at(-1)).toBe('Soap «é»');
  expect((await names('ordering=-name'))[0]).toBe('Soap «é»');
});

test.each(['-created_at', 'created_at', 'name', '-name'])(
  'an export of many variants ordered by %s has each once',
  async (ordering) => {
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
      .map((line) => line.split(',')[1]?.slice(1));
    expect(found).toHaveLength(2_500);
    expect(new Set(found).size).toBe(2_500);
  },
);

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
