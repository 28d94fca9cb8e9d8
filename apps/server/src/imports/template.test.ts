import { expect, test } from 'vitest';
import { readParts } from '../../test/workbooks.ts';
import { COLUMNS, OPTIONAL_COLUMNS } from '../catalog/fields/columns.ts';
import { useImportingBrand } from './test-support/uploads.ts';

async function getTemplate(language: string) {
  const brand = await useImportingBrand();
  const answer = await brand.app.inject({
    url: '/api/v1/variant-certifications/template/',
    headers: { ...brand.editor.headers, 'accept-language': language },
  });
  return { brand, answer, parts: await readParts(answer.rawPayload) };
}

test('the template has text columns, a frozen header, marked required columns and a list of certifications', async () => {
  const { answer, parts } = await getTemplate('en');
  expect(answer.headers['content-disposition']).toBe('attachment; filename="product-template.xlsx"');
  const sheet = parts['xl/worksheets/sheet1.xml'];
  expect(sheet).toContain('state="frozen"');
  // A column without a style would be a number's: a spreadsheet would drop digits of a long one.
  const columns = sheet?.match(/<col min="\d+" max="\d+" width="\d+" style="1" customWidth="1"\/>/g);
  expect(columns).toHaveLength(COLUMNS.length);
  expect(parts['xl/styles.xml']).toContain('<cellXfs count="3"><xf/><xf numFmtId="49"');
  expect(sheet?.match(/(?<=preserve">)[^<]*/g)).toEqual(['variant_name*', 'gtin*', ...OPTIONAL_COLUMNS]);
  expect(sheet).toMatch(/sqref="F2:F1048576"><formula1>'Certifications'!\$A\$2:\$A\$\d+</);
  expect(parts['xl/worksheets/sheet2.xml']).toContain('Fairtrade');
});

test('the notes of the template are in the language of the member', async () => {
  const { parts } = await getTemplate('es');
  expect(parts['xl/workbook.xml']).toContain('name="Productos"');
  expect(parts['xl/worksheets/sheet3.xml']).toContain('Las columnas con asterisco son obligatorias.');
});

test('the unchanged template can be uploaded: the only error is that it has no rows', async () => {
  const { brand, answer } = await getTemplate('es');
  const upload = await brand.send(answer.rawPayload, { fileName: 'product-template.xlsx' });
  expect(upload.json().detail).toBe('The file has a header, but no rows below it.');
});
