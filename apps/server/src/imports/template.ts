import type { Readable } from 'node:stream';
import { type Language, XLSX_TEMPLATE_FILE_NAME } from '@brand-portal/contract/constants';
import { listCatalogue } from '../catalog/certificates/catalogue.ts';
import { COLUMNS, type ColumnName, REQUIRED_COLUMNS } from '../catalog/fields/columns.ts';
import { importTexts } from '../catalog/fields/describe.ts';
import type { Db } from '../db/database.ts';
import { WORKBOOK_TYPE, writeWorkbook } from '../files/xlsx/workbook-writer.ts';

/** In characters. */
const WIDTHS: Readonly<Record<ColumnName, number>> = {
  variant_name: 40,
  gtin: 18,
  category: 24,
  publishing_channel: 20,
  certificate_id: 24,
  certification_name: 28,
  description: 40,
  image_link: 32,
  product_page_url: 32,
  certificate_link: 32,
};
const REQUIRED: readonly string[] = REQUIRED_COLUMNS;

/** The template workbook. All cells are text, so that leading zeros are kept, and certifications are chosen from a list. */
export async function makeTemplate(db: Db, language: Language): Promise<{ fileName: string; content: Readable; type: string }> {
  const { products, certifications, notes, lines } = importTexts(language).template;
  const names = (await listCatalogue(db)).map(({ name }) => [name]);
  const header = COLUMNS.map((column) => (REQUIRED.includes(column) ? `${column}*` : column));
  const lists = names.length > 0 && {
    [COLUMNS.indexOf('certification_name')]: `'${certifications}'!$A$2:$A$${names.length + 1}`,
  };
  const content = writeWorkbook([
    {
      name: products,
      widths: COLUMNS.map((column) => WIDTHS[column]),
      hasHeader: true,
      rows: [[header]],
      ...(lists && { lists }),
    },
    { name: certifications, widths: [40], hasHeader: true, rows: [[[certifications], ...names]] },
    { name: notes, widths: [100], hasHeader: false, rows: [lines.map((line) => [line])] },
  ]);
  return { fileName: XLSX_TEMPLATE_FILE_NAME, content, type: WORKBOOK_TYPE };
}
