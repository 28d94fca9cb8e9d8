import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { LARGEST_ROW } from '../csv/csv-records.ts';

type Rows = readonly (readonly string[])[];

export interface WrittenSheet {
  readonly name: string;
  /** Of each column, in characters. */
  readonly widths: readonly number[];
  /** The first row is the header: bold, and it stays in view. */
  readonly hasHeader: boolean;
  readonly rows: AsyncIterable<Rows> | Iterable<Rows>;
  /** Columns whose cells are chosen from a list, by their place; the range that has the list. */
  readonly lists?: Readonly<Record<number, string>>;
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const DOCUMENT = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const CONTENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
export const WORKBOOK_TYPE = `${CONTENT}.sheet`;

/** Cell styles: as text, so that nothing is made a number or a date of; and the same in bold. */
const TEXT = 1;
const BOLD = 2;
const STYLES = `${XML}<styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf/><xf numFmtId="49" applyNumberFormat="1"/><xf numFmtId="49" fontId="1" applyNumberFormat="1" applyFont="1"/></cellXfs></styleSheet>`;
const COMPRESSION = { compressionLevel: 4 };

/** A workbook as it is read by Excel, LibreOffice and others; made while it is sent, so that it costs no memory. All cells are text. */
export function writeWorkbook(sheets: readonly WrittenSheet[]): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  zip.on('error', (error: Error) => output.destroy(error));
  const add = (path: string, content: string) => zip.addBuffer(Buffer.from(content), path);
  const parts = sheets.map((sheet, at) => ({ ...sheet, id: `rId${at + 1}`, path: `worksheets/sheet${at + 1}.xml` }));
  const relations = (list: readonly { id: string; type: string; target: string }[]) =>
    `${XML}<Relationships xmlns="${PACKAGE}/relationships">${list
      .map(({ id, type, target }) => `<Relationship Id="${id}" Type="${DOCUMENT}/${type}" Target="${target}"/>`)
      .join('')}</Relationships>`;
  const contents = [
    { path: 'workbook.xml', type: 'sheet.main' },
    { path: 'styles.xml', type: 'styles' },
    ...parts.map(({ path }) => ({ path, type: 'worksheet' })),
  ];
  add(
    '[Content_Types].xml',
    `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${contents
      .map(({ path, type }) => `<Override PartName="/xl/${path}" ContentType="${CONTENT}.${type}+xml"/>`)
      .join('')}</Types>`,
  );
  add('_rels/.rels', relations([{ id: 'rId1', type: 'officeDocument', target: 'xl/workbook.xml' }]));
  add(
    'xl/workbook.xml',
    `${XML}<workbook xmlns="${MAIN}" xmlns:r="${DOCUMENT}"><sheets>${parts
      .map(({ name, id }, at) => `<sheet name="${escapeXml(name)}" sheetId="${at + 1}" r:id="${id}"/>`)
      .join('')}</sheets></workbook>`,
  );
  add(
    'xl/_rels/workbook.xml.rels',
    relations([
      ...parts.map(({ id, path }) => ({ id, type: 'worksheet', target: path })),
      { id: 'styles', type: 'styles', target: 'styles.xml' },
    ]),
  );
  add('xl/styles.xml', STYLES);
  for (const part of parts) {
    const content = Readable.from(sheetXml(part));
    content.on('error', (error) => output.destroy(error));
    // Who stops downloading stops the reading.
    output.on('close', () => content.destroy());
    zip.addReadStream(content, `xl/${part.path}`, COMPRESSION);
  }
  zip.end();
  return output;
}

async function* sheetXml({ widths, hasHeader, rows, lists = {} }: WrittenSheet): AsyncGenerator<string> {
  const view = hasHeader
    ? '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>'
    : '';
  const columns = widths.map(
    (width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" style="${TEXT}" customWidth="1"/>`,
  );
  yield `${XML}<worksheet xmlns="${MAIN}">${view}<cols>${columns.join('')}</cols><sheetData>`;
  let row = 0;
  for await (const batch of rows) {
    let text = '';
    for (const cells of batch) {
      row += 1;
      if (row > LARGEST_ROW) throw new Error('A sheet cannot have so many rows');
      text += rowXml(row, cells, hasHeader && row === 1 ? BOLD : TEXT);
    }
    yield text;
  }
  const validations = Object.entries(lists).map(([place, range]) => {
    const column = letterOf(Number(place));
    return `<dataValidation type="list" allowBlank="1" showErrorMessage="0" sqref="${column}2:${column}${LARGEST_ROW}"><formula1>${escapeXml(range)}</formula1></dataValidation>`;
  });
  yield `</sheetData>${validations.length > 0 ? `<dataValidations count="${validations.length}">${validations.join('')}</dataValidations>` : ''}</worksheet>`;
}

function rowXml(row: number, cells: readonly string[], style: number): string {
  let text = `<row r="${row}">`;
  for (const [place, cell] of cells.entries()) {
    if (cell === '') continue;
    text += `<c r="${letterOf(place)}${row}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(cell)}</t></is></c>`;
  }
  return `${text}</row>`;
}

/** Of the first 26 columns. */
const letterOf = (place: number) => String.fromCharCode(65 + place);

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** What XML cannot hold, and what would be read as such. */
const UNWRITABLE = /[\p{Cc}\uFFFE\uFFFF]|_(?=x[0-9a-f]{4}_)/giu;

function escapeXml(text: string): string {
  const markup = /[&<>"]/.test(text) ? text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? '') : text;
  return markup.replaceAll(
    UNWRITABLE,
    (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
  );
}
