import type { Readable } from 'node:stream';
import { type Language, XLSX_TEMPLATE_FILE_NAME } from '@brand-portal/contract/constants';
import { listCatalogue } from '../catalog/certificates/catalogue.ts';
import { COLUMNS, REQUIRED_COLUMNS, WIDTHS } from '../catalog/fields/columns.ts';
import { importTexts } from '../catalog/fields/describe.ts';
import type { Db } from '../db/database.ts';
import { WORKBOOK_TYPE, writeWorkbook } from '../files/xlsx/workbook-writer.ts';

const REQUIRED: readonly string[] = REQUIRED_COLUMNS;

/** The template workbook. All cells are text, so that leading zeros are kept, and certifications are chosen from a list. */
export async function makeTemplate(db: Db, language: Language): Promise<{ fileName: string; content: Readable; type: string }> {
  const { products, certifications, notes, before, columns, after } = importTexts(language).template;
  const lines = [...before, ...new Set(Object.values(columns)), ...after];
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
