import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../test/property.ts';
import { CsvReader, type Delimiter, MAX_COLUMNS, MAX_RECORD_LENGTH } from './csv-records.ts';

/** Feeds the text in chunks of the given sizes, repeated. */
function readAll(text: string, delimiter: Delimiter = ',', sizes: readonly number[] = [text.length || 1]): string[][] {
  const reader = new CsvReader(delimiter);
  const records = [];
  for (let at = 0, turn = 0; at < text.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    records.push(...reader.push(text.slice(at, at + size)));
    at += size;
  }
  records.push(...reader.end());
  expect(records.map(({ row }) => row)).toEqual(records.map((_, index) => index + 1));
  return records.map(({ cells }) => cells);
}

test.each([
  [
    'any line ending',
    'a,b\r\nc,d\ne,f\rg,h',
    [
      ['a', 'b'],
      ['c', 'd'],
      ['e', 'f'],
      ['g', 'h'],
    ],
  ],
  ['blank lines, which count', 'a\n\n\r\nb\n', [['a'], [''], [''], ['b']]],
  ['delimiters, quotes and line breaks inside of quotes', '"a,""b""\r\nc",d\n', [['a,"b"\r\nc', 'd']]],
  ['a quote in the middle as a character', '5" nails,x\n', [['5" nails', 'x']]],
  ['text after a closing quote', '"a"b,c\n', [['ab', 'c']]],
  [
    'spaces before quotes',
    'a, "b, ""c""" ,d\n"e", "f"',
    [
      ['a', 'b, "c" ', 'd'],
      ['e', 'f'],
    ],
  ],
  ['quotes around a part of a spaced cell as characters', 'a, "b" c, "d\n', [['a', ' "b" c', ' "d']]],
  ['empty cells', ',"",\n', [['', '', '']]],
  ['a last line without a line ending', 'a,', [['a', '']]],
  ['nothing', '', []],
])('reads %s', (_name, text, expected) => {
  expect(readAll(text)).toEqual(expected);
  expect(readAll(text, ',', [1])).toEqual(expected);
});

test('a quote that is never closed is refused with the row where it opens', () => {
  expect(() => readAll('a,b\n"c,d\ne,f\n')).toThrow(expect.objectContaining({ reason: 'open_quote', params: { row: 2 } }));
});

test('a row that is too long is refused before all of it is in memory', () => {
  const reader = new CsvReader(',');
  let pieces = 0;
  const push = () => {
    for (; ; pieces++) reader.push('"'.padEnd(16 * 1024, pieces === 0 ? 'x' : '""'));
  };
  expect(push).toThrow(expect.objectContaining({ reason: 'row_too_long' }));
  expect(pieces).toBeLessThanOrEqual(MAX_RECORD_LENGTH / (16 * 1024));
});

test('a row of very many cells is refused', () => {
  const tooMany = `${','.repeat(MAX_COLUMNS)}x`;
  expect(() => readAll(tooMany)).toThrow(expect.objectContaining({ reason: 'too_many_columns' }));
  expect(readAll(tooMany.slice(1))).toHaveLength(1);
});

test('blank cells beyond the column limit are dropped', () => {
  expect(readAll(`a,b${','.repeat(16_382)}\nc, ${' ,'.repeat(3_000)}\n`).map((cells) => cells.length)).toEqual([MAX_COLUMNS, MAX_COLUMNS]);
});

test('gives the same result as csv-parse, for any chunk boundaries', () => {
  const cell = fc.array(fc.constantFrom('a', 'ü', '"', ',', ';', '\t', '\n', '\r\n', '\r', ' ', '緑'), {
    maxLength: 6,
  });
  const rows = fc.array(
    fc.array(
      cell.map((parts) => parts.join('')),
      { minLength: 2, maxLength: 4 },
    ),
    { maxLength: 8 },
  );
  const delimiters = fc.constantFrom<Delimiter>(',', ';', '\t');
  const sizes = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(rows, delimiters, sizes, fc.constantFrom('\n', '\r\n'), (rows, delimiter, sizes, lineEnd) => {
      const text = rows.map((cells) => cells.map((value) => `"${value.replaceAll('"', '""')}"`).join(delimiter)).join(lineEnd);
      expect(readAll(text, delimiter, sizes)).toEqual(parse(text, { delimiter, record_delimiter: lineEnd, relax_column_count: true }));
      expect(readAll(text, delimiter, sizes)).toEqual(rows);
    }),
    runs(200, 7),
  );
});
