import { randomBytes } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { products, textRow, workbook, workbookParts, zip } from '../../test/workbooks.ts';
import { describeBrand, storedVariants, toForm, useImportingBrand } from './test-support/uploads.ts';

const HEADER = ['variant_name', 'gtin'];
const XLSX = { fileName: 'products.xlsx' };
const SOAP = textRow(2, ['Soap', '4006381333931']);

/** Changes the unpacked size that the central directory declares for the last entry. */
function declareSize(archive: Buffer, bytes: number): Buffer {
  archive.writeUInt32LE(bytes, archive.lastIndexOf('PK\x01\x02') + 24);
  return archive;
}

/** Lists the last entry of the central directory again and again. */
function repeatLastEntry(archive: Buffer, times: number): Buffer {
  const [entry, end] = [archive.lastIndexOf('PK\x01\x02'), archive.lastIndexOf('PK\x05\x06')];
  const copies = Array.from({ length: times }, () => archive.subarray(entry, end));
  const tail = Buffer.from(archive.subarray(end));
  for (const at of [8, 10]) tail.writeUInt16LE(tail.readUInt16LE(at) + times, at);
  tail.writeUInt32LE(tail.readUInt32LE(12) + times * (end - entry), 12);
  return Buffer.concat([archive.subarray(0, end), ...copies, tail]);
}

const sheets = (...names: string[]) => names.map((name) => ({ name, content: textRow(1, HEADER) + textRow(2, [name, '4006381333931']) }));

test('a workbook is imported through the same call, whatever its file name is', async () => {
  const brand = await useImportingBrand();
  const header = ['Variant Name*', 'GTIN*', 'category', 'certification_name', 'certificate_id'];
  const file = await products(textRow(2, ['Jabón «é»', '036000291452', 'Care', '', '']), {}, header);
  expect(await brand.upload(file, { fileName: 'products.csv' })).toMatchObject({
    imported: 1,
    total_rows: 1,
    errors: [],
  });
  expect(await storedVariants(brand)).toMatchObject([{ name: 'Jabón «é»', gtin: '036000291452', category: 'Care' }]);
  expect(await brand.upload(file, XLSX)).toMatchObject({ variants_created: 0, variants_unchanged: 1 });
});

test('row numbers are those of the sheet, and rejected rows are downloaded as CSV', async () => {
  const brand = await useImportingBrand();
  const file = await products(`${SOAP}<row r="3"/>${textRow(7, ['Bad', '12', 'a, b'])}`);
  const { errors, import_id } = await brand.upload(file, XLSX);
  expect(errors).toMatchObject([{ row: 7, field: 'gtin', code: 'gtin_length' }]);
  const { body } = await brand.get(`imports/${import_id}/rejected-rows/`);
  expect(body).toContain('Error,variant_name,gtin,category\r\n');
  expect(body).toContain(`,Bad,'12,"a, b"`);
});

test('numbers are read by their format: with leading zeros and all digits; text is not changed', async () => {
  const brand = await useImportingBrand();
  const rows = [
    '<row r="2"><c r="A2" t="s"><v>0</v></c><c r="B2" s="1"><v>36000291452</v></c></row>',
    '<row r="3"><c r="A3" t="s"><v>1</v></c><c r="B3"><v>4.006381333931E12</v></c></row>',
    '<row r="4"><c r="A4"><v>7.1</v></c><c r="B4" s="2"><v>96385074</v></c></row>',
    '<row r="5"><c r="A5" t="inlineStr"><is><r><t>Ri</t></r><r><t>ch</t></r><rPh><t>no</t></rPh></is></c><c t="str"><v>5901234123457</v></c></row>',
  ];
  const strings = ['<t>Zeros</t>', '<r><t xml:space="preserve">Two </t></r><r><t>runs_x0041_</t></r>'];
  const file = await products(rows.join(''), { strings, formats: ['000000000000', '#,##0.00'] });
  expect(await brand.upload(file, XLSX)).toMatchObject({ imported: 4, errors: [] });
  const stored = await storedVariants(brand);
  expect(stored.map(({ name, gtin }) => [name, gtin])).toEqual([
    ['Zeros', '036000291452'],
    ['Two runsA', '4006381333931'],
    ['7.1', '96385074'],
    ['Rich', '5901234123457'],
  ]);
});

