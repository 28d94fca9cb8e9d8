import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { MAX_ROW_NUMBER } from '../csv/csv-records.ts';

type Rows = readonly (readonly string[])[];

export interface WrittenSheet {
  readonly name: string;
  /** The width of each column in characters. */
  readonly widths: readonly number[];
  /** The first row is the header: bold and frozen. */
  readonly hasHeader: boolean;
  readonly rows: AsyncIterable<Rows> | Iterable<Rows>;
  /** Columns with a drop-down list, by position, and the range that contains the list. */
  readonly lists?: Readonly<Record<number, string>>;
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const DOCUMENT = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const CONTENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
export const WORKBOOK_TYPE = `${CONTENT}.sheet`;

/** Cell styles: text, so that spreadsheets convert nothing to a number or date; and bold text. */
const TEXT = 1;
const BOLD = 2;
const STYLES = `${XML}<styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf/><xf numFmtId="49" applyNumberFormat="1"/><xf numFmtId="49" fontId="1" applyNumberFormat="1" applyFont="1"/></cellXfs></styleSheet>`;
const COMPRESSION = { compressionLevel: 4 };
/** Each chunk is the text of a thousand rows. One is buffered while another is compressed. */
const WRITE_BUFFER = { highWaterMark: 1 };

/**
 * Writes a workbook for Excel, LibreOffice and others, streamed, so that memory stays small. All cells are text. Rows that do not fit on a
 * sheet go on the next one, with the header again. So the list of sheets is written last.
 */
export function writeWorkbook(sheets: readonly WrittenSheet[], rowsPerSheet = MAX_ROW_NUMBER): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  zip.on('error', (error: Error) => output.destroy(error));
  writeParts(zip, output, sheets, rowsPerSheet).catch((error: Error) => output.destroy(error));
  return output;
}

async function writeParts(zip: ZipFile, output: Readable, sheets: readonly WrittenSheet[], rowsPerSheet: number) {
  const add = (path: string, content: string) => zip.addBuffer(Buffer.from(content), path);
  const contentType = (path: string, type: string) => `<Override PartName="/xl/${path}" ContentType="${CONTENT}.${type}+xml"/>`;
  // All other parts are sheets; their number is not known yet.
  add(
    '[Content_Types].xml',
    `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="${CONTENT}.worksheet+xml"/>${contentType('workbook.xml', 'sheet.main')}${contentType('styles.xml', 'styles')}</Types>`,
  );
  add('_rels/.rels', relations([{ id: 'rId1', type: 'officeDocument', target: 'xl/workbook.xml' }]));
  add('xl/styles.xml', STYLES);

  const names: string[] = [];
  for (const sheet of sheets) {
    const rest = takeRows(sheet);
    for (let part = 1; part === 1 || rest.hasMore(); part++) {
      names.push(part === 1 ? sheet.name : `${sheet.name} ${part}`);
      const content = Readable.from(sheetXml(sheet, rest, rowsPerSheet), WRITE_BUFFER);
      // If the client stops downloading, reading stops too.
      const stop = () => content.destroy();
      if (output.destroyed) stop();
      else output.once('close', stop);
      zip.addReadStream(content, `xl/worksheets/sheet${names.length}.xml`, COMPRESSION);
      await finished(content).finally(() => {
        output.off('close', stop);
        if (!content.readableEnded) void rest.stop();
      });
    }
  }

  const ids = names.map((name, at) => ({ name, number: at + 1, id: `rId${at + 1}` }));
  const list = ids.map(({ name, number, id }) => `<sheet name="${escapeXml(name)}" sheetId="${number}" r:id="${id}"/>`);
  add('xl/workbook.xml', `${XML}<workbook xmlns="${MAIN}" xmlns:r="${DOCUMENT}"><sheets>${list.join('')}</sheets></workbook>`);
  const targets = ids.map(({ id, number }) => ({ id, type: 'worksheet', target: `worksheets/sheet${number}.xml` }));
  add('xl/_rels/workbook.xml.rels', relations([...targets, { id: 'styles', type: 'styles', target: 'styles.xml' }]));
  zip.end();
}

function relations(list: readonly { id: string; type: string; target: string }[]): string {
  const items = list.map(({ id, type, target }) => `<Relationship Id="${id}" Type="${DOCUMENT}/${type}" Target="${target}"/>`);
  return `${XML}<Relationships xmlns="${PACKAGE}/relationships">${items.join('')}</Relationships>`;
}

interface RowSource {
  /** The next rows, at most `most`. Undefined at the end. */
  take(most: number): Promise<Rows | undefined>;
  /** Whether more rows have been read already. */
  hasMore(): boolean;
  stop(): Promise<unknown>;
  readonly header: Rows;
}

function takeRows({ rows, hasHeader }: WrittenSheet): RowSource {
  const batches = Symbol.asyncIterator in rows ? rows[Symbol.asyncIterator]() : rows[Symbol.iterator]();
  let batch: Rows | undefined;
  let header: Rows = [];
  const read = async () => {
    do {
      const next = await batches.next();
      batch = next.done ? undefined : next.value;
    } while (batch?.length === 0);
  };
  return {
    async take(most) {
      if (!batch) await read();
      if (hasHeader && header.length === 0) header = batch?.slice(0, 1) ?? [];
      const taken = batch?.slice(0, most);
      batch = batch && batch.length > most ? batch.slice(most) : undefined;
      // Reads one batch ahead, to know whether another sheet is needed.
      if (!batch) await read();
      return taken;
    },
    hasMore: () => batch !== undefined,
    stop: async () => batches.return?.(),
    get header() {
      return header;
    },
  };
}

async function* sheetXml({ widths, hasHeader, lists = {} }: WrittenSheet, source: RowSource, rowsPerSheet: number): AsyncGenerator<string> {
  const view = hasHeader
    ? '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>'
    : '';
  const columns = widths.map((width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" style="${TEXT}" customWidth="1"/>`);
  yield `${XML}<worksheet xmlns="${MAIN}">${view}<cols>${columns.join('')}</cols><sheetData>`;
  let row = 0;
  // Empty on the first sheet, where the header is the first row.
  let batch: Rows | undefined = source.header.length > 0 ? source.header : await source.take(rowsPerSheet);
  for (; batch; batch = row < rowsPerSheet ? await source.take(rowsPerSheet - row) : undefined) {
    let text = '';
    for (const cells of batch) {
      row += 1;
      text += rowXml(row, cells, hasHeader && row === 1 ? BOLD : TEXT);
    }
    yield text;
  }
  const validations = Object.entries(lists).map(([place, range]) => {
    const column = letterOf(Number(place));
    return `<dataValidation type="list" allowBlank="1" showErrorMessage="0" sqref="${column}2:${column}${MAX_ROW_NUMBER}"><formula1>${escapeXml(range)}</formula1></dataValidation>`;
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

/** 0 → 'A', 27 → 'AB'. */
export function letterOf(place: number): string {
  const before = Math.floor(place / 26);
  return (before > 0 ? letterOf(before - 1) : '') + String.fromCharCode(65 + (place % 26));
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** Characters that XML cannot contain, and underscores that would be read as an escape. */
const UNWRITABLE = /[\p{Cc}\uFFFE\uFFFF]|_(?=x[0-9a-f]{4}_)/giu;

function escapeXml(text: string): string {
  const markup = /[&<>"]/.test(text) ? text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? '') : text;
  return markup.replaceAll(UNWRITABLE, (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`);
}
