import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { storedVariants, useImportingBrand } from './test-support/uploads.ts';

/** Files written by LibreOffice. The .fods files they were made from show their content. */
const fixture = (fileName: string) => readFile(join(import.meta.dirname, 'fixtures/libreoffice', fileName));

test('a workbook of LibreOffice is read correctly: formats, rich text, formulas, filters, merged and empty cells', async () => {
  const brand = await useImportingBrand();
  const answer = await brand.upload(await fixture('mixed.xlsx'), { fileName: 'mixed.xlsx' });
  expect(answer.errors.map(({ row, field, code }) => [row, field, code])).toEqual([
    [9, 'variant_name', 'cell_date'],
    [10, 'variant_name', 'spreadsheet_error'],
    [11, 'gtin', 'cell_lost_digits'],
    // In merged cells only the first has the text.
    [13, 'variant_name', 'missing_value'],
  ]);
  expect(answer.errors[0]?.message).toContain('2024-01-31');
  expect(answer.warnings.map(({ code }) => code)).toEqual(['formulas', 'hidden_rows', 'merged_cells']);
  const stored = await storedVariants(brand);
  expect(stored.map(({ name, gtin, certificates }) => [name, gtin, ...certificates])).toEqual([
    ['Zeros by format', '036000291452'],
    ['Text stays', '036000291469'],
    ['Plain number', '4006381333931'],
    ['Rich text «é»', '96385074'],
    ['Soap 250', '5901234123457'],
    ['Hidden by the filter', '4012345678901'],
    ['Certified by number', '4000000000006', 'FSC FSC-C104882'],
    ['Merged', '4000000000037'],
  ]);
});

test('dates of a LibreOffice workbook with the 1904 date system are read correctly', async () => {
  const brand = await useImportingBrand();
  const answer = await brand.upload(await fixture('dates-1904.xlsx'), { fileName: 'dates.xlsx' });
  expect(answer).toMatchObject({ imported: 1, errors: [{ row: 2, message: expect.stringContaining('2024-01-31') }] });
});

test('the sheets of a LibreOffice workbook are offered by name if several have the columns', async () => {
  const brand = await useImportingBrand();
  const answer = await brand.send(await fixture('two-sheets.xlsx'), { fileName: 'two-sheets.xlsx' });
  expect(answer.json()).toMatchObject({ fields: { sheet: 'Products\nHerbst & Winter' } });
});

test.each([
  ['opendocument.ods', 'This is an OpenDocument spreadsheet (.ods).'],
  ['two-sheets.xls', 'the old Excel format (.xls)'],
])('%s of LibreOffice is refused, and the message names the format', async (fileName, detail) => {
  const brand = await useImportingBrand();
  const answer = await brand.send(await fixture(fileName), { fileName });
  expect(answer.statusCode).toBe(422);
  expect(answer.json().detail).toContain(detail);
});

test("'Unicode Text', in UTF-16 with tabs, is read like a CSV file", async () => {
  const brand = await useImportingBrand();
  const answer = await brand.upload(await fixture('unicode-text.txt'), { fileName: 'unicode-text.txt' });
  expect(answer).toMatchObject({ imported: 1, errors: [], warnings: [] });
  expect(await storedVariants(brand)).toMatchObject([{ name: 'Spring', gtin: '96385074' }]);
});
