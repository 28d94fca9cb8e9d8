import type { ColumnMapping, ColumnQuestion } from '@brand-portal/contract/import-mapping';
import type { LightMyRequestResponse } from 'fastify';
import { describe, expect, test, vi } from 'vitest';
import { textRow, workbook } from '../../test/workbooks.ts';
import { toGtin } from '../channel/test-support/delivery.ts';
import { MAX_MAPPINGS, rememberMapping } from './mapping.queries.ts';
import { fieldOfSynonym } from './rows/column-synonyms.ts';
import { addImportingBrand, lockBrandRow, sendCheck, storedVariants, useImportingBrand, waitsForLock } from './test-support/uploads.ts';

const SALT = '4006381333931';
const TEA = '96385074';
const FILE = `Artikelname;EAN;Zertifikat;Nr;Lager\nSalz;${SALT};FSC;FSC-C104882;3\nTee;${TEA};;;4\n`;
const CHOICE: ColumnMapping = { 0: 'variant_name', 1: 'gtin', 2: 'certification_name', 3: 'certificate_id' };

const mapped = (mapping: object | string) => ({
  fields: { mapping: typeof mapping === 'string' ? mapping : JSON.stringify(mapping) },
});
const questionOf = (answer: LightMyRequestResponse): ColumnQuestion => JSON.parse(answer.json().fields.mapping);
const proposalsOf = ({ columns }: ColumnQuestion) => columns.map(({ header, field, reason }) => [header, field, reason]);
const codesOf = ({ warnings }: { warnings: { code: string }[] }) => warnings.map(({ code }) => code);

test('an unknown header is refused, with the columns found and a proposed field for each', async () => {
  const brand = await useImportingBrand();
  const answer = await brand.send(FILE);
  expect(answer.statusCode).toBe(422);
  expect(answer.json().detail).toBe(
    'Required columns are missing: variant_name, gtin. Row 1 has: Artikelname, EAN, Zertifikat, Nr, Lager. Please name the columns as in the template.',
  );
  expect(questionOf(answer)).toEqual({
    header_row: 1,
    columns: [
      { column: 0, header: 'Artikelname', samples: ['Salz', 'Tee'], field: 'variant_name', reason: 'name' },
      { column: 1, header: 'EAN', samples: [SALT, TEA], field: 'gtin', reason: 'name' },
      { column: 2, header: 'Zertifikat', samples: ['FSC'], field: 'certification_name', reason: 'name' },
      { column: 3, header: 'Nr', samples: ['FSC-C104882'], field: 'certificate_id', reason: 'content' },
      { column: 4, header: 'Lager', samples: ['3', '4'], field: null, reason: null },
    ],
  });
  expect(await storedVariants(brand)).toEqual([]);
});

test('a question about columns leaves no failed import, except for an import that was accepted with 202', async () => {
  const brand = await useImportingBrand();
  const question = questionOf(await brand.send(FILE));
  const sheets = ['A', 'B'].map((name) => ({ name, content: textRow(1, ['variant_name', 'gtin']) }));
  expect((await brand.send(await workbook({ sheets }), { fileName: 'x.xlsx' })).json().fields).toHaveProperty('sheet');
  await sendCheck(brand, FILE, mapped('ask'));
  const list = async () => (await brand.get('imports/')).json();
  expect(await list()).toMatchObject({ count: 0 });

  const accepted = await brand.send(FILE, { prefer: 'respond-async, wait=0' });
  expect(accepted.statusCode).toBe(202);
  const read = async () => (await brand.get(`imports/${accepted.json().import_id}/`)).json();
  await vi.waitFor(async () => expect(await read()).toMatchObject({ state: 'failed', failure: { mapping: question } }), 10_000);
  expect((await list()).results[0].failure).not.toHaveProperty('mapping');
  // An error in the file itself is a failure, not a question.
  await brand.send('variant_name,gtin\n');
  expect(await list()).toMatchObject({ count: 2, results: [{ failure: { code: 'header_only' } }, {}] });
});

