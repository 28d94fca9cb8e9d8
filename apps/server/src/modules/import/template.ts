import type { Readable } from 'node:stream';
import { type Language, XLSX_TEMPLATE_FILE_NAME } from '@brand-portal/contract/constants';
import type { Db } from '../../db/database.ts';
import { WORKBOOK_TYPE, writeWorkbook } from '../../xlsx/workbook-writer.ts';
import { listCatalogue } from '../certificates/catalogue.ts';
import { COLUMNS, REQUIRED_COLUMNS } from './rows/columns.ts';
import { importTexts } from './rows/describe.ts';

const WIDTHS = [40, 18, 24, 20, 24, 28, 40, 32, 32];
const REQUIRED: readonly string[] = REQUIRED_COLUMNS;

/** The template workbook. All cells are text, so that leading zeros are kept, and certifications are chosen from a list. */
export async function makeTemplate(
  db: Db,
  language: Language,
): Promise<{ fileName: string; content: Readable; type: string }> {
  const { products, certifications, notes, lines } = importTexts(language).template;
  const names = (await listCatalogue(db)).map(({ name }) => [name]);
  const header = COLUMNS.map((column) => (REQUIRED.includes(column) ? `${column}*` : column));
  const lists = names.length > 0 && {
    [COLUMNS.indexOf('certification_name')]: `'${certifications}'!$A$2:$A$${names.length + 1}`,
  };
  const content = writeWorkbook([
    { name: products, widths: WIDTHS, hasHeader: true, rows: [[header]], ...(lists && { lists }) },
    { name: certifications, widths: [40], hasHeader: true, rows: [[[certifications], ...names]] },
    { name: notes, widths: [100], hasHeader: false, rows: [lines.map((line) => [line])] },
  ]);
  return { fileName: XLSX_TEMPLATE_FILE_NAME, content, type: WORKBOOK_TYPE };
}
