import type { CsvWarning } from '@brand-portal/contract/import';
import { expect, test } from 'vitest';
import { setPublished } from '../../test/catalogue.ts';
import { toGtin } from '../channel/test-support/delivery.ts';
import { type ImportingBrand, sendCheck, useImportingBrand } from './test-support/uploads.ts';

const ROWS = [
  'variant_name,gtin,category,certificate_id,certification_name,description,image_link,certificate_link',
  `Tea,${toGtin(0)},Drinks,A-1,GOTS,Green,https://a.example/tea.jpg,https://a.example/1`,
  `Tea,${toGtin(0)},Drinks,B-1,RSPO,Green,https://a.example/tea.jpg,`,
  `Oil,${toGtin(1)},Food,,,Virgin,,`,
  `Salt,${toGtin(2)},,,,,,`,
];

/** A brand with three products, and its export as lines of cells. No cell has a comma or a quote. */
async function useExport(...more: readonly string[]) {
  const brand = await useImportingBrand();
  await brand.upload([...ROWS, ...more].join('\n'));
  const found = await brand.pool.query("select id from variants where name <> 'Salt'");
  await setPublished(
    brand.database.db,
    brand.brandId,
    true,
    found.rows.map(({ id }) => id),
  );
  await brand.pool.query(`update certificates set expires_on = '2031-01-05' where external_certificate_id = 'A-1'`);
  const { body } = await brand.get('variants/export/?format=csv&ordering=name');
  expect(body).toContain('2031-01-05');
  const rows = body
    .replace('\uFEFF', '')
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','));
  return { brand, rows };
}

type Edit = (cells: Record<string, string>) => Record<string, string | undefined>;

function editRows([header = [], ...products]: readonly string[][], edit: Edit): string[][] {
  const edited = products.map((cells) => {
    const changes = edit(Object.fromEntries(header.map((name, place) => [name, cells[place] ?? ''])));
    return cells.map((cell, place) => changes[header[place] ?? ''] ?? cell);
  });
  return [header, ...edited];
}

const withoutColumns = (rows: readonly string[][], names: readonly string[]) =>
  rows.map((cells) => cells.filter((_cell, place) => !names.includes(rows[0]?.[place] ?? '')));

const sentence = (said: string) =>
  `The file differs from your data in places that an import doesn't change: ${said}. Make these changes in the portal.`;

const write = (rows: readonly (readonly string[])[]) => rows.map((row) => row.join(',')).join('\r\n');

/** The warning about ignored edits in the check, and in the result. */
async function warningsOf(brand: ImportingBrand, content: string, language = 'en', fileName = 'edited.csv') {
  const { import_id } = (await sendCheck(brand, content, { fileName })).json();
  const about = (warnings: readonly CsvWarning[]) => warnings.filter(({ code }) => code === 'ignored_edits').map(({ message }) => message);
  const checked = (await brand.get(`imports/${import_id}/preview/`, language)).json();
  const result = await brand.upload(content, { language, fileName });
  expect(about(result.warnings)).toEqual(about(checked.warnings));
  return about(checked.warnings);
}

test('an export that was not edited is imported without a warning', async () => {
  const { brand, rows } = await useExport();
  expect(await warningsOf(brand, write(rows))).toEqual([]);
  // A spreadsheet in Spanish writes booleans so.
  const spanish = write(rows).replaceAll(',true,', ',VERDADERO,').replaceAll(',false,', ',FALSO,');
  // What it makes of a day.
  const slashes = ['5/1/2031', '1/5/2031', '5/1/31', '1/5/31', '05-01-2031', '5-1-31', '2031/01/05', '2031/1/5'];
  for (const day of ['2031-01-05 00:00:00', '05.01.2031', '05.01.31', ...slashes]) {
    expect(await warningsOf(brand, spanish.replaceAll('2031-01-05', day))).toEqual([]);
  }
});

test.each<[string, Edit, string]>([
  ['published', ({ gtin }) => (gtin?.includes(toGtin(1)) ? { published: 'false' } : {}), 'published (1 product)'],
  [
    'certificate_status',
    ({ certificate_id }) => (certificate_id ? { certificate_status: 'validated' } : {}),
    'certificate_status (2 certificates)',
  ],
  [
    'certificate_expires_on',
    ({ certificate_id }) => (certificate_id === 'A-1' ? { certificate_expires_on: '31.12.2031' } : {}),
    'certificate_expires_on (1 certificate)',
  ],
  ['publishing_channel', () => ({ publishing_channel: '' }), 'publishing_channel left blank (2 products)'],
  ['category', () => ({ category: '' }), 'category left blank (2 products)'],
  ['description', () => ({ description: '' }), 'description left blank (2 products)'],
  ['image_link', () => ({ image_link: '' }), 'image_link left blank (1 product)'],
  ['certificate_link', () => ({ certificate_link: '' }), 'certificate_link left blank (1 certificate)'],
  [
    'certificate',
    () => ({ certificate_id: '', certification_name: '', certificate_status: '', certificate_link: '' }),
    'certificates removed (2)',
  ],
])('an edit of %s that an import ignores is counted, in the check and in the result', async (_what, edit, said) => {
  const { brand, rows } = await useExport();
  expect(await warningsOf(brand, write(editRows(rows, edit)))).toEqual([sentence(said)]);
});