test('chosen columns are imported, and remembered for the same columns in any order, but not for another brand', async () => {
  const brand = await useImportingBrand();
  const first = await brand.upload(FILE, mapped(CHOICE));
  expect(first).toMatchObject({ imported: 2, errors: [] });
  expect(first.warnings).toContainEqual({
    code: 'chosen_columns',
    message: 'Columns as you chose them: Artikelname → variant_name, EAN → gtin, Zertifikat → certification_name, Nr → certificate_id.',
  });
  expect(await storedVariants(brand)).toMatchObject([
    { name: 'Salz', gtin: SALT, certificates: ['FSC FSC-C104882'] },
    { name: 'Tee', gtin: TEA },
  ]);

  const second = await brand.upload(`lager;ean ;Artikelname*;ZERTIFIKAT;Nr\n1;${TEA};Grüner Tee;;\n`);
  expect(second).toMatchObject({ imported: 1, variants_updated: 1 });
  expect(codesOf(second)).toEqual(['remembered_columns', 'ignored_columns']);
  const receipt = (await brand.get(`imports/${second.import_id}/`, 'es')).json();
  expect(receipt.warnings[0].message).toContain('Columnas como se eligieron para un archivo anterior: ean → gtin');

  expect((await brand.send('Artikelname;EAN\nSalz;1\n')).statusCode).toBe(422);
  expect((await (await addImportingBrand(brand)).send(FILE)).statusCode).toBe(422);
});

test('a check asks for the columns too, and accepts the choice', async () => {
  const brand = await useImportingBrand();
  const asked = await sendCheck(brand, FILE, mapped('ask'));
  expect([asked.statusCode, proposalsOf(questionOf(asked))[1]]).toEqual([422, ['EAN', 'gtin', 'name']]);
  expect((await sendCheck(brand, FILE, mapped(CHOICE))).json()).toMatchObject({ variants_created: 2, rejected: 0 });
});

test('a form with nothing but the file asks for likely columns where the caller prefers it', async () => {
  const brand = await useImportingBrand();
  const file = `variant_name;gtin;Kategorie\nSalz;${SALT};Gewürze\n`;
  const asked = await brand.send(file, { prefer: 'respond-async, wait=2, mapping=ask' });
  expect(asked.statusCode).toBe(422);
  expect(proposalsOf(questionOf(asked))[2]).toEqual(['Kategorie', 'category', 'name']);
  const chosen = mapped({ 0: 'variant_name', 1: 'gtin' });
  expect((await brand.send(file, { prefer: 'mapping=ask', ...chosen })).statusCode).toBe(200);
});

test('columns can be chosen again: the question has the previous choice, and the last choice is used', async () => {
  const brand = await useImportingBrand();
  const file = `Name;Titel;EAN\nkurz;lang;${SALT}\n`;
  await brand.upload(file, mapped({ 0: 'variant_name', 2: 'gtin' }));
  const answer = await brand.send(file, mapped('choose'));
  expect(answer.json().detail).toBe('Choose which column is which, and upload the file again.');
  expect(proposalsOf(questionOf(answer))).toEqual([
    ['Name', 'variant_name', 'remembered'],
    ['Titel', null, null],
    ['EAN', 'gtin', 'remembered'],
  ]);
  await brand.upload(file, mapped({ 1: 'variant_name', 2: 'gtin' }));
  await brand.upload(file);
  expect(await storedVariants(brand)).toMatchObject([{ name: 'lang' }]);
});

test('a choice with which no row could be imported is not remembered', async () => {
  const brand = await useImportingBrand();
  const { imported } = await brand.upload(FILE, mapped({ 0: 'gtin', 1: 'variant_name' }));
  expect(imported).toBe(0);
  expect((await brand.send(FILE)).statusCode).toBe(422);
});

test('likely optional columns cause a question only if the request allows it, otherwise they are ignored', async () => {
  const brand = await useImportingBrand();
  const file = `variant_name,gtin,Kategorie,shelf\nSalt,${SALT},Food,3\n`;
  const answer = await brand.send(file, mapped('ask'));
  expect(answer.statusCode).toBe(422);
  expect(answer.json().detail).toBe(
    'Some columns have other names than in the template: Kategorie. Choose which column is which, and upload the file again.',
  );
  expect(proposalsOf(questionOf(answer))).toEqual([
    ['variant_name', 'variant_name', 'known'],
    ['gtin', 'gtin', 'known'],
    ['Kategorie', 'category', 'name'],
    ['shelf', null, null],
  ]);
  expect(codesOf(await brand.upload(file))).toEqual(['ignored_columns']);
  expect(codesOf(await brand.upload('variant_name,gtin,shelf\nSalt,4006381333931,3\n', mapped('ask')))).toEqual(['ignored_columns']);
  // Once a member says that there is no such column, the question is not repeated.
  await brand.upload(file, mapped({ 0: 'variant_name', 1: 'gtin' }));
  expect(codesOf(await brand.upload(file, mapped('ask')))).toEqual(['ignored_columns']);
});

