import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** A workbook with the rows of a simple CSV file, with shared strings as Excel and LibreOffice write them. */
export function makeWorkbook(csv: string): Promise<Buffer> {
  const strings = new Map<string, number>();
  const indexOf = (cell: string) => {
    const known = strings.get(cell);
    if (known !== undefined) return known;
    strings.set(cell, strings.size);
    return strings.size - 1;
  };
  const sheet: string[] = [`<worksheet xmlns="${MAIN}"><sheetData>`];
  for (const [at, line] of csv.trimEnd().split('\n').entries()) {
    const cells = line.split(',').map((cell, place) => {
      const reference = `${String.fromCharCode(65 + place)}${at + 1}`;
      return cell === '' ? '' : `<c r="${reference}" t="s"><v>${indexOf(cell)}</v></c>`;
    });
    sheet.push(`<row r="${at + 1}">${cells.join('')}</row>`);
  }
  sheet.push('</sheetData></worksheet>');
  return packWorkbook(
    sheet.join(''),
    [...strings.keys()].map((text) => `<si><t>${text.replaceAll('&', '&amp;')}</t></si>`),
  );
}

const BLOCKS = 300;
const STRINGS_OF_A_BLOCK = 512;
const LONG_CHARACTERS = 32_000;

/** Half a megabyte whose 5,000 cells name one long string after the other, each far from the one before. */
export function hostileWorkbook(): Promise<Buffer> {
  const long = `<si><t>${'x'.repeat(LONG_CHARACTERS)}</t></si>`;
  const strings = Array.from({ length: BLOCKS * STRINGS_OF_A_BLOCK }, (_, at) =>
    at % STRINGS_OF_A_BLOCK === 0 ? long : '<si><t>a</t></si>',
  );
  const cell = (reference: string, index: number) => `<c r="${reference}" t="s"><v>${index}</v></c>`;
  const row = (_: unknown, at: number) => {
    const index = (at % BLOCKS) * STRINGS_OF_A_BLOCK;
    return `<row r="${at + 2}">${cell(`A${at + 2}`, index + 1)}${cell(`B${at + 2}`, index)}</row>`;
  };
  const header = `<row r="1"><c r="A1" t="inlineStr"><is><t>variant_name</t></is></c><c r="B1" t="inlineStr"><is><t>gtin</t></is></c></row>`;
  const sheet = `<worksheet xmlns="${MAIN}"><sheetData>${header}${Array.from({ length: 5_000 }, row).join('')}</sheetData></worksheet>`;
  return packWorkbook(sheet, strings);
}

function packWorkbook(sheet: string, strings: readonly string[]): Promise<Buffer> {
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`;
  const relations = (content: string) =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${content}</Relationships>`;
  const parts: Record<string, Buffer> = {
    '[Content_Types].xml': Buffer.from('<Types/>'),
    '_rels/.rels': Buffer.from(relations(relation('rId1', 'officeDocument', 'xl/workbook.xml'))),
    'xl/workbook.xml': Buffer.from(
      `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets><sheet name="Products" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': Buffer.from(
      relations(relation('rId1', 'worksheet', 'worksheets/sheet1.xml') + relation('rId2', 'sharedStrings', 'sharedStrings.xml')),
    ),
    'xl/worksheets/sheet1.xml': Buffer.from(sheet),
    'xl/sharedStrings.xml': Buffer.concat([
      Buffer.from(`<sst xmlns="${MAIN}">`),
      ...strings.map((text) => Buffer.from(text)),
      Buffer.from('</sst>'),
    ]),
  };
  const zip = new ZipFile();
  for (const [path, content] of Object.entries(parts)) zip.addBuffer(content, path);
  zip.end();
  return buffer(zip.outputStream);
}
