import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { openStored, spool } from './spool.ts';

async function* chunks(...texts: string[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text);
}

test('a stored file is read as a whole and in ranges, any number of times', async () => {
  const file = await spool(chunks('variant_name,', 'gtin\n', 'Salt,1\n'));
  const stored = openStored(file.place);
  expect(await text(stored.read())).toBe('variant_name,gtin\nSalt,1\n');
  expect(await text(stored.read(8, 12))).toBe('name');
  await file.close();
});

test('lines are counted with any line ending', async () => {
  const count = async (...texts: string[]) => {
    const { place, close } = await spool(chunks(...texts));
    await close();
    return place.lines;
  };
  expect(await count('')).toBe(1);
  expect(await count('a\nb\n')).toBe(3);
  expect(await count('a\r', '\nb\r\n')).toBe(3);
  expect(await count('a\rb\r')).toBe(3);
});