test('a column with a template name that was not chosen is ignored, and its rejected rows can be uploaded again without a question', async () => {
  const brand = await useImportingBrand();
  const { import_id, imported, errors } = await brand.upload(
    `variant_name,gtin,EAN\nSalt,1,${SALT}\nTea,2,123\n`,
    mapped({ 0: 'variant_name', 2: 'gtin' }),
  );
  expect([imported, errors.map(({ row, field }) => [row, field])]).toEqual([1, [[3, 'gtin']]]);
  const { body } = await brand.get(`imports/${import_id}/rejected-rows/`);
  expect(body).toContain('Row,Error,variant_name,(gtin),gtin\r\n');
  expect(await brand.upload(body.replace("'123", TEA))).toMatchObject({ imported: 1, errors: [] });
});

test('columns are proposed by content if their name is unknown', async () => {
  const brand = await useImportingBrand();
  const rows = ['A,B,C,D,E', `1001,${SALT},Rainforest Alliance,x,Google`, `1002,${TEA},USDA Organic,y,Google`];
  expect(proposalsOf(questionOf(await brand.send(rows.join('\n'))))).toEqual([
    ['A', null, null],
    ['B', 'gtin', 'content'],
    ['C', 'certification_name', 'content'],
    ['D', null, null],
    ['E', 'publishing_channel', 'content'],
  ]);
  // The values outweigh a column name that they contradict.
  const contradicted = `Artikelnummer,EAN,Code\n${'1,abc,'}${SALT}\n`;
  expect(proposalsOf(questionOf(await brand.send(contradicted)))).toEqual([
    ['Artikelnummer', null, null],
    ['EAN', null, null],
    ['Code', 'gtin', 'content'],
  ]);
});

test.each([
  ['Descripción', 'description'],
  ['Beschreibung', 'description'],
  ['Omschrijving', 'description'],
  ['Artikelomschrijving', 'description'],
  ['Categoría', 'category'],
  ['Image', 'image_link'],
])('%s, a word for another field, is not proposed for the name, even if no other column is', async (header, field) => {
  const brand = await useImportingBrand();
  const proposed = proposalsOf(questionOf(await brand.send(`${header};EAN\nSal;${SALT}\n`)));
  expect(proposed).toEqual([
    [header, field, 'name'],
    ['EAN', 'gtin', 'name'],
  ]);
});