test('dates, lost digits, errors and formulas without a value are reported', async () => {
  const brand = await useImportingBrand();
  const rows = [
    '<row r="2"><c r="A2" s="1"><v>45292</v></c><c r="B2"><v>96385074</v></c></row>',
    '<row r="3"><c r="A3" t="inlineStr"><is><t>Long</t></is></c><c r="B3"><v>1234567890123456</v></c></row>',
    '<row r="4"><c r="A4" t="e"><f>NA()</f><v>#N/A</v></c><c r="B4"><v>96385074</v></c></row>',
    '<row r="5"><c r="A5"><f>B5</f></c><c r="B5"><v>96385074</v></c></row>',
    '<row r="6"><c r="A6" t="str"><f>"So"&amp;"ap"</f><v>Soap</v></c><c r="B6"><v>96385074</v></c></row>',
  ];
  const answer = await brand.upload(await products(rows.join('')), XLSX);
  expect(answer.errors.map(({ row, field, code }) => [row, field, code])).toEqual([
    [2, 'variant_name', 'cell_date'],
    [3, 'gtin', 'cell_lost_digits'],
    [4, 'variant_name', 'spreadsheet_error'],
    [5, 'variant_name', 'cell_not_calculated'],
  ]);
  expect(answer.errors[0]?.message).toContain('This is a date (2024-01-01)');
  expect(answer.warnings).toEqual([
    {
      code: 'formulas',
      message: '3 cells have formulas; the values that they had when the workbook was saved are imported.',
    },
  ]);
  expect(await storedVariants(brand)).toMatchObject([{ name: 'Soap' }]);
});

const CERTIFIED_TEA = ['Tea', '4006381333931', 'Drinks', 'FSC-C104882', 'FSC'];

test.each([
  [
    'names over two rows and a title over two columns',
    ['variant_name*', 'gtin*', 'category', 'Certificate', ''],
    ['', '', '', 'certificate_id', 'certification_name'],
  ],
  [
    'titles over several columns and names of others over two rows',
    ['Product', '', 'category', 'Certificate', ''],
    ['variant_name', 'gtin', '', 'certificate_id', 'certification_name'],
  ],
  [
    'a required name below a title',
    ['Product', 'gtin', 'category', 'certificate_id', 'certification_name'],
    ['variant_name', '', '', '', ''],
  ],
])('a header of two rows is put together, as merged cells make it: %s', { tags: 'empty-installation' }, async (_case, upper, lower) => {
  for (const format of ['xlsx', 'csv']) {
    const brand = await useImportingBrand();
    const table = [upper, lower, CERTIFIED_TEA];
    const file =
      format === 'csv'
        ? table.map((cells) => cells.join(';')).join('\n')
        : await workbook({ sheets: [{ name: 'Products', content: table }] });
    expect(await brand.upload(file, { fileName: `products.${format}` })).toMatchObject({
      imported: 1,
      total_rows: 1,
      errors: [],
      warnings: [{ code: 'two_header_rows', message: 'Rows 1 and 2 were taken as the header together.' }],
    });
    expect(await describeBrand(brand)).toMatchObject([{ name: 'Tea', category: 'Drinks' }]);
    expect((await brand.pool.query('select external_certificate_id as id from certificates')).rows).toEqual([{ id: 'FSC-C104882' }]);
  }
});

test('a row is not taken for the second one of the header if it may be a product', async () => {
  const brand = await useImportingBrand();
  const header = ['variant_name', 'gtin', 'Art', 'Stand'];
  for (const [second, code] of [
    [['Category', '12', 'category', ''], 'gtin_length'],
    [['Tea', '4006381333930', 'category', ''], 'gtin_check_digit'],
  ] as const) {
    const content = [header, second, ['Oil', '96385074', 'Food', '']];
    const { errors, imported } = await brand.upload(await workbook({ sheets: [{ name: 'Products', content }] }), XLSX);
    expect([errors.map((error) => [error.row, error.code]), imported]).toEqual([[[2, code]], 1]);
  }
});

test('dates of a workbook with the 1904 date system are read correctly', async () => {
  const brand = await useImportingBrand();
  const rows = '<row r="2"><c r="A2" s="1"><v>0</v></c><c r="B2"><v>96385074</v></c></row>';
  const { errors } = await brand.upload(await products(rows, { is1904: true }), XLSX);
  expect(errors[0]?.message).toContain('1904-01-01');
});

