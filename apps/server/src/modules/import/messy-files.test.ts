import { expect, test } from 'vitest';
import { storedVariants, useImportingBrand } from './test-support/uploads.ts';

/** What people and their programs do to files, from the upload to what is stored and said. */

const names = async (brand: Awaited<ReturnType<typeof useImportingBrand>>) =>
  (await storedVariants(brand)).map(({ name }) => name);

test('the encoding of a file that is not UTF-8 is told, with a name to judge it by', async () => {
  const brand = await useImportingBrand();
  // Чай зелёный, in Windows-1251.
  const tea = Buffer.from('1+DpIOfl67jt++k=', 'base64');
  const file = Buffer.concat([Buffer.from('variant_name,gtin\n"'), tea, Buffer.from('",96385074\n')]);
  const { warnings } = await brand.upload(file);
  expect(warnings).toEqual([
    {
      code: 'legacy_encoding',
      message:
        'The file is not UTF-8. It was read as Windows-1251: "Чай зелёный". If that looks wrong, save it as CSV UTF-8 and upload it again.',
    },
  ]);
  expect(await names(brand)).toEqual(['Чай зелёный']);
  const again = await brand.upload(file, { language: 'es' });
  expect(again.warnings[0]?.message).toContain('Se leyó como Windows-1251: «Чай зелёный».');
});

test('a line of another encoding lands right among lines of UTF-8, and is told', async () => {
  const brand = await useImportingBrand();
  const lines = ['variant_name,gtin\nMüsli,96385074\nŻurek,73513537\n', 'Jalape\xf1o,90311017\n'];
  const { warnings } = await brand.upload(
    Buffer.concat([Buffer.from(lines[0] ?? ''), Buffer.from(lines[1] ?? '', 'latin1')]),
  );
  expect(warnings).toMatchObject([
    { code: 'mixed_encodings', message: expect.stringMatching(/^1 line is not UTF-8 .* Windows-1252: "Jalapeño"\./) },
  ]);
  expect(await names(brand)).toEqual(['Müsli', 'Żurek', 'Jalapeño']);
});

test('garbled and lost letters are row errors that say what was probably meant', async () => {
  const brand = await useImportingBrand();
  const { imported, errors } = await brand.upload(
    'variant_name,gtin,category\nCrÃ¨me,96385074,\nTea,73513537,????\nA\0B with zeros,90311017,\n',
  );
  expect(imported).toBe(0);
  expect(errors.map(({ row, field, code }) => [row, field, code])).toEqual([
    [2, 'variant_name', 'double_encoded'],
    [3, 'category', 'lost_letters'],
    [4, 'variant_name', 'damaged_characters'],
  ]);
  expect(errors[0]?.message).toContain('It was probably "Crème".');
  expect(errors[1]?.message).toContain('"????" has question marks where letters were');
});

test('="…" is taken off in every column, and the error of a formula is named in every column', async () => {
  const brand = await useImportingBrand();
  const { imported, errors } = await brand.upload(
    [
      'variant_name,gtin,category,publishing_channel,certificate_id,certification_name',
      '="Tee","=""96385074""",="Drinks",="Amazon",="FSC-C104882",="FSC"',
      '#NAME?,73513537,#N/A,#REF!,########,#VALUE!',
      'Honey,#DIV/0!,,,,',
    ].join('\n'),
  );
  expect(imported).toBe(1);
  expect(await storedVariants(brand)).toMatchObject([
    { name: 'Tee', gtin: '96385074', category: 'Drinks', certificates: ['FSC FSC-C104882'] },
  ]);
  expect(errors.map(({ row, field, code }) => `${row} ${field} ${code}`)).toEqual([
    '3 variant_name spreadsheet_error',
    '3 category spreadsheet_error',
    '3 certificate_id spreadsheet_error',
    '3 certification_name spreadsheet_error',
    '3 publishing_channel spreadsheet_error',
    '4 gtin spreadsheet_error',
  ]);
  expect(errors[0]?.message).toContain('"#NAME?" is the error of a formula in your spreadsheet.');
  expect(errors[2]?.message).toContain('where a column is too narrow');
});

test('names are stored and found as people see them, and a name of nothing visible is missing', async () => {
  const brand = await useImportingBrand();
  const { errors } = await brand.upload(
    'variant_name,gtin,category\nChoco\u00ADlate\u00A0bar\u200B,96385074,\u202ESweets\u202C\n\u200B\u2060,73513537,\u200B\n',
  );
  expect(errors).toMatchObject([{ row: 3, code: 'missing_value', field: 'variant_name' }]);
  expect(await storedVariants(brand)).toMatchObject([{ name: 'Chocolate bar', category: 'Sweets' }]);
  expect((await brand.get(`variants/?search=${encodeURIComponent('chocolate bar')}`)).json().count).toBe(1);
});