describe('a mapping that would rename more than 5 % of the known products in the file', () => {
  const template = (names: readonly string[]) =>
    `variant_name,gtin\n${names.map((name, index) => `${name},${toGtin(index)}`).join('\n')}\n`;
  const mappedFile = (names: readonly string[]) =>
    `EAN;Descripción\n${names.map((name, index) => `${toGtin(index)};${name}`).join('\n')}\n`;
  const NAMES = Array.from({ length: 20 }, (_, index) => `Tea ${index}`);
  const MAPPING = { 0: 'gtin', 1: 'variant_name' };
  const ASKING = { ...mapped(MAPPING), prefer: 'mapping=ask' };
  const renamed = (count: number) => NAMES.map((name, index) => (index < count ? `A tea from Nepal ${index}` : name));

  test('waits to be confirmed where the caller asks, with the number of renamed products, in both languages', async () => {
    const brand = await useImportingBrand();
    await brand.upload(template(NAMES));
    const answer = await brand.send(mappedFile([...renamed(2), 'New']), ASKING);
    expect([answer.statusCode, answer.json().state]).toEqual([202, 'checked']);
    expect(answer.headers.location).toBe(`/api/v1/brands/${brand.brandId}/imports/${answer.json().import_id}/`);
    expect((await storedVariants(brand)).filter(({ name }) => !name.startsWith('Tea'))).toEqual([]);

    const path = `imports/${answer.json().import_id}/`;
    const preview = (await brand.get(`${path}preview/`)).json();
    expect(preview.warnings[0]).toEqual({
      code: 'many_renamed',
      message: 'Products you already have that would be renamed: 2 of 20. Check that the new names are right.',
    });
    expect((await brand.get(`${path}preview/`, 'es')).json().warnings[0].message).toContain('2 de 20');
    const { variants_created, variants_updated, variants_unchanged, rejected, channel } = preview;
    const confirmed = await brand.app.inject({
      method: 'POST',
      url: `/api/v1/brands/${brand.brandId}/${path}confirm/`,
      headers: brand.editor.headers,
      payload: { variants_created, variants_updated, variants_unchanged, rejected, ...channel },
    });
    expect(confirmed.json()).toMatchObject({ imported: 21, variants_updated: 2, variants_created: 1 });
    // The choice was confirmed, but another file in which it would rename many is asked about again.
    const { mapping: _mapping, ...remembered } = { ...ASKING.fields };
    expect((await brand.send(mappedFile(renamed(9)), { ...ASKING, fields: remembered })).statusCode).toBe(202);
  });

  test.each([
    ['the caller does not ask', mappedFile(renamed(20)), mapped(MAPPING)],
    ['at most 5 % are renamed', mappedFile(renamed(1)), ASKING],
    ['the file itself names the column', template(renamed(20)), { prefer: 'mapping=ask' }],
  ])('is imported if %s', async (_when, file, options) => {
    const brand = await useImportingBrand();
    await brand.upload(template(NAMES));
    expect(await brand.upload(file, options)).toMatchObject({ imported: 20 });
  });
});

test.each([
  ['Certificado', 'Certificación'],
  ['Certificate', 'Certification'],
])('beside a column %s, one named %s is the certification, also if its values are misspelt', async (id, name) => {
  const brand = await useImportingBrand();
  const file = `Producto;EAN;${id};${name}\nSal;${SALT};FT-1;Fairtrade Intl\n`;
  expect(proposalsOf(questionOf(await brand.send(file))).slice(2)).toEqual([
    [id, 'certificate_id', 'name'],
    [name, 'certification_name', 'name'],
  ]);
});

test('certificate ids are recognised by their format, whatever the column name is', async () => {
  const brand = await useImportingBrand();
  const file = `Produkt;EAN;Ref;Lager\nSalz;${SALT};FSC-C104882;12\nTee;${TEA};FSC-C000001;13\n`;
  expect(proposalsOf(questionOf(await brand.send(file)))[2]).toEqual(['Ref', 'certificate_id', 'content']);
});

test.each([
  ['EAN', 'gtin'],
  ['Nº de licencia', 'certificate_id'],
  ['ean-13', 'gtin'],
  ['Código de barras', 'gtin'],
  ['UPC', 'gtin'],
  ['Nom du produit', 'variant_name'],
  ['NOMBRE', 'variant_name'],
  ['Catégorie', 'category'],
  ['Zertifikat', 'certification_name'],
  ['Certificación', 'certification_name'],
  ['Zertifikat-Nr.', 'certificate_id'],
  ['Zertifikat Nr', 'certificate_id'],
  ['Zert-Nr', 'certificate_id'],
  ['Zert.-Nr.', 'certificate_id'],
  ['Zert. Nummer', 'certificate_id'],
  ['Cert-No', 'certificate_id'],
  ['Cert. number', 'certificate_id'],
  ['Nº cert.', 'certificate_id'],
  ['Lizenz-Nr.', 'certificate_id'],
  ['Descripción', 'description'],
  ['Beschreibung', 'description'],
  ['Artikelnummer', undefined],
  ['SKU', undefined],
] as const)('%s is a synonym of %s', (name, field) => {
  expect(fieldOfSynonym(name)).toBe(field);
});

test.each([
  ['a title', `Products of autumn\n\n;;\nvariant_name;gtin\nSalt;${SALT}\nBad;12\n`, 4, 6],
  ['blank rows', `\n\nvariant_name,gtin\nSalt,${SALT}\nBad,12\n`, 3, 5],
  ['a title with the separator', `Autumn, 2026, x\nvariant_name;gtin\nSalt;${SALT}\nBad;12\n`, 2, 4],
])('the header is found below %s, and row numbers are those of the file', async (_what, file, header, bad) => {
  const brand = await useImportingBrand();
  const { imported, errors, warnings } = await brand.upload(file);
  expect([imported, errors.map(({ row }) => row)]).toEqual([1, [bad]]);
  expect(warnings).toEqual([{ code: 'header_row', message: `Row ${header} was taken as the header; what is above it is ignored.` }]);
});