test.each([
  ['a title only', [['Welcome to our products']]],
  ['nothing', []],
])('a hidden sheet with the products is named if the visible one has %s', async (_case, content) => {
  const brand = await useImportingBrand();
  const file = await workbook({
    sheets: [
      { name: 'Cover', content },
      { name: 'Products', content: [HEADER, ['Soap', '4006381333931']], state: 'hidden' },
      { name: 'Lists', content: [['a', 'b']], state: 'veryHidden' },
    ],
  });
  expect((await brand.send(file, XLSX)).json()).toMatchObject({
    code: 'csv_rejected',
    detail:
      'The sheet with the required columns is hidden: Products. Unhide it in your spreadsheet program, save the workbook and upload it again.',
  });
  expect((await brand.send(file, { ...XLSX, language: 'es' })).json().detail).toBe(
    'La hoja que tiene las columnas obligatorias está oculta: Products. Muéstrala en tu hoja de cálculo, guarda el libro y súbelo de nuevo.',
  );
});

test('a time is reported as it was typed', async () => {
  const brand = await useImportingBrand();
  const rows = '<row r="2"><c r="A2" s="1"><v>0.4375</v></c><c r="B2"><v>96385074</v></c></row>';
  const { errors } = await brand.upload(await products(rows, { formats: ['hh:mm'] }), XLSX);
  expect(errors[0]?.message).toContain('This is a time (10:30), not text.');
});

test('hidden rows are imported, with a warning', async () => {
  const brand = await useImportingBrand();
  const { imported, warnings } = await brand.upload(await products(SOAP + textRow(3, ['Hidden', '96385074'], 'hidden="1"')), XLSX);
  expect(imported).toBe(2);
  expect(warnings).toEqual([
    { code: 'hidden_rows', message: '1 row is hidden in the workbook, perhaps by a filter, and is imported too.' },
  ]);
});

test('merged cells over several rows of imported columns are imported as Excel stores them, with a warning', async () => {
  const brand = await useImportingBrand();
  const header = [...HEADER, 'category', 'certification_name', 'certificate_id', 'notes'];
  const rows = [
    textRow(1, ['Our products']) + textRow(2, header),
    textRow(3, ['Soap', '4006381333931', 'Care', 'FSC', 'FSC-C104882', 'all']),
    textRow(4, ['Cream', '96385074']) + textRow(5, ['Oil', '036000291452']) + textRow(6, ['Printed in May']),
  ].join('');
  const upload = async (ranges: string[], language = 'en') => {
    const merged = `<mergeCells>${ranges.map((ref) => `<mergeCell ref="${ref}"/>`).join('')}</mergeCells>`;
    const file = await workbook({ sheets: [{ name: 'Products', content: rows, tail: merged }] });
    const { warnings } = await brand.upload(file, { ...XLSX, language });
    return warnings.filter(({ code }) => code === 'merged_cells').map(({ message }) => message);
  };
  expect(await upload(['A1:F1', 'C3:C5', 'D3:D5', 'F3:F5', 'E3:F5'])).toEqual([
    'Merged cells (C3:C5 and 2 more): Excel stores the value in the first row only, so the other rows have none. Unmerge the cells and fill in every row.',
  ]);
  expect(await storedVariants(brand)).toMatchObject([{ category: 'Care' }, { category: '' }, { category: '' }]);
  expect(await upload(['C3:C5'], 'es')).toEqual([
    'Celdas combinadas (C3:C5): Excel guarda el valor solo en la primera fila, así que las demás no lo tienen. Separa las celdas y rellena todas las filas.',
  ]);
  // A title, a header of two rows, cells of one row, a column that is ignored, a note below the rows, no ranges.
  expect(await upload(['A1:B2', 'C2:C3', 'C3:D3', 'F3:F5', 'A6:E9', 'C5:C3', 'C3', 'x'])).toEqual([]);
});

test('a row of a workbook with more cells than the header gets advice that fits a workbook', async () => {
  const brand = await useImportingBrand();
  const content = [HEADER, ['Tea', '96385074', 'of a column without a name']];
  const { errors } = await brand.upload(await workbook({ sheets: [{ name: 'Products', content }] }), XLSX);
  expect(errors).toEqual([
    {
      row: 2,
      code: 'too_many_cells',
      message:
        'The row has 3 cells, but there are 2 columns. Give every column a name or clear the extra cells; in a CSV file, put text that contains the separator in quotes.',
    },
  ]);
});

test('very many merged cells are counted', async () => {
  const brand = await useImportingBrand();
  const tail = `<mergeCells>${'<mergeCell ref="A2:A3"/>'.repeat(100_000)}</mergeCells>`;
  const content = textRow(1, HEADER) + SOAP + textRow(3, ['Cream', '96385074']);
  const { warnings } = await brand.upload(await workbook({ sheets: [{ name: 'Products', content, tail }] }), XLSX);
  expect(warnings).toMatchObject([{ message: expect.stringContaining('(A2:A3 and 99,999 more)') }]);
});

