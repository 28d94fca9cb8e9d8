import type { CsvWarning } from '@brand-portal/contract/import';
import { expect, test } from 'vitest';
import { setPublished } from '../../../test/catalogue.ts';
import { toGtin } from '../publishing/test-support/delivery.ts';
import { type ImportingBrand, sendCheck, useImportingBrand } from './test-support/uploads.ts';

const ROWS = [
  'variant_name,gtin,category,certificate_id,certification_name,description,image_link,certificate_link',
  `Tea,${toGtin(0)},Drinks,A-1,GOTS,Green,https://a.example/tea.jpg,https://a.example/1`,
  `Tea,${toGtin(0)},Drinks,B-1,RSPO,Green,https://a.example/tea.jpg,`,
  `Oil,${toGtin(1)},Food,,,Virgin,,`,
  `Salt,${toGtin(2)},,,,,,`,
];

/** A brand with three products, and its export as lines of cells. No cell has a comma or a quote. */
async function useExport() {
  const brand = await useImportingBrand();
  await brand.upload(ROWS.join('\n'));
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

const write = (rows: readonly (readonly string[])[]) => rows.map((row) => row.join(',')).join('\r\n');

/** The warning about ignored edits in the check, and in the result. */
async function warningsOf(brand: ImportingBrand, content: string, language = 'en') {
  const { import_id } = (await sendCheck(brand, content)).json();
  const about = (warnings: readonly CsvWarning[]) =>
    warnings.filter(({ code }) => code === 'ignored_edits').map(({ message }) => message);
  const checked = (await brand.get(`imports/${import_id}/preview/`, language)).json();
  const result = await brand.upload(content, { language });
  expect(about(result.warnings)).toEqual(about(checked.warnings));
  return about(checked.warnings);
}

test('an export that was not edited is imported without a warning', async () => {
  const { brand, rows } = await useExport();
  expect(await warningsOf(brand, write(rows))).toEqual([]);
  // A spreadsheet in Spanish writes booleans so.
  const spanish = write(rows).replaceAll(',true,', ',VERDADERO,').replaceAll(',false,', ',FALSO,');
  // What it makes of a day.
  for (const day of ['2031-01-05 00:00:00', '05.01.2031', '5/1/2031', '1/5/2031']) {
    expect(await warningsOf(brand, spanish.replaceAll('2031-01-05', day))).toEqual([]);
  }
});

test.each<[string, (cells: Record<string, string>) => Record<string, string | undefined>, string]>([
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
  const [header = [], ...products] = rows;
  const edited = products.map((cells) => {
    const changes = edit(Object.fromEntries(header.map((name, place) => [name, cells[place] ?? ''])));
    return cells.map((cell, place) => changes[header[place] ?? ''] ?? cell);
  });
  expect(await warningsOf(brand, write([header, ...edited]))).toEqual([
    `The file differs from your data in places that an import doesn't change: ${said}. Make these changes in the portal.`,
  ]);
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
