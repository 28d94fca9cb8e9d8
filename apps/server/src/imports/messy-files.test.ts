import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectDerivedData } from '../../test/catalogue.ts';
import { createTestMember } from '../../test/people.ts';
import { loadTestRegistry, readStatuses } from '../catalog/certificates/test-support/certificates.ts';
import { validateCertificates } from '../catalog/certificates/validation.ts';
import { toGtin } from '../channel/test-support/delivery.ts';
import { addImportingBrand, storedVariants, useImportingBrand } from './test-support/uploads.ts';

/** Damaged and unusual files, tested from the upload to the stored rows and the messages. */

const names = async (brand: Awaited<ReturnType<typeof useImportingBrand>>) => (await storedVariants(brand)).map(({ name }) => name);

test('the encoding of a file that is not UTF-8 is reported, with an example from the file', async () => {
  const brand = await useImportingBrand();
  // Чай зелёный (green tea) in Windows-1251.
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

test('a line in another encoding among UTF-8 lines is decoded correctly, and reported', async () => {
  const brand = await useImportingBrand();
  const lines = ['variant_name,gtin\nMüsli,96385074\nŻurek,73513537\n', 'Jalape\xf1o,90311017\n'];
  const { warnings } = await brand.upload(Buffer.concat([Buffer.from(lines[0] ?? ''), Buffer.from(lines[1] ?? '', 'latin1')]));
  expect(warnings).toMatchObject([
    { code: 'mixed_encodings', message: expect.stringMatching(/^1 line is not UTF-8 .* Windows-1252: "Jalapeño"\./) },
  ]);
  expect(await names(brand)).toEqual(['Müsli', 'Żurek', 'Jalapeño']);
});

test('a zero byte in a Windows-1252 file is an error of its row, as in UTF-8', async () => {
  const brand = await useImportingBrand();
  const file = Buffer.from('variant_name,gtin\nCaf\xe9\0 noir,96385074\nTh\xe9 vert,73513537\n', 'latin1');
  const { imported, errors, warnings } = await brand.upload(file);
  expect([imported, errors]).toMatchObject([1, [{ row: 2, field: 'variant_name', code: 'damaged_characters' }]]);
  expect(warnings).toMatchObject([{ code: 'legacy_encoding' }]);
  expect(await names(brand)).toEqual(['Thé vert']);
});

test('an id with typographic dashes, wide letters or decimals is stored in its plain spelling, from a file and from a form', async () => {
  const brand = await useImportingBrand();
  const ids = ['FSC\u2011C104883', '12345.0', 'ＧＯＴＳ－１'];
  const rows = ids.map((id, index) => `Tea,${toGtin(index)},"${id}",FSC`);
  await brand.upload(`variant_name,gtin,certificate_id,certification_name\n${rows.join('\n')}\n`);
  const stored = async () => {
    const { rows } = await brand.pool.query('select external_certificate_id as id, id_search from certificates order by certificates.id');
    return rows.map(({ id, id_search }) => [id, id_search]);
  };
  expect(await stored()).toEqual([
    ['FSC-C104883', 'fsc-c104883'],
    ['12345', '12345'],
    ['GOTS-1', 'gots-1'],
  ]);
  const { results } = (await brand.get('variants/')).json();
  const answer = await brand.app.inject({
    method: 'POST',
    url: `/api/v1/brands/${brand.brandId}/variants/${results[0].id}/certificates/`,
    headers: brand.editor.headers,
    payload: { certification_name: 'FSC', certificate_id: 'FSC\u2013C104884' },
  });
  expect(answer.statusCode).toBeLessThan(300);
  expect((await stored()).at(-1)).toEqual(['FSC-C104884', 'fsc-c104884']);
});

test('the migration spells ids plainly that were stored as typed', { tags: 'empty-installation' }, async () => {
  const brand = await useImportingBrand();
  const insert = `insert into certificates (brand_id, certification_id, external_certificate_id, id_key, id_search, sort_key)
    select $1, id, $2, $3, $2, $2 from certifications where name = 'FSC'`;
  for (const [id, key] of [
    ['FSC\u2011C1', 'FSC-C1'],
    ['7.0', '7'],
    ['FSC-C2', 'FSC-C2'],
  ])
    await brand.pool.query(insert, [brand.brandId, id, key]);
  const folder = join(import.meta.dirname, '../db/migrations');
  await brand.pool.query(await readFile(join(folder, '0008_certificate_id_spelling.sql'), 'utf8'));
  const { rows } = await brand.pool.query('select external_certificate_id as id, id_key, id_search from certificates');
  expect(rows).toEqual([
    { id: 'FSC-C2', id_key: 'FSC-C2', id_search: 'FSC-C2' },
    { id: 'FSC-C1', id_key: 'FSC-C1', id_search: 'fsc-c1' },
    { id: '7', id_key: '7', id_search: '7' },
  ]);
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

test('a name that differs from the stored one only in question marks is rejected, and the stored name is proposed', async () => {
  const brand = await useImportingBrand();
  const file = (...names: string[]) => `variant_name,gtin\n${names.map((name, index) => `"${name}",${toGtin(index)}`).join('\n')}\n`;
  const stored = ['Té rojo extrá', 'Puré', 'Oliva (50 %) extra', 'Esto!', 'Esto', 'What?', 'Why?!', 'Olé?', 'Aß'];
  await brand.upload(file(...stored));
  const named = ['T? Rojo', 'Pur?', 'Oliva (50 %) extr?', 'Esto?', 'Esto?', 'What??', 'Why?', 'Ol??', 'A??'];
  const { errors, import_id } = await brand.upload(file(...named));
  expect(errors.map(({ row, field, code }) => [row, field, code])).toEqual(
    [3, 4, 9, 10].map((row) => [row, 'variant_name', 'lost_letters']),
  );
  expect(errors[0]?.message).toContain('where the product\'s present name, "Puré", has letters');
  expect((await brand.get(`imports/${import_id}/`, 'es')).json().errors[0].message).toContain(
    'donde el nombre actual del producto, «Puré», tiene letras',
  );
  expect((await storedVariants(brand)).map(({ name }) => name)).toContain('Puré');

  const correct = async (row: number, place: number, to: string) =>
    (
      await brand.app.inject({
        method: 'PATCH',
        url: `/api/v1/brands/${brand.brandId}/imports/${import_id}/corrections/${row}/`,
        headers: brand.editor.headers,
        payload: { place, to },
      })
    ).json().row;
  // Another cell is corrected: the name is still wrong.
  const { errors: left } = await correct(3, 1, `0${toGtin(1)}`);
  expect(left).toMatchObject([{ code: 'lost_letters', suggestions: ['Puré'] }]);
  expect((await correct(3, 0, 'Puré')).state).toBe('ready');
});

test('a row whose name has lost letters contradicts no row of its GTIN with the right name', async () => {
  const brand = await useImportingBrand();
  await brand.upload(`variant_name,gtin\nPuré,${toGtin(1)}\n`);
  const { imported, errors } = await brand.upload(`variant_name,gtin,category\nPur?,${toGtin(1)},\nPuré,${toGtin(1)},Food\n`);
  expect([imported, errors.map(({ row, code }) => [row, code])]).toEqual([1, [[2, 'lost_letters']]]);
});

test('="…" is removed in every column, and spreadsheet errors are reported in every column', async () => {
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

test('names are stored and found without invisible characters, and a name without visible ones is missing', async () => {
  const brand = await useImportingBrand();
  const { errors } = await brand.upload(
    'variant_name,gtin,category\nChoco\u00ADlate\u00A0bar\u200B,96385074,\u202ESweets\u202C\n\u200B\u2060,73513537,\u200B\n',
  );
  expect(errors).toMatchObject([{ row: 3, code: 'missing_value', field: 'variant_name' }]);
  expect(await storedVariants(brand)).toMatchObject([{ name: 'Chocolate bar', category: 'Sweets' }]);
  expect((await brand.get(`variants/?search=${encodeURIComponent('chocolate bar')}`)).json().count).toBe(1);
});

const CERTIFIED = 'variant_name,gtin,certificate_id,certification_name';

test('spellings of one certificate id are one certificate, shown as the member first wrote it but for its dashes and decimals', async () => {
  const brand = await useImportingBrand();
  const { db } = brand.database;
  const first = await brand.upload(
    [CERTIFIED, 'Oil,036000291452,fsc\u2011c104882,FSC', 'Oil,036000291452,FSC-C 104882,FSC', 'Tea,73513537,FSC-C104882,FSC'].join('\n'),
  );
  expect(first).toMatchObject({ imported: 3, errors: [] });
  await brand.upload([CERTIFIED, 'Oil,036000291452,FSC-C\u200B104882,FSC', 'Salt,96385074,12345678.0,USDA Organic'].join('\n'));
  await brand.upload([CERTIFIED, 'Salt,96385074,12345678,USDA Organic'].join('\n'));
  expect((await storedVariants(brand)).map(({ certificates }) => certificates)).toEqual([
    ['USDA Organic 12345678'],
    ['FSC fsc-c104882'],
    ['FSC fsc-c104882'],
  ]);
  await loadTestRegistry(db, 'FSC', [{ externalId: 'FSC-C104882' }]);
  await validateCertificates(db, brand.brandId);
  expect(await readStatuses(db, brand.brandId)).toEqual({
    'fsc-c104882': 'validated listed',
    12345678: expect.stringMatching(/^pending no_registry:/),
  });
});

test('a certificate id that a spreadsheet has shortened is refused', async () => {
  const brand = await useImportingBrand();
  const { errors } = await brand.upload(`${CERTIFIED}\nSalt,96385074,1.23457E+11,USDA Organic\nTea,73513537,12E5,GOTS\n`);
  expect(errors).toMatchObject([{ row: 2, code: 'certificate_id_scientific', field: 'certificate_id' }]);
  // It may have been the id 12E10 as well, or be typed by hand.
  expect(errors[0]?.message).toBe(
    '1.23457E+11 is how a spreadsheet writes a number, not the id itself. Please enter the id as on the certificate; in a spreadsheet, format the column as text first.',
  );
});

test('TRUE or FALSE of a spreadsheet is no certificate id, in any language', async () => {
  const brand = await useImportingBrand();
  const { errors, imported } = await brand.upload(
    [
      CERTIFIED,
      `Salt,${toGtin(1)},TRUE,FSC`,
      `Tea,${toGtin(2)},FALSCH,`,
      `Oil,${toGtin(3)},VERDADERO,GOTS`,
      `Bar,${toGtin(4)},TRUE-1,GOTS`,
    ].join('\n'),
  );
  expect(errors.map(({ row, code, field }) => [row, code, field])).toEqual(
    [2, 3, 4].map((row) => [row, 'certificate_id_boolean', 'certificate_id']),
  );
  expect(imported).toBe(1);
});

test('a name that a spreadsheet may have made of another is imported with a warning', async () => {
  const brand = await useImportingBrand();
  const names = ['Tea 2026-03-01', 'May-24', 'True', 'TRUE', '2026-03-01', '01.03.2026', 'MAY-24', '7-Up', 'Falso'];
  const rows = names.map((name, index) => `${name},${toGtin(index)}`);
  const file = ['variant_name,gtin', ...rows].join('\n');
  const { imported, errors, warnings } = await brand.upload(file);
  expect([imported, errors]).toEqual([names.length, []]);
  expect(warnings).toEqual([
    {
      code: 'spreadsheet_names',
      message:
        '4 names look like what a spreadsheet makes of an entry, a date or TRUE/FALSE: row 3 "May-24" and others. If that is not the name, correct it.',
    },
  ]);
  expect((await brand.upload(`variant_name,gtin\nWAHR,${toGtin(3)}\n`, { language: 'es' })).warnings[0]?.message).toBe(
    '1 nombre parece lo que una hoja de cálculo hace de una entrada, una fecha o VERDADERO/FALSO: fila 2 «WAHR». Si no es el nombre, corrígelo.',
  );
});

test('a category that a spreadsheet may have made of another is imported with a warning', async () => {
  const brand = await useImportingBrand();
  const categories = ['Drinks', 'TRUE', '3-May', 'FALSCH', ''];
  const rows = categories.map((category, index) => `Tea,${toGtin(index)},${category}`);
  const file = ['variant_name,gtin,category', ...rows].join('\n');
  const { imported, warnings } = await brand.upload(file);
  expect(imported).toBe(categories.length);
  expect(warnings).toEqual([
    {
      code: 'spreadsheet_categories',
      message:
        '3 categories look like what a spreadsheet makes of an entry, a date or TRUE/FALSE: row 3 "TRUE" and others. If that is not the category, correct it.',
    },
  ]);
  const again = await brand.upload(`variant_name,gtin,category\nTea,${toGtin(1)},FALSO\n`, { language: 'es' });
  expect(again.warnings[0]?.message).toBe(
    '1 categoría parece lo que una hoja de cálculo hace de una entrada, una fecha o VERDADERO/FALSO: fila 2 «FALSO». Si no es la categoría, corrígela.',
  );
});

test('cells of columns without a name are ignored with a warning, if a row has any', async () => {
  const brand = await useImportingBrand();
  const { imported, warnings } = await brand.upload(
    `variant_name,gtin,,category,,\nTea,${toGtin(1)},,Drinks,,\nOil,${toGtin(2)},Olive,Food,x,\n`,
  );
  expect(imported).toBe(1);
  expect(warnings).toEqual([]);
  const named = `variant_name,gtin,,category,,stock\nTea,${toGtin(1)},,Drinks,,1\nOil,${toGtin(2)},Olive,Food,x,2\n`;
  expect((await brand.upload(named)).warnings).toEqual([
    { code: 'ignored_columns', message: 'Unknown columns are ignored: stock.' },
    {
      code: 'nameless_columns',
      message:
        'Columns without a name are ignored: C, E. The first of their cells is in row 3: "Olive". If they belong to the table, give them a name and upload the file again.',
    },
  ]);
  expect((await brand.upload(named, { language: 'es' })).warnings[1]?.message).toBe(
    'Las columnas sin nombre se ignoran: C, E. La primera de sus celdas está en la fila 3: «Olive». Si son parte de la tabla, ponles un nombre y sube el archivo de nuevo.',
  );
});

test('a GTIN whose last digits a spreadsheet has turned into zeros is reported as such, without a hint at another number', async () => {
  const brand = await useImportingBrand();
  const rows = ['4006380000000', '40063800000000', '4006381333930'].map((gtin) => `Tea,${gtin}`);
  const { errors, import_id } = await brand.upload(['variant_name,gtin', ...rows].join('\n'));
  expect(errors.map(({ row, code }) => [row, code])).toEqual([
    [2, 'gtin_scientific'],
    [3, 'gtin_scientific'],
    [4, 'gtin_check_digit'],
  ]);
  expect(errors[0]?.message).toBe(
    'A spreadsheet has shortened the number to 4006380000000, so its digits are lost. Format the column as text and enter the GTIN again.',
  );
  const { results } = (await brand.get(`imports/${import_id}/corrections/`)).json();
  expect(JSON.stringify(results[0])).not.toContain('4006380000001');
});

test('certificate ids that a spreadsheet has turned into dates are refused, not those that only resemble a date', async () => {
  const brand = await useImportingBrand();
  const dates = ['3-May', '03-may', 'May-24', 'ene-24', '03. Mai', '5-févr.', '01/05/2024', '1.5.2024', '2026-03-01', 'Mar-26'];
  const ids = ['MAY-24', '14.0.32945', '22.HCN.12345', '10-12-2020', '2024/05', 'Mayer-24', 'Bar-24', '2026-03-45'];
  const rows = [...dates, ...ids].map((id, index) => `Salt,${toGtin(index)},${id},USDA Organic`);
  const { errors } = await brand.upload(`${[CERTIFIED, ...rows].join('\n')}\n`);
  expect(errors.map(({ row, code, field }) => [row, code, field])).toEqual(
    dates.map((_, index) => [index + 2, 'cell_date', 'certificate_id']),
  );
});

test('a corrected id leaves the mistyped certificate behind; an editor removes it, and nobody else does', {
  tags: 'empty-installation',
}, async () => {
  const brand = await useImportingBrand();
  const { app, database, brandId } = brand;
  await brand.upload(`${CERTIFIED}\nOil,036000291452,FSC-C104828,FSC\n`);
  const corrected = await brand.upload(`${CERTIFIED}\nOil,036000291452,FSC-C104882,FSC\n`);
  expect(corrected.warnings).toEqual([
    {
      code: 'further_certificates',
      message:
        '1 variant has a further certificate of a certification that it had already. If an earlier id was mistyped, remove that certificate on the page Certificates.',
    },
  ]);
  const list = async (): Promise<{ id: number; certificate_id: string }[]> => (await brand.get('certifications/')).json();
  const [mistyped, right] = await list();
  expect([mistyped?.certificate_id, right?.certificate_id]).toEqual(['FSC-C104828', 'FSC-C104882']);
  const remove = (headers: Record<string, string>, inBrand = brandId) =>
    app.inject({ method: 'DELETE', url: `/api/v1/brands/${inBrand}/certifications/${mistyped?.id}/`, headers });
  const viewer = await createTestMember(database.db, brandId, 'viewer');
  const other = await addImportingBrand(brand);
  expect((await remove(viewer.headers)).statusCode).toBe(403);
  expect((await remove(other.editor.headers)).json()).toMatchObject({ code: 'brand_not_found' });
  expect((await remove(other.editor.headers, other.brandId)).json()).toMatchObject({ code: 'certificate_not_found' });
  expect((await remove(brand.editor.headers)).statusCode).toBe(204);
  expect((await remove(brand.editor.headers)).statusCode).toBe(404);
  expect((await list()).map(({ certificate_id }) => certificate_id)).toEqual(['FSC-C104882']);
  expect(await storedVariants(brand)).toMatchObject([{ has_certs: true, certificates: ['FSC FSC-C104882'] }]);
  await expectDerivedData(database.pool);
  const audits = await brand.pool.query(`select user_id, details from audit_log where action = 'certificate.removed'`);
  expect(audits.rows).toEqual([
    {
      user_id: brand.editor.id,
      details: { certificate_id: mistyped?.id, certification: 'FSC', external_certificate_id: 'FSC-C104828' },
    },
  ]);
});

test('a stray quote that swallows rows is reported with its row and the number of lines', async () => {
  const brand = await useImportingBrand();
  const { errors, imported, total_rows } = await brand.upload(
    'variant_name,gtin\nTea,4006381333931\n"Salt,96385074\nPepper,73513537\n"Honey",90311017\n',
  );
  expect([imported, total_rows]).toEqual([1, 2]);
  expect(errors).toEqual([
    {
      row: 3,
      code: 'stray_quote',
      message:
        'A quote (") that opens in this row takes the next 2 lines into its cell, so they were not read as rows. Close or remove the quote.',
    },
  ]);
});

test('messages quote the value, and use singular or plural', async () => {
  const brand = await useImportingBrand();
  const file = "variant_name,gtin,certificate_id\nTea\nSalt,'12345678x,\nPepper,73513537,FSC-C104882\n";
  expect((await brand.upload(file)).errors.map(({ message }) => message)).toEqual([
    'The row has 1 cell, but there are 3 columns, and required ones are missing. Please fill them in.',
    '"12345678x": A GTIN has digits only. Please enter the number on the package.',
    '"FSC-C104882": A certificate id needs a certification name. Please fill in certification_name.',
  ]);
  expect((await brand.upload(file, { language: 'es' })).errors[0]?.message).toBe(
    'La fila tiene 1 celda, pero hay 3 columnas, y faltan obligatorias. Complétalas.',
  );
});

test('the answer counts what was created, updated and unchanged', async () => {
  const brand = await useImportingBrand();
  const counts = async (file: string) => {
    const { variants_created, variants_updated, variants_unchanged } = await brand.upload(file);
    return [variants_created, variants_updated, variants_unchanged];
  };
  expect(await counts('variant_name,gtin\nTea,4006381333931\nSalt,96385074\n')).toEqual([2, 0, 0]);
  expect(await counts('variant_name,gtin\nTea,4006381333931\nSea salt,96385074\nSea salt,96385074\nOil,73513537\nX,1\n')).toEqual([
    1, 1, 1,
  ]);
  expect((await brand.get('imports/')).json().results[0]).toMatchObject({
    variants_created: 1,
    variants_updated: 1,
    variants_unchanged: 1,
  });
});

test.each([
  ['of another language below the header', 'variant_name,gtin,Price', 'Nombre del producto,Código de barras,Precio'],
  ['in the middle, as of files put together', 'Salt,96385074,1', 'variant_name*,GTIN*,Price'],
])('a second row of column names is skipped and reported: %s', async (_case, first, second) => {
  const brand = await useImportingBrand();
  const head = first.startsWith('variant_name') ? [] : ['variant_name,gtin,Price'];
  const rows = [...head, first, second, 'Tea,73513537,2', 'Nombre,12,3'];
  const { total_rows, imported, errors, warnings } = await brand.upload(rows.join('\n'));
  expect([total_rows, imported]).toEqual([rows.length - 2, rows.length - 3]);
  // A row that only looks a little like it is an error, with the number that it has in the file.
  expect(errors.map(({ row, code }) => [row, code])).toEqual([[rows.length, 'gtin_length']]);
  const row = rows.indexOf(second) + 1;
  expect(warnings).toContainEqual({
    code: 'repeated_header',
    message: `Row ${row} has the names of the columns once more and was skipped.`,
  });
});

test('a file of two rows of column names has no rows', async () => {
  const brand = await useImportingBrand();
  const answer = await brand.send('variant_name,gtin\nBezeichnung,EAN\n');
  expect(answer.json().detail).toBe('The file has a header, but no rows below it.');
});

test('a product that is called like a column is imported', async () => {
  const brand = await useImportingBrand();
  const { imported, warnings } = await brand.upload('variant_name,gtin,category\nEAN,96385074,Titel\nNombre,73513537,gtin');
  expect([imported, warnings]).toEqual([2, []]);
});

test.each(['"variant_name,gtin,category"\n"Salt,96385074,Food"\n', '"Artikel;EAN;""Kategorie"""\n"Salz;96385074;Essen"\n'])(
  'lines that are in quotes as a whole are refused with what to do: %j',
  async (csv) => {
    const brand = await useImportingBrand();
    const { code, detail, fields } = (await brand.send(csv)).json();
    expect([code, fields]).toEqual(['csv_rejected', undefined]);
    expect(detail).toMatch(/^All columns are in one: the header is a single cell, "(variant_name,gtin|Artikel;EAN).*Text to Columns/);
  },
);

test('a date in place of a GTIN is called a date', async () => {
  const brand = await useImportingBrand();
  const { errors } = await brand.upload('variant_name,gtin\nSalt,2024-03-12\nTea,12/03/2024\nOil,12-Mar\nRice,2024-03');
  expect(errors.map(({ code }) => code)).toEqual(['cell_date', 'cell_date', 'cell_date', 'gtin_length']);
});