test('of several sheets the one with the required columns is used', async () => {
  const brand = await useImportingBrand();
  const file = await workbook({
    sheets: [
      { name: 'Notes', content: [['Read this first']] },
      { name: 'Old', content: [HEADER, ['Old', '96385074']], state: 'hidden' },
      ...sheets('Products'),
    ],
  });
  expect(await brand.upload(file, XLSX)).toMatchObject({ imported: 1, warnings: [] });
  expect(await storedVariants(brand)).toMatchObject([{ name: 'Products' }]);
});

test('which sheet was used is told if another one has columns too', async () => {
  const brand = await useImportingBrand();
  const range = {
    name: 'Range',
    content: [
      ['Article', 'Barcode no.'],
      ['Tea', '96385074'],
    ],
  };
  expect(await brand.upload(await workbook({ sheets: [range, ...sheets('Old')] }), XLSX)).toMatchObject({
    imported: 1,
    warnings: [{ code: 'chosen_sheet', message: 'The rows are those of the sheet "Old".' }],
  });
});

test('a sheet that is listed twice, the second time with another case, is one sheet', async () => {
  const brand = await useImportingBrand();
  const { [RELATIONS]: relations = '', ...others } = workbookParts({ sheets: sheets('Products', 'Copy') });
  await brand.upload(await zip({ ...others, [RELATIONS]: String(relations).replace('sheet1.xml', 'SHEET0.xml') }), XLSX);
  expect(await storedVariants(brand)).toMatchObject([{ name: 'Products' }]);
});

test('related parts with endless names are ignored, so that they do not fill memory', async () => {
  const brand = await useImportingBrand();
  const { [RELATIONS]: relations = '', ...others } = workbookParts({ sheets: sheets('Products', 'Other') });
  const endless = `${'x'.repeat(1_000)}/../worksheets/sheet1.xml`;
  await brand.upload(await zip({ ...others, [RELATIONS]: String(relations).replace('worksheets/sheet1.xml', endless) }), XLSX);
  expect(await storedVariants(brand)).toMatchObject([{ name: 'Products' }]);
});

test('if several sheets have the required columns, the member must choose', async () => {
  const brand = await useImportingBrand();
  const file = await workbook({ sheets: sheets('Spring', 'Autumn') });
  const refused = await brand.send(file, XLSX);
  expect(refused.statusCode).toBe(422);
  expect(refused.json()).toMatchObject({
    code: 'csv_rejected',
    detail: expect.stringContaining('Spring, Autumn'),
    fields: { sheet: 'Spring\nAutumn' },
  });
  await brand.send(file, { ...XLSX, prefer: 'respond-async, wait=0' });
  await vi.waitFor(async () => {
    const [receipt] = (await brand.get('imports/')).json().results;
    expect(receipt.failure).toMatchObject({ code: 'several_sheets', sheets: ['Spring', 'Autumn'] });
  }, 10_000);

  const { headers, payload } = toForm(file, XLSX);
  const field = '--test-boundary-7f3a\r\ncontent-disposition: form-data; name="sheet"\r\n\r\nAutumn\r\n';
  const answer = await brand.app.inject({
    method: 'POST',
    url: `/api/v1/brands/${brand.brandId}/variant-certifications/upload/`,
    headers: { ...headers, ...brand.editor.headers },
    payload: Buffer.concat([Buffer.from(field), payload]),
  });
  expect(answer.json()).toMatchObject({
    imported: 1,
    warnings: [{ code: 'chosen_sheet', message: 'The rows are those of the sheet "Autumn".' }],
  });
  expect(await storedVariants(brand)).toMatchObject([{ name: 'Autumn' }]);
});

const parts = workbookParts({ sheets: sheets('Products') });
const SHEET = 'xl/worksheets/sheet0.xml';
const RELATIONS = 'xl/_rels/workbook.xml.rels';
const sheetOf = (content: string) => zip({ ...parts, [SHEET]: `<worksheet><sheetData>${content}</sheetData></worksheet>` });
const compound = (text: string) =>
  Buffer.concat([Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]), Buffer.from(text, 'utf16le')]);

