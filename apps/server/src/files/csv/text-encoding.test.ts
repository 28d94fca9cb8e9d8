import { expect, test } from 'vitest';
import { slowdown } from '../../../test/hostile-text.ts';
import { detectLegacyEncoding } from './legacy-encoding.ts';
import { decodeText, findEncoding } from './text-encoding.ts';

const SENTENCE = 'Crème brûlée, Ñandú, 緑茶, 🍵\n';

async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function decode(bytes: Buffer, size = 3): Promise<{ encoding: string; text: string; lines?: number }> {
  const found = await findEncoding(pieces(bytes, size));
  let text = '';
  for await (const part of decodeText(pieces(bytes, size), found)) text += part;
  const { name, legacy } = found;
  return { encoding: legacy?.encoding ?? name, text, ...(legacy?.lines && { lines: legacy.lines }) };
}

const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();

test.each([
  ['UTF-8', Buffer.from(SENTENCE), 'utf-8'],
  ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${SENTENCE}`), 'utf-8'],
  ['UTF-16 LE with a mark', Buffer.from(`\uFEFF${SENTENCE}`, 'utf16le'), 'utf-16le'],
  ['UTF-16 BE with a mark', utf16be(`\uFEFF${SENTENCE}`), 'utf-16be'],
])('%s is decoded, for any chunk boundaries', async (_name, bytes, encoding) => {
  for (const size of [1, 3, 1000]) expect(await decode(bytes, size)).toEqual({ encoding, text: SENTENCE });
});

test.each([
  ['little', Buffer.from('name,gtin\nCafé,1\n', 'utf16le'), 'utf-16le'],
  ['big', utf16be('name,gtin\nCafé,1\n'), 'utf-16be'],
])('UTF-16 without a byte order mark is detected by its zero bytes (%s-endian)', async (_name, bytes, encoding) => {
  expect(await decode(bytes)).toEqual({ encoding, text: 'name,gtin\nCafé,1\n' });
});

test('invalid UTF-8 is decoded as Windows-1252, even if the first invalid byte comes late', async () => {
  const bytes = Buffer.concat([Buffer.from('plain\n'.repeat(20_000)), Buffer.from('Caf\xe9 \x80\n', 'latin1')]);
  const { encoding, text } = await decode(bytes, 1000);
  expect(encoding).toBe('windows-1252');
  expect(text.slice(-7)).toBe('Café €\n');
});

test('invalid UTF-8 is decoded as Windows-1252, even if the first invalid byte comes late in a long line', async () => {
  const line = `${'plain '.repeat(1_000)},Caf\xe9\n`;
  const { encoding, text } = await decode(Buffer.from(line.repeat(20), 'latin1'), 1000);
  expect(encoding).toBe('windows-1252');
  expect(text).toBe(line.repeat(20));
});

/** Names in old encodings, as Excel and others write them. */
test.each([
  ['windows-1252', 'Crème brûlée, Jalapeño', 'Q3LobWUgYnL7bOllLCBKYWxhcGXxbw=='],
  ['windows-1252', 'Women’s tee, €5', 'V29tZW6ScyB0ZWUsIIA1'],
  ['macintosh', 'Café molido, Crème', 'Q2FmjiBtb2xpZG8sIENyj21l'],
  ['windows-1251', 'Чай зелёный', '1+DpIOfl67jt++k='],
  ['koi8-r', 'Сыр российский', '89nSINLP09PJytPLyco='],
  ['windows-1250', 'Żółta herbata, mąka', 'r/OzdGEgaGVyYmF0YSwgbblrYQ=='],
  ['shift_jis', '緑茶, 抹茶ラテ', 'l86SgywglpWSg4OJg2U='],
  ['gb18030', '绿茶, 有机茉莉花茶', 'wsyy6Cwg09C7+tzUwPK7qLLo'],
  ['big5', '綠茶, 茉莉花茶', 'uvGv+SwgrVuy+qrhr/k='],
  ['euc-kr', '녹차, 유기농', 's+zC9ywgwK+x4rPz'],
  ['windows-1253', 'Πράσινο τσάι', '0PHc8+nt7yD089zp'],
  ['windows-1254', 'Yeşil çay', 'WWX+aWwg52F5'],
])('%s is detected by its text: %s', async (encoding, text, base64) => {
  expect(await decode(Buffer.from(base64, 'base64'))).toEqual({ encoding, text });
});

test('a long word is scored as fast as many short ones', () => {
  const detect = (text: string) => detectLegacyEncoding(Buffer.from(text, 'latin1'));
  expect(slowdown(detect, `${'a'.repeat(8_000)} \xe9`, 'Caf\xe9 cr\xe8me '.repeat(700))).toBeLessThan(20);
});

test('lines in another encoding are decoded separately, and the rest stays UTF-8', async () => {
  const bytes = Buffer.concat([
    Buffer.from('name,gtin\nZażółć,1\n'),
    Buffer.from('Caf\xe9 cr\xe8me,2\r\n', 'latin1'),
    Buffer.from('緑茶,3\n'),
  ]);
  const text = 'name,gtin\nZażółć,1\nCafé crème,2\r\n緑茶,3\n';
  for (const size of [1, 7, 1000]) expect(await decode(bytes, size)).toEqual({ encoding: 'windows-1252', text, lines: 1 });
  const mostlyOld = Buffer.concat([Buffer.from('Caf\xe9\nCr\xe8me\nJalape\xf1o\n', 'latin1'), Buffer.from('Müsli\n')]);
  expect(await decode(mostlyOld)).toEqual({
    encoding: 'windows-1252',
    text: 'Café\nCrème\nJalapeño\nMüsli\n',
    lines: 3,
  });
});

test('in a file in an East Asian encoding, a line that is also valid UTF-8 is decoded like the others', async () => {
  // The bytes of 模 in this encoding are those of ģ in UTF-8.
  const bytes = Buffer.from('wsyy6ArT0Lv6CsSjCg==', 'base64');
  expect(await decode(bytes)).toEqual({ encoding: 'gb18030', text: '绿茶\n有机\n模\n' });
});

test('UTF-8 with one invalid byte is still decoded as UTF-8', async () => {
  const bytes = Buffer.concat([Buffer.from('Café, Crème, '), Buffer.from([0xe9]), Buffer.from(' x\n')]);
  expect(await decode(bytes)).toEqual({ encoding: 'utf-8', text: 'Café, Crème, \uFFFD x\n' });
});

test('a character that is cut off at the end becomes a replacement character', async () => {
  const bytes = Buffer.from('Café, Crème, ñ');
  expect((await decode(bytes.subarray(0, -1))).text).toBe('Café, Crème, \uFFFD');
});

test.each([
  [[0xc0, 0xaf], 'an overlong encoding'],
  [[0xed, 0xa0, 0x80], 'half of a surrogate pair'],
  [[0xf5, 0x80, 0x80, 0x80], 'beyond Unicode'],
  [[0x80], 'a continuation byte without a lead byte'],
])('%j is not valid UTF-8: %s', async (bytes) => {
  expect((await decode(Buffer.from([0x61, ...bytes, 0x62]))).encoding).not.toBe('utf-8');
});

test('one zero byte becomes a replacement character; with several, the file is not text', async () => {
  expect((await decode(Buffer.from('name,gtin\nA\0B,12345678901\n'))).text).toBe('name,gtin\nA\uFFFDB,12345678901\n');
  await expect(decode(Buffer.from('name\0\0\0,gtin\n'))).rejects.toMatchObject({ reason: 'not_text' });
});

test.each([
  ['zip', [0x50, 0x4b, 0x03, 0x04, 1, 2]],
  ['xls', [0xd0, 0xcf, 0x11, 0xe0, 1, 2]],
])('a %s file is refused as a workbook', async (_name, bytes) => {
  await expect(decode(Buffer.from(bytes))).rejects.toMatchObject({ reason: 'workbook' });
});