test('a title above an unknown header is not taken as the header, in a CSV file and in a workbook', async () => {
  const brand = await useImportingBrand();
  const csv = await brand.send(`Sortiment, Herbst 2026\n\nProduktname;EAN\nSalz;${SALT}\n`);
  expect(questionOf(csv).header_row).toBe(3);
  const content = textRow(2, ['Sortiment']) + textRow(4, ['Produktname', 'EAN']) + textRow(5, ['Salz', SALT]);
  const notes = { name: 'Notes', content: textRow(1, ['nothing here']) };
  const file = await workbook({ sheets: [notes, { name: 'Liste', content }] });
  const question = questionOf(await brand.send(file, { fileName: 'x.xlsx' }));
  expect([question.sheet, question.header_row, proposalsOf(question)[1]]).toEqual(['Liste', 4, ['EAN', 'gtin', 'name']]);
  const answer = await brand.upload(file, {
    fileName: 'x.xlsx',
    fields: { sheet: 'Liste', mapping: '{"0":"variant_name","1":"gtin"}' },
  });
  expect([answer.imported, codesOf(answer)]).toEqual([1, ['chosen_sheet', 'header_row', 'chosen_columns']]);
  // The mapping is remembered even if the file has another title.
  expect(await brand.upload(`Winter\nProduktname;EAN\nTee;${TEA}\n`)).toMatchObject({ imported: 1 });
});

test('of rows that are no sure header, the one with a known column is taken, not a title of two cells', async () => {
  const brand = await useImportingBrand();
  const file = `Spring range\nPrepared by Ana;3-May\nLong text;Barcode\nSalt;${SALT}\n`;
  expect(questionOf(await brand.send(file))).toMatchObject({
    header_row: 3,
    columns: [{ header: 'Long text' }, { header: 'Barcode', field: 'gtin', reason: 'name' }],
  });
});

test('if no sheet has any of the columns, the member chooses a sheet and then its columns', async () => {
  const brand = await useImportingBrand();
  const sheets = ['A', 'B'].map((name) => ({ name, content: textRow(1, ['x', 'y']) + textRow(2, [name, SALT]) }));
  const file = await workbook({ sheets });
  const answer = await brand.send(file, { fileName: 'x.xlsx' });
  expect(answer.json().fields).toEqual({ sheet: 'A\nB' });
  const question = questionOf(await brand.send(file, { fileName: 'x.xlsx', fields: { sheet: 'B' } }));
  expect(question).toMatchObject({ sheet: 'B', columns: [{ samples: ['B'] }, { field: 'gtin', reason: 'content' }] });
});

test.each([
  ['no JSON', '{"0":', 400, 'The field "mapping" must name'],
  ['a list', '["gtin"]', 400, 'The field "mapping" must name'],
  ['nothing', '{}', 400, 'The field "mapping" must name'],
  ['null', 'null', 400, 'The field "mapping" must name'],
  ['an unknown field', '{"0":"price"}', 400, 'The field "mapping" must name'],
  ['a property of every object', '{"0":"__proto__"}', 400, 'The field "mapping" must name'],
  ['a column that is not a valid index', '{"-1":"gtin"}', 400, 'The field "mapping" must name'],
  ['too much text', `{"0":"gtin"${' '.repeat(2_000)}}`, 400, 'The field "mapping" must name'],
  ['two columns for one field', '{"0":"gtin","1":"gtin"}', 422, 'Two columns are chosen for gtin.'],
  ['a column that does not exist', '{"0":"variant_name","5":"gtin"}', 422, 'Column 6 was chosen, but the header has 5'],
  ['too few required columns', '{"0":"variant_name"}', 422, 'Required columns are missing: gtin.'],
])('a mapping of %s is refused', { tags: 'empty-installation' }, async (_what, mapping, status, detail) => {
  const brand = await useImportingBrand();
  const answer = await brand.send(FILE, mapped(mapping));
  expect([answer.statusCode, answer.json().detail]).toEqual([status, expect.stringContaining(detail)]);
  expect((await brand.pool.query('select from import_mappings')).rowCount).toBe(0);
});