test.each([
  ['an .xls file', () => compound('Workbook'), 'the old Excel format (.xls)'],
  ['an encrypted workbook', () => compound('EncryptedPackage'), 'has a password'],
  ['an .xlsb file', () => zip({ ...parts, 'xl/workbook.bin': '' }), '(.xlsb)'],
  ['a workbook with macros', () => zip({ ...parts, 'xl/vbaProject.bin': 'x' }), 'contains macros'],
  ['an .ods file', () => zip({ mimetype: 'x', 'content.xml': '<x/>' }), '(.ods)'],
  ['another archive', () => zip({ 'readme.txt': 'Hello' }), 'an archive or a document'],
  ['a Word document', () => zip({ '[Content_Types].xml': '<x/>', 'word/document.xml': '<x/>' }), 'an archive or a document'],
  ['a zip that was cut off', async () => (await zip(parts)).subarray(0, -100), 'The workbook is damaged.'],
  ['XML that was cut off', () => zip({ ...parts, [SHEET]: '<worksheet><sheetData><row>' }), 'The workbook is damaged.'],
  ['a missing part', () => zip({ ...parts, [RELATIONS]: '<Relationships/>' }), 'is empty'],
  ['rows out of order', () => sheetOf(textRow(2, HEADER) + textRow(1, HEADER)), 'The workbook is damaged.'],
  ['missing shared strings', () => sheetOf('<row><c t="s"><v>9</v></c></row>'), 'The workbook is damaged.'],
  ['deeply nested tags', () => sheetOf('<a>'.repeat(1_000)), 'The workbook is damaged.'],
  ['a very long text', () => sheetOf(`<row><c t="str"><v>${'x'.repeat(3e6)}</v></c></row>`), 'The workbook is damaged.'],
  [
    'a cell that is too long, in several pieces',
    () => sheetOf(`<row><c><v>${`${' '.repeat(100_000)}<x/>`.repeat(3)}1</v></c></row>`),
    'Row 1 is longer than 256 KB.',
  ],
  ['a row beyond the last one', () => sheetOf(textRow(1, HEADER) + textRow(1_048_577, ['a', 'b'])), 'more than 1,000,000 rows'],
  ['an empty workbook', () => sheetOf(''), 'The workbook is empty'],
  ['a sheet without the columns', () => sheetOf(textRow(1, ['name'])), 'Required columns are missing: variant_name, gtin'],
  [
    'sheets without the columns',
    () =>
      workbook({
        sheets: [
          { name: 'A', content: [['x']] },
          { name: 'B', content: [['y']] },
        ],
      }),
    'No sheet of the workbook has the required columns: variant_name, gtin. Choose the one with your products: A, B.',
  ],
  ['a header without rows', () => sheetOf(textRow(1, HEADER)), 'no rows below it'],
  [
    'external entities',
    () => zip({ ...parts, [SHEET]: `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><worksheet>&e;</worksheet>` }),
    '(DOCTYPE)',
  ],
  [
    'more sheets than any workbook has',
    () => zip({ ...parts, 'xl/workbook.xml': `<workbook>${'<sheet/>'.repeat(10_001)}</workbook>` }),
    'unpacks to far more data',
  ],
  [
    'more parts than any workbook has, all of one name',
    async () => repeatLastEntry(await zip({ ...parts, 'xl/media/photo.png': '' }), 10_000),
    'unpacks to far more data',
  ],
  [
    'more related parts than any workbook has',
    () => zip({ ...parts, [RELATIONS]: `<Relationships>${'<Relationship/>'.repeat(10_001)}</Relationships>` }),
    'unpacks to far more data',
  ],
  [
    'a workbook whose cells repeat a long text very often',
    () => products('<row><c t="s"><v>0</v></c></row>'.repeat(250), { strings: [`<t>${'x'.repeat(150_000)}</t>`] }),
    'unpacks to far more data',
  ],
  ['a zip bomb', () => zip({ ...parts, [SHEET]: Buffer.alloc(64 * 1024 * 1024, ' ') }), 'unpacks to far more data'],
  [
    'a workbook that unpacks to more than 1 GiB',
    // The archive itself is large, so the compression ratio does not reveal it.
    async () => declareSize(await zip({ ...parts, 'xl/media/photo.png': randomBytes(5 * 1024 * 1024) }), 1024 ** 3),
    'unpacks to far more data',
  ],
])('%s is refused, and the message says why', async (_name, content, detail) => {
  const brand = await useImportingBrand();
  const answer = await brand.send(await content(), XLSX);
  expect(answer.json()).toMatchObject({ code: 'csv_rejected', detail: expect.stringContaining(detail) });
  expect(answer.statusCode).toBe(422);
  expect(await storedVariants(brand)).toEqual([]);
});
