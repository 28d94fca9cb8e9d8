import { expect, test } from 'vitest';
import { decodeText, EncodingScan } from './text-encoding.ts';

const SENTENCE = 'Crème brûlée, Ñandú, 緑茶, 🍵\n';

async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function decode(bytes: Buffer, size = 3): Promise<{ encoding: string; text: string }> {
  const scan = new EncodingScan();
  for await (const piece of pieces(bytes, size)) scan.push(piece);
  let text = '';
  for await (const part of decodeText(pieces(bytes, size), scan.encoding)) text += part;
  return { encoding: scan.encoding, text };
}

const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();

test.each([
  ['UTF-8', Buffer.from(SENTENCE), 'utf-8'],
  ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${SENTENCE}`), 'utf-8'],
  ['UTF-16 LE with a mark', Buffer.from(`\uFEFF${SENTENCE}`, 'utf16le'), 'utf-16le'],
  ['UTF-16 BE with a mark', utf16be(`\uFEFF${SENTENCE}`), 'utf-16be'],
])('%s is read, wherever the pieces are cut', async (_name, bytes, encoding) => {
  for (const size of [1, 3, 1000]) expect(await decode(bytes, size)).toEqual({ encoding, text: SENTENCE });
});

test.each([
  ['little', Buffer.from('name,gtin\nCafé,1\n', 'utf16le'), 'utf-16le'],
  ['big', utf16be('name,gtin\nCafé,1\n'), 'utf-16be'],
])('UTF-16 without a mark is known by its zeros (%s-endian)', async (_name, bytes, encoding) => {
  expect(await decode(bytes)).toEqual({ encoding, text: 'name,gtin\nCafé,1\n' });
});

test('what is no UTF-8 is read as Windows-1252, even if the first such byte comes late', async () => {
  const bytes = Buffer.concat([Buffer.from('plain\n'.repeat(20_000)), Buffer.from('Caf\xe9 \x80\n', 'latin1')]);
  const { encoding, text } = await decode(bytes, 1000);
  expect(encoding).toBe('windows-1252');
  expect(text.slice(-7)).toBe('Café €\n');
});

test('UTF-8 with one damaged byte stays UTF-8: the other accents are right', async () => {
  const bytes = Buffer.concat([Buffer.from('Café, Crème, '), Buffer.from([0xe9]), Buffer.from(' x\n')]);
  expect(await decode(bytes)).toEqual({ encoding: 'utf-8', text: 'Café, Crème, \uFFFD x\n' });
});

test('a character that the end cuts in two is damage', async () => {
  const bytes = Buffer.from('Café, Crème, ñ');
  expect((await decode(bytes.subarray(0, -1))).text).toBe('Café, Crème, \uFFFD');
});

test.each([
  [[0xc0, 0xaf], 'a longer spelling than needed'],
  [[0xed, 0xa0, 0x80], 'half of a surrogate pair'],
  [[0xf5, 0x80, 0x80, 0x80], 'beyond Unicode'],
  [[0x80], 'a byte that nothing leads'],
])('%j is no UTF-8: %s', async (bytes) => {
  expect((await decode(Buffer.from([0x61, ...bytes, 0x62]))).encoding).toBe('windows-1252');
});

test('a zero inside of text is refused', async () => {
  await expect(decode(Buffer.from('name,gtin\nA\0B,1\n'))).rejects.toMatchObject({ reason: 'not_text' });
});

test.each([
  ['zip', [0x50, 0x4b, 0x03, 0x04, 1, 2]],
  ['xls', [0xd0, 0xcf, 0x11, 0xe0, 1, 2]],
])('a %s file is called by its name', async (_name, bytes) => {
  await expect(decode(Buffer.from(bytes))).rejects.toMatchObject({ reason: 'workbook' });
});

test('lines are counted by either ending', () => {
  const count = (text: string) => {
    const scan = new EncodingScan();
    scan.push(Buffer.from(text));
    return scan.lines;
  };
  expect([count(''), count('a\nb\n'), count('a\r\nb\r\n'), count('a\rb\r')]).toEqual([1, 3, 3, 3]);
});