test('the answer to a hostile header is limited in size', async () => {
  expect(fieldOfSynonym('x'.repeat(1_000_000))).toBeUndefined();
  const brand = await useImportingBrand();
  const wide = Array.from({ length: 490 }, (_, at) => `Column ${at}`);
  const last = [...wide.map(() => '=HYPERLINK("x")'), SALT].join('\t');
  const question = questionOf(await brand.send(`${wide.join('\t')}\tEAN\n${last}\n`));
  expect(question.columns).toHaveLength(61);
  expect(question.columns.at(-1)).toMatchObject({ column: 490, field: 'gtin' });
  expect(question.columns[0]?.samples).toEqual(['=HYPERLINK("x")']);
  const tenThousand = Array.from({ length: 10_000 }, (_, at) => `c${at}`).join();
  expect((await brand.send(`${tenThousand}\n1\n`)).json().detail).toContain('Row 1 has more than 2,000 cells');
  const long = await brand.send(`${'x'.repeat(200_000)},a\u0001b\n${'y'.repeat(200_000)},${SALT}\n`);
  expect(questionOf(long).columns).toMatchObject([
    { header: `${'x'.repeat(40)}…`, samples: [`${'y'.repeat(40)}…`] },
    { header: 'a b', field: 'gtin' },
  ]);
  expect((await brand.send(`${'x'.repeat(1_000_000)},b\n1,2\n`)).statusCode).toBe(422);
});

test('columns with the same name are distinguished', async () => {
  const brand = await useImportingBrand();
  const file = `Name,Name,EAN\nshort,long,${SALT}\n`;
  await brand.upload(file, mapped({ 1: 'variant_name', 2: 'gtin' }));
  await brand.upload(file.replace('long', 'longer'));
  expect(await storedVariants(brand)).toMatchObject([{ name: 'longer' }]);
});

test('a brand keeps its last hundred mappings', { tags: 'empty-installation' }, async () => {
  const { database, brandId, pool } = await useImportingBrand();
  const remember = (hash: string) =>
    rememberMapping(database.db, brandId, {
      headerHash: hash,
      otherHash: '',
      columns: [{ key: 'ean', nth: 0, field: 'gtin' }],
    });
  for (let at = 0; at < MAX_MAPPINGS; at++) await remember(`hash ${at}`);
  await remember('hash 0');
  await remember('one more');
  const { rows } = await pool.query('select header_hash from import_mappings order by chosen_at');
  expect(rows).toHaveLength(MAX_MAPPINGS);
  expect([rows[0].header_hash, rows.at(-2).header_hash]).toEqual(['hash 2', 'hash 0']);
});

test('a file without a header is refused, in both languages, also if columns were chosen', async () => {
  const brand = await useImportingBrand();
  const file = `Salz;${SALT}\nTee;${TEA}\n`;
  const asked = await brand.send(file);
  expect([asked.statusCode, asked.json().detail, asked.json().fields]).toEqual([
    422,
    `The file has no header row: row 1 looks like a product (${SALT}). Add a row with the names of the columns above it, and upload the file again.`,
    undefined,
  ]);
  const chosen = await brand.send(file, { ...mapped({ 0: 'variant_name', 1: 'gtin' }), language: 'es' });
  expect([chosen.statusCode, chosen.json().detail]).toEqual([
    422,
    expect.stringContaining(`El archivo no tiene fila de encabezado: la fila 1 parece un producto (${SALT}).`),
  ]);
  expect((await brand.send(file, mapped('choose'))).json().detail).toContain('no header row');
  expect((await sendCheck(brand, file, mapped('ask'))).json().detail).toContain('no header row');
  expect(await storedVariants(brand)).toEqual([]);
  // A column name may be a number if the other names show that this is the header.
  expect(await brand.upload(`variant_name;gtin;${TEA}\nSalz;${SALT};x\n`)).toMatchObject({ imported: 1 });
});

