import { buffer, text } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';
import { ZipFile } from 'yazl';
import { letterOf } from '../src/files/xlsx/workbook-writer.ts';

const NS = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

type Parts = Readonly<Record<string, string | Buffer>>;

export function zip(parts: Parts): Promise<Buffer> {
  const file = new ZipFile();
  for (const [path, content] of Object.entries(parts)) file.addBuffer(Buffer.from(content), path);
  file.end();
  return buffer(file.outputStream);
}

interface TestSheet {
  readonly name: string;
  /** The XML inside sheetData, or rows of text cells. */
  readonly content: string | readonly (readonly string[])[];
  readonly state?: string;
  /** XML before sheetData. */
  readonly head?: string;
  /** XML after sheetData. */
  readonly tail?: string;
}

interface TestWorkbook {
  readonly sheets: readonly TestSheet[];
  /** Number formats: cell style 1 has the first of them. */
  readonly formats?: readonly string[];
  /** The XML of each shared string. */
  readonly strings?: readonly string[];
  readonly is1904?: boolean;
}

/** The parts of a workbook as Excel writes them. Tests may replace some. */
export function workbookParts({ sheets, formats = [], strings = [], is1904 = false }: TestWorkbook): Parts {
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`;
  const relations = (content: string) =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${content}</Relationships>`;
  return {
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    '_rels/.rels': relations(relation('rId1', 'officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml': `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<workbook ${NS} xmlns:r="${RELATIONS}"><workbookPr date1904="${is1904 ? 1 : 0}"/><sheets>${sheets
      .map(({ name, state }, at) => `<sheet name="${name}" sheetId="${at + 1}" ${state ? `state="${state}" ` : ''}r:id="sheet${at}"/>`)
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      sheets.map((_sheet, at) => relation(`sheet${at}`, 'worksheet', `worksheets/sheet${at}.xml`)).join('') +
        relation('styles', 'styles', '/xl/styles.xml') +
        relation('strings', 'sharedStrings', 'sharedStrings.xml'),
    ),
    'xl/styles.xml': `<styleSheet ${NS}><numFmts>${formats
      .map((code, at) => `<numFmt numFmtId="${170 + at}" formatCode="${code.replaceAll('"', '&quot;')}"/>`)
      .join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${formats
      .map((_code, at) => `<xf numFmtId="${170 + at}"/>`)
      .join('')}<xf numFmtId="14"/></cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `<sst ${NS}>${strings.map((content) => `<si>${content}</si>`).join('')}</sst>`,
    ...Object.fromEntries(
      sheets.map(({ content, head = '', tail = '' }, at) => [
        `xl/worksheets/sheet${at}.xml`,
        `<worksheet ${NS}>${head}<sheetData>${typeof content === 'string' ? content : content.map((cells, row) => textRow(row + 1, cells)).join('')}</sheetData>${tail}</worksheet>`,
      ]),
    ),
  };
}

export function textRow(row: number, cells: readonly string[], attributes = ''): string {
  return `<row r="${row}" ${attributes}>${cells
    .map((cell, at) => (cell === '' ? '' : `<c r="${letterOf(at)}${row}" t="inlineStr"><is><t>${cell}</t></is></c>`))
    .join('')}</row>`;
}

export function workbook(content: TestWorkbook): Promise<Buffer> {
  return zip(workbookParts(content));
}

/** A workbook with one sheet: an import's header, then `rows`. */
export function products(rows: string, more: Partial<TestWorkbook> = {}, header = ['variant_name', 'gtin', 'category']) {
  return workbook({ ...more, sheets: [{ name: 'Products', content: textRow(1, header) + rows }] });
}

/** The text of each part of a workbook, by path. */
export async function readParts(bytes: Buffer): Promise<Record<string, string>> {
  const file = await fromBufferPromise(bytes, { lazyEntries: true });
  const parts: Record<string, string> = {};
  for await (const entry of file.eachEntry()) parts[entry.fileName] = await text(await file.openReadStreamPromise(entry));
  return parts;
}
