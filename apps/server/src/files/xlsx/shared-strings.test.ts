import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { workbookParts, zip } from '../../../test/workbooks.ts';
import { spool } from '../csv/spool.ts';
import { openPackage } from './package.ts';
import { readSharedStrings } from './shared-strings.ts';

test.each([
  ['memory', undefined],
  ['memory and on disk', 1_000],
  ['a file', 0],
])('strings are found by their number in %s', async (_where, memoryCharacters) => {
  const texts = Array.from({ length: 2_000 }, (_, index) => (index % 7 === 0 ? '' : `Text ${index} é "x" ${'y'.repeat(index)}`));
  const bytes = await zip(workbookParts({ sheets: [], strings: texts.map((text) => `<t>${text}</t>`) }));
  const file = await spool(
    (async function* () {
      yield bytes;
    })(),
  );
  const strings = await readSharedStrings(await openPackage(file.place), 'xl/sharedStrings.xml', memoryCharacters);
  try {
    expect(texts.map((_, index) => strings.get(index))).toEqual(texts);
    expect(strings.get(1)).toBe(texts[1]);
    expect(() => strings.get(texts.length)).toThrow('broken_workbook');
    expect(() => strings.get(Number.NaN)).toThrow('broken_workbook');
  } finally {
    strings.close();
    await file.close();
  }
});

/** Strings that a budget of eight million characters would not allow. */
const photo = { 'xl/media/photo.jpeg': randomBytes(1024 * 1024) };

test.each([
  ['memory', undefined],
  ['a file', 0],
])('a short string in %s costs the same beside longer ones', async (_where, memoryBytes) => {
  async function timeReads(length: number): Promise<number> {
    const long = 'x'.repeat(length);
    const texts = Array.from({ length: 300 * 64 }, (_, at) => (at % 64 === 0 ? long : `Text ${at}`));
    const parts = workbookParts({ sheets: [], strings: texts.map((text) => `<t>${text}</t>`) });
    const file = await spool(Readable.from([await zip({ ...parts, ...photo })]));
    const strings = await readSharedStrings(await openPackage(file.place), 'xl/sharedStrings.xml', memoryBytes);
    const times = Array.from({ length: 5 }, () => {
      const started = performance.now();
      for (let read = 0; read < 3_000; read++) strings.get((read % 300) * 64 + 1);
      return performance.now() - started;
    });
    strings.close();
    await file.close();
    return Math.min(...times);
  }
  expect(await timeReads(100_000)).toBeLessThan(3 * (await timeReads(20_000)));
});
