import { describe, expect, it, vi } from 'vitest';
import { prepareCsv } from './prepare-csv.ts';

const bytesOf = async (blob: Blob) => [...new Uint8Array(await blob.arrayBuffer())];

async function prepared(content: BlobPart) {
  const file = new File([content], 'socks.csv', { type: 'text/csv' });
  const { file: ready } = await prepareCsv(file);
  return {
    text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(await ready.arrayBuffer()),
    isRaw: ready === file,
  };
}

describe('the header of a file', () => {
  // spec: §3 asterisk stripped
  it.each([
    ['commas', 'variant_name*,gtin*,category\r\n*a*,1*\r\n', 'variant_name,gtin,category\r\n*a*,1*\r\n'],
    ['semicolons', 'variant_name*;gtin*\nx;1', 'variant_name;gtin\nx;1'],
    ['tabs', 'variant_name*\tgtin*\nx\t1', 'variant_name\tgtin\nx\t1'],
    ['pipes', 'variant_name*|gtin*\nx|1*|', 'variant_name|gtin\nx|1*|'],
    ['quotes', '"Variant Name*","GTIN *" ,x\n1', '"Variant Name","GTIN " ,x\n1'],
    ['a byte order mark', '\uFEFFgtin*,name\n', '\uFEFFgtin,name\n'],
    ['old line endings', 'gtin*,name*\rx*,1', 'gtin,name\rx*,1'],
    ['empty lines before it', '\r\n\r\ngtin*\r\nx*', '\r\n\r\ngtin\r\nx*'],
    ['nothing after it', 'gtin*,name**', 'gtin,name'],
    ['spaces and letters with accents', 'Categoría * ,gtin*\nñ*', 'Categoría  ,gtin\nñ*'],
    ['a line break inside quotes', '"vari\nant*",gtin*\nx*', '"vari\nant",gtin\nx*'],
  ])('with %s is sent without the asterisks at the end of its cells, and otherwise unchanged', async (_kind, given, wanted) => {
    expect((await prepared(given)).text).toBe(wanted);
  });

  it.each([
    ['inside a cell', 'a*b,gtin\nx'],
    ['before a separator that is quoted', '"a*, b",gtin\nx'],
    ['before a doubled quote', '"a*"" b",gtin\nx'],
    ['in the rows', 'name,gtin\nx*,1*\n'],
  ])('keeps an asterisk %s, and the file is uploaded unchanged', async (_place, given) => {
    expect(await prepared(given)).toEqual({ text: given, isRaw: true });
  });

  it('is cleaned in Windows-1252, byte by byte', async () => {
    // "año*,b" with ñ as 0xF1, which is not UTF-8.
    const { file } = await prepareCsv(new File([new Uint8Array([97, 0xf1, 111, 42, 44, 98, 10, 42])], 'a.csv'));
    expect(await bytesOf(file)).toEqual([97, 0xf1, 111, 44, 98, 10, 42]);
  });

  it.each([
    ['with a mark', [0xff, 0xfe, 0x61, 0, 0x2a, 0]],
    ['with a mark, high byte first', [0xfe, 0xff, 0, 0x61, 0, 0x2a]],
    ['without one', [0x61, 0, 0x2a, 0, 0x2c, 0]],
  ])('in UTF-16 %s is left to the server', async (_kind, bytes) => {
    expect((await prepared(new Uint8Array(bytes))).isRaw).toBe(true);
  });

  it('that does not end within 64 KiB is left to the server', async () => {
    expect((await prepared(`${'a'.repeat(70_000)}*,gtin*\nx`)).isRaw).toBe(true);
  });
});

describe('a file', () => {
  it('keeps its name and type', async () => {
    const { file } = await prepareCsv(new File(['gtin*\n1'], 'más.csv', { type: 'application/vnd.ms-excel' }));
    expect(file).toMatchObject({ name: 'más.csv', type: 'application/vnd.ms-excel' });
  });

  it('is never read beyond its first 64 KiB', async () => {
    const file = new File(['gtin*\n', '1\n'.repeat(200_000)], 'large.csv');
    const whole = vi.spyOn(file, 'arrayBuffer');
    const slice = vi.spyOn(file, 'slice');
    const { file: ready } = await prepareCsv(file);
    expect(ready.size).toBe(file.size - 1);
    expect(whole).not.toHaveBeenCalled();
    expect(slice.mock.calls).toEqual([[0, 65_536], [5]]);
  });

  it.each(['', '\uFEFF', ' \r\n\r\n'])('without content (%j) is empty, and is uploaded unchanged', async (content) => {
    const file = new File([content], 'empty.csv');
    expect(await prepareCsv(file)).toEqual({ file, isEmpty: true });
  });
});
