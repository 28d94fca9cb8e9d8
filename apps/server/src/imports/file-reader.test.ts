import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { watchTurns } from '../../test/event-loop.ts';
import { products, textRow, workbook, workbookParts, zip } from '../../test/workbooks.ts';
import { spool } from '../files/csv/spool.ts';
import { readFile } from './file-reader.ts';
import type { FileRequest } from './import-file.ts';

const MIB = 1024 * 1024;
const HEADER = 'variant_name,gtin\n';
const SHEET = 'xl/worksheets/sheet0.xml';
const parts = workbookParts({ sheets: [{ name: 'Products', content: [['variant_name', 'gtin']] }] });
const sheetOf = (content: string) => zip({ ...parts, [SHEET]: `<worksheet><sheetData>${content}</sheetData></worksheet>` });
const sheets = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `${at}`, content: [['x']] }));
const attributes = (count: number) => Array.from({ length: count }, (_, at) => `a${at}="x"`).join(' ');
const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le');
const latin1 = (text: string) => Buffer.from(text, 'latin1');

interface Read {
  readonly rows: number;
  readonly refused?: string;
}

/** Reads a file as an import does, without the database. */
async function read(bytes: Buffer, signal = new AbortController().signal, onRows?: () => void): Promise<Read> {
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += 64 * 1024) yield bytes.subarray(at, at + 64 * 1024);
  }
  const file = await spool(chunks());
  const stage = { brandId: 1, importId: 1 };
  const request: FileRequest = {
    stage,
    file: file.place,
    sheet: undefined,
    mapping: undefined,
    mappings: new Map(),
    catalogue: [],
  };
  let rows = 0;
  try {
    await readFile(request, signal, async (reader) => {
      for await (const piece of reader.rows()) {
        rows += piece.rows;
        onRows?.();
      }
    });
    return { rows };
  } catch (error) {
    if (!(error instanceof Error && 'reason' in error)) throw error;
    return { rows, refused: String(error.reason) };
  } finally {
    await file.close();
  }
}

const long = (index: number) => `${index}${'x'.repeat(20_000)}`;

test.each([
  ['one quoted cell of 16 MiB', () => `${HEADER}"${'x'.repeat(16 * MIB)}",1\n`, 'row_too_long'],
  ['one line of 16 MiB', () => Buffer.alloc(16 * MIB, 'x'), 'row_too_long'],
  ['16 MiB in an old encoding', () => latin1(`${HEADER}${'\xe9'.repeat(16 * MIB)}`), 'row_too_long'],
  ['a million columns', () => 'column,'.repeat(1_000_000), 'too_many_columns'],
  ['5 rows of 240 KiB', () => `${HEADER}${`${'é'.repeat(240 * 1024)},1\n`.repeat(5)}`, undefined],
  ['100,000 rows with errors', () => `${HEADER}${'a,1\n'.repeat(100_000)}`, undefined],
  ['50,000 rows in UTF-16', () => utf16(`${HEADER}${'Café,96385074\n'.repeat(50_000)}`), undefined],
  ['50,000 rows in GB18030', () => latin1(`${HEADER}${'\xd6\xd0\xb9\xfa,96385074\n'.repeat(50_000)}`), undefined],
  ['2,000 sheets', () => workbook({ sheets: sheets(2_000) }), 'no_sheet'],
  ['a million empty cells', () => sheetOf('<c/>'.repeat(1_000_000)), 'empty_workbook'],
  ['comments of 7 MiB', () => sheetOf(`<!--${'x'.repeat(MIB)}--><a/>`.repeat(7)), 'empty_workbook'],
  ['500,000 references', () => sheetOf(`<v>${'&#65;&amp;'.repeat(25_000)}</v>`.repeat(10)), 'empty_workbook'],
  ['50,000 attributes', () => sheetOf(`<c ${attributes(50_000)}/>`), 'empty_workbook'],
  ['10,000 long number formats', () => products('', { formats: Array(10_000).fill(';'.repeat(255)) }), undefined],
  [
    'long texts among short ones, to which the cells refer in turn',
    () =>
      products(Array.from({ length: 5_000 }, (_, row) => `<row><c t="s"><v>${(row % 300) * 64 + 1}</v></c></row>`).join(''), {
        strings: Array.from({ length: 300 * 64 }, (_, at) => `<t>${at % 64 === 0 ? long(at) : at}</t>`),
      }),
    undefined,
  ],
] as const)('%s: no turn of the event loop has a quarter of the work', async (_what, content, refused) => {
  const bytes = Buffer.from(await content());
  // Starts the thread.
  await read(Buffer.from(`${HEADER}Salt,96385074\n`));
  let result: Read | undefined;
  const { longest, all } = await watchTurns(async () => {
    result = await read(bytes);
  });
  expect(result?.refused).toBe(refused);
  expect(longest).toBeLessThan(all / 4);
});

test('reading stops when its signal is aborted, and the next file is read', async () => {
  const controller = new AbortController();
  let pieces = 0;
  const reading = read(Buffer.from(`${HEADER}${'a,1\n'.repeat(300_000)}`), controller.signal, () => {
    pieces += 1;
    if (pieces === 2) controller.abort(new Error('cancelled'));
  });
  await expect(reading).rejects.toThrow('cancelled');
  expect(pieces).toBe(2);
  expect(await read(Buffer.from(`${HEADER}Salt,96385074\n`))).toEqual({ rows: 1 });
});

test('a workbook that repeats a long text is refused as soon as its cells have more text than a table of its size', async () => {
  const file = await products('<row><c t="s"><v>0</v></c></row>'.repeat(100_000), {
    strings: [`<t>${'x'.repeat(32_000)}</t>`],
  });
  const { rows, refused } = await read(file);
  expect(refused).toBe('workbook_bomb');
  // 8 MiB of characters.
  expect(rows).toBeLessThan(263);
});

test('a workbook that needs too much memory is refused, and the next file is read', async () => {
  // Hundreds of rows in each piece of the file, and a photo, because a larger file may have more text.
  const rows = '<row><c t="s"><v>0</v></c></row>'.repeat(2_000);
  const workbook = workbookParts({
    sheets: [{ name: 'Products', content: textRow(1, ['variant_name', 'gtin']) + rows }],
    strings: [`<t>${'é'.repeat(250_000)}</t>`],
  });
  const file = await zip({ ...workbook, 'xl/media/photo.jpeg': randomBytes(6 * MIB) });
  expect(await read(file)).toMatchObject({ refused: 'too_complex' });
  expect(await read(Buffer.from(`${HEADER}Salt,96385074\n`))).toEqual({ rows: 1 });
});
