import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { readParts } from '../../../test/workbooks.ts';
import { writeWorkbook } from './workbook-writer.ts';

const sheet = (rows: AsyncIterable<string[][]> | string[][][]) => ({
  name: 'Products',
  widths: [10],
  hasHeader: true,
  rows,
});

const cellsOf = (xml = '') => xml.match(/(?<=preserve">)[^<]*/g);

test('rows that do not fit on a sheet continue on another one, with the header again', async () => {
  const batches = [[['name']], [['1'], ['2'], ['3']], [], [['4'], ['5']], [['6'], ['7']]];
  const parts = await readParts(await buffer(writeWorkbook([sheet(batches)], 4)));
  expect(parts['xl/workbook.xml']?.match(/(?<= name=")[^"]*/g)).toEqual(['Products', 'Products 2', 'Products 3']);
  expect(cellsOf(parts['xl/worksheets/sheet1.xml'])).toEqual(['name', '1', '2', '3']);
  expect(cellsOf(parts['xl/worksheets/sheet2.xml'])).toEqual(['name', '4', '5', '6']);
  expect(cellsOf(parts['xl/worksheets/sheet3.xml'])).toEqual(['name', '7']);
  expect(parts['xl/_rels/workbook.xml.rels']).toContain('Target="worksheets/sheet3.xml"');
});

test('rows that just fit need no second sheet, and without rows the sheet is empty', async () => {
  const full = await readParts(await buffer(writeWorkbook([sheet([[['name'], ['1'], ['2']]])], 3)));
  expect(Object.keys(full).filter((path) => path.includes('worksheets'))).toEqual(['xl/worksheets/sheet1.xml']);
  const empty = await readParts(await buffer(writeWorkbook([sheet([])])));
  expect(empty['xl/worksheets/sheet1.xml']).toContain('<sheetData></sheetData>');
});

test('a failure while rows are read aborts the file', async () => {
  async function* rows() {
    yield [['name']];
    throw new Error('The database is gone');
  }
  await expect(buffer(writeWorkbook([sheet(rows())]))).rejects.toThrow('The database is gone');
});

test('aborting the download stops the reading of rows', async () => {
  const ended = vi.fn();
  async function* rows() {
    try {
      for (;;) {
        yield Array.from({ length: 1_000 }, () => [String(Math.random())]);
        await sleep(0);
      }
    } finally {
      ended();
    }
  }
  const output = writeWorkbook([sheet(rows())]);
  let bytes = 0;
  output.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > 100_000) output.destroy();
  });
  await vi.waitFor(() => expect(ended).toHaveBeenCalled(), 10_000);
});

test('a download that is aborted before the first row reads no rows', async () => {
  const rows = vi.fn();
  async function* read() {
    rows();
    yield [['name']];
  }
  const output = writeWorkbook([sheet(read())]);
  output.destroy();
  await sleep(0);
  expect(rows).not.toHaveBeenCalled();
});
