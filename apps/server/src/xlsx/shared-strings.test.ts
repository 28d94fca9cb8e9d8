import { expect, test } from 'vitest';
import { workbookParts, zip } from '../../test/workbooks.ts';
import { spool } from '../csv/spool.ts';
import { openPackage } from './package.ts';
import { readSharedStrings } from './shared-strings.ts';

test.each([
  ['memory', undefined],
  ['memory and on disk', 1_000],
  ['a file', 0],
])('strings are found by their number in %s', async (_where, memoryCharacters) => {
  const texts = Array.from({ length: 2_000 }, (_, index) =>
    index % 7 === 0 ? '' : `Text ${index} é "x" ${'y'.repeat(index)}`,
  );
  const bytes = await zip(workbookParts({ sheets: [], strings: texts.map((text) => `<t>${text}</t>`) }));
  const file = await spool(
    (async function* () {
      yield bytes;
    })(),
  );
  const strings = await readSharedStrings(await openPackage(file), 'xl/sharedStrings.xml', memoryCharacters);
  try {
    expect(texts.map((_, index) => strings.get(index))).toEqual(texts);
    expect(strings.get(1)).toBe(texts[1]);
    expect(() => strings.get(texts.length)).toThrow('broken_workbook');
    expect(() => strings.get(Number.NaN)).toThrow('broken_workbook');
  } finally {
    await strings.close();
    await file.close();
  }
});