test.each<[string, string, string]>([
  ['published', 'false', 'published (1 product)'],
  ['certificate_status', 'validated', 'certificate_status (1 certificate)'],
  ['certificate_expires_on', '2032-01-01', 'certificate_expires_on (1 certificate)'],
  ['publishing_channel', '', 'publishing_channel left blank (1 product)'],
  ['category', '', 'category left blank (1 product)'],
  ['description', '', 'description left blank (1 product)'],
  ['certificate_link', '', 'certificate_link left blank (1 certificate)'],
])('an edit of %s in one of several rows of a product or certificate is counted', async (column, value, said) => {
  const link = column === 'description' ? '' : 'https://a.example/jam.jpg';
  const jam = (gtin: string, id: string, name: string) => `Jam,${gtin},Food,${id},${name},Sweet,${link},https://a.example/2`;
  const [one, other] = [toGtin(3), toGtin(4)];
  const { brand, rows } = await useExport(jam(one, 'C-1', 'GOTS'), jam(one, 'D-1', 'RSPO'), jam(other, 'C-1', 'GOTS'));
  const edited = editRows(rows, ({ gtin, certificate_id }) => (gtin?.includes(one) && certificate_id === 'C-1' ? { [column]: value } : {}));
  expect(await warningsOf(brand, write(edited))).toEqual([sentence(said)]);
});

test.each(['6/1/2031', '1/6/31', '31/12/2031', '12/31/31', ''])('the day %s is another in any order of day and month', async (day) => {
  const { brand, rows } = await useExport();
  expect(await warningsOf(brand, write(rows).replaceAll('2031-01-05', day))).toEqual([sentence('certificate_expires_on (1 certificate)')]);
});

test('a row with another certificate id than exported is not judged by what it still says of the old certificate', async () => {
  const { brand, rows } = await useExport();
  const renew = (cells: Record<string, string>) =>
    editRows(rows, ({ certificate_id }) => (certificate_id === 'A-1' ? { certificate_id: 'A-2', ...cells } : {}));
  expect(await warningsOf(brand, write(renew({})))).toEqual([]);
  await brand.pool.query(`delete from variant_certificates l using certificates c
    where c.id = l.certificate_id and c.external_certificate_id = 'A-2'`);
  expect(await warningsOf(brand, write(renew({ certificate_status: 'validated', certificate_expires_on: '2032-01-01' })))).toEqual([
    sentence('certificate_status (1 certificate), certificate_expires_on (1 certificate)'),
  ]);
});

test('a certificate that the file adds to a product is not judged by its blank cells', async () => {
  const { brand, rows } = await useExport();
  const filledIn = editRows(rows, ({ variant_name }) =>
    variant_name === 'Salt' ? { certificate_id: 'A-1', certification_name: 'GOTS' } : {},
  );
  const blank = (rows[0] ?? []).map(() => '');
  const added = (...cells: readonly string[]) => [...cells, ...blank.slice(cells.length)];
  expect(
    await warningsOf(
      brand,
      write([...filledIn, added('Oil', toGtin(1), '', '', 'A-1', 'GOTS'), added('Tea', toGtin(0), '', '', 'E-1', 'FSC')]),
    ),
  ).toEqual([]);
});

test('an edited export is recognised by any column of its own, or by its name', async () => {
  const { brand, rows } = await useExport();
  const edited = editRows(rows, () => ({ description: '' }));
  const said = [sentence('description left blank (2 products)')];
  const states = ['published', 'certificate_status', 'certificate_expires_on'];
  expect(await warningsOf(brand, write(withoutColumns(edited, states)))).toEqual(said);
  expect(await warningsOf(brand, write(withoutColumns(edited, [...states, 'channel_reason'])))).toEqual(said);
  const plain = write(withoutColumns(edited, [...states, 'channel_state', 'channel_reason']));
  expect(await warningsOf(brand, plain, 'en', 'Product-variants (1).csv')).toEqual(said);
  // Filled in from the template, it would look the same.
  expect(await warningsOf(brand, plain, 'en', 'products.csv')).toEqual([]);
});

test('the rejected rows of an export are not judged by the certificates of its other rows', async () => {
  const { brand, rows } = await useExport();
  const { import_id } = await brand.upload(write(rows).replace(',RSPO,', ',Nonsense,'));
  const { body } = await brand.get(`imports/${import_id}/rejected-rows/`);
  expect(body).toContain('B-1');
  expect(await warningsOf(brand, body.replace(',Nonsense,', ',RSPO,'))).toEqual([]);
});

test('several edits are one warning, in both languages; what the import does is not in it', async () => {
  const { brand, rows } = await useExport();
  // Without the row of the second certificate, and with a product that the import publishes.
  const edited = rows
    .filter((cells) => !cells.includes('B-1'))
    .map((cells) => cells.map((cell) => (cell === 'Green' || cell === 'Virgin' ? '' : cell)));
  await brand.pool.query('update brands set opted_in_for_trial = true where id = $1', [brand.brandId]);
  const salt = edited.find(([name]) => name === 'Salt') ?? expect.fail();
  salt[edited[0]?.indexOf('publishing_channel') ?? -1] = 'Google';
  expect(await warningsOf(brand, write(edited), 'es')).toEqual([
    'El archivo difiere de tus datos en partes que una importación no cambia: description en blanco (2 productos), certificados quitados (1). Haz estos cambios en el portal.',
  ]);
});

test('a product with a rejected row is not judged by what its other rows lack, and another file is not an export', async () => {
  const { brand, rows } = await useExport();
  const rejected = write(rows).replace(',RSPO,', ',Nonsense,');
  expect(await warningsOf(brand, rejected)).toEqual([]);
  for (const column of ['certificate_id', 'certificate_expires_on']) {
    expect(await warningsOf(brand, `variant_name,gtin,category,${column}\nTea,${toGtin(0)},,\n`)).toEqual([]);
  }
});