test('a choice is remembered when its file is imported, not by a discarded check or a failed import', {
  tags: 'empty-installation',
}, async () => {
  const brand = await useImportingBrand();
  const remembered = async () => (await brand.pool.query('select from import_mappings')).rowCount;
  const first = (await sendCheck(brand, FILE, mapped(CHOICE))).json();
  expect(await remembered()).toBe(0);
  const post = (importId: number, path: string, payload?: object) =>
    brand.app.inject({
      method: 'POST',
      url: `/api/v1/brands/${brand.brandId}/imports/${importId}/${path}/`,
      headers: brand.editor.headers,
      ...(payload && { payload }),
    });
  await post(first.import_id, 'cancel');
  expect(await remembered()).toBe(0);

  const release = await lockBrandRow(brand);
  const importing = brand.send(FILE, mapped(CHOICE));
  await waitsForLock(brand);
  const { results } = (await brand.get('imports/')).json();
  await post(results[0].id, 'cancel');
  await release();
  expect((await importing).json().code).toBe('import_cancelled');
  expect(await remembered()).toBe(0);

  const preview = (await sendCheck(brand, FILE, mapped(CHOICE))).json();
  const { variants_created, variants_updated, variants_unchanged, rejected, channel } = preview;
  const told = { variants_created, variants_updated, variants_unchanged, rejected, ...channel };
  expect((await post(preview.import_id, 'confirm', told)).statusCode).toBe(200);
  expect(await remembered()).toBe(1);
  expect(await brand.upload(FILE)).toMatchObject({ imported: 2 });
});

test.each([
  ['blank', `Lager;;;EAN\n1;x;Salz;${SALT}\n`, { 2: 'variant_name', 3: 'gtin' }, `EAN;;;Lager\n${SALT};Tee;y;1\n`],
  ['blank at the end', `EAN;Lager;;\n${SALT};1;x;Salz\n`, { 0: 'gtin', 3: 'variant_name' }, `EAN;Lager;\n${SALT};1;Tee\n`],
  ['there twice', `Name;Name;EAN\nx;Salz;${SALT}\n`, { 1: 'variant_name', 2: 'gtin' }, `EAN;Name;Name\n${SALT};y;Tee\n`],
])(
  'a chosen column whose name is %s is remembered by its position: in another order the question comes again',
  async (_what, file, choice, other) => {
    const brand = await useImportingBrand();
    await brand.upload(file, mapped(choice));
    expect((await brand.send(other)).statusCode).toBe(422);
    const again = await brand.upload(file.replace('Salz', 'Salz fein'));
    expect([again.variants_updated, codesOf(again)[0]]).toEqual([1, 'remembered_columns']);
    expect(await storedVariants(brand)).toMatchObject([{ name: 'Salz fein' }]);
  },
);

test('the last choice for a header is used, whether by names or by positions', async () => {
  const brand = await useImportingBrand();
  const file = `Titel;Name;Name;EAN\na;b;c;${SALT}\n`;
  for (const [place, name] of [
    [0, 'a'],
    [2, 'c'],
    [0, 'a'],
  ] as const) {
    await brand.upload(file, mapped({ [place]: 'variant_name', 3: 'gtin' }));
    await brand.upload(file);
    expect(await storedVariants(brand)).toMatchObject([{ name }]);
  }
});

test('a remembered choice never overrides the column names of the template', async () => {
  const brand = await useImportingBrand();
  const file = `variant_name,gtin,category,EAN,Warengruppe\nSalt,${TEA},Food,${SALT},Spices\n`;
  await brand.upload(file, mapped({ 0: 'variant_name', 3: 'gtin', 4: 'category' }));
  expect(await storedVariants(brand)).toMatchObject([{ gtin: SALT, category: 'Spices' }]);
  const again = await brand.upload(file, mapped('ask'));
  expect([again.variants_created, codesOf(again)]).toEqual([1, ['ignored_columns']]);
  expect(await storedVariants(brand)).toMatchObject([{ gtin: TEA, category: 'Food' }, { gtin: SALT }]);
});

test.each([
  ['a product whose name is a synonym of a column', `Bez;Code\nSalz;${SALT}\nItem;${TEA}\n`, 1],
  ['a row with a GTIN', `Bez;Code;Nr\nSalz;${SALT};1\nItem;${TEA};EAN\n`, 1],
  ['a row with only one known column name', 'Bez;Code\nSalz;x\nItem;y\n', 1],
])('%s is not taken as the header', async (_what, file, row) => {
  const brand = await useImportingBrand();
  expect(questionOf(await brand.send(file)).header_row).toBe(row);
});
