import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { combiningMarks, findSlowTexts } from '../../test/hostile-text.ts';
import { products } from '../../test/workbooks.ts';
import { COLUMNS } from '../catalog/fields/columns.ts';
import { spool } from '../files/csv/spool.ts';
import { openImportFile } from './import-file.ts';

/** With each character escaped, the longest row of a file, minus the other cells. */
const LONGEST = 125 * 1024;
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
const FSC = { id: 1, name: 'FSC', body_name: 'FSC', aliases: [], is_retired: false, id_pattern: '^FSC-C[0-9]{6}$' };

/** Reads and validates a whole file. */
async function read(bytes: Buffer | string): Promise<void> {
  const { place, close } = await spool(Readable.from([Buffer.from(bytes)]));
  const file = await openImportFile({
    stage: { brandId: 1, importId: 1 },
    file: place,
    sheet: undefined,
    mapping: undefined,
    mappings: new Map(),
    catalogue: [FSC],
  });
  for await (const _piece of file.rows());
  file.close();
  await close();
}

test.each(COLUMNS)('no cell in the column %s takes long', async (column) => {
  const others = COLUMNS.filter((name) => name !== column);
  // A known certification, because only its ids are normalised.
  const cells = others.map((name) => (name === 'certification_name' ? 'FSC' : 'x'));
  const slow = await findSlowTexts(LONGEST, (text) => read(`${[column, ...others].join(',')}\n${[quoted(text), ...cells].join(',')}\n`));
  expect(slow).toEqual([]);
});

test('no header cell takes long', async () => {
  const slow = await findSlowTexts(LONGEST, (text) => read(`variant_name,gtin,${quoted(text)}\nTea,1,x\n`));
  expect(slow).toEqual([]);
});

test('many rows of a workbook that normalise slowly take hardly longer than as many others', async () => {
  const row = `<row>${'<c t="s"><v>0</v></c>'.repeat(3)}</row>`;
  const readRows = async (text: string) => {
    const bytes = await products(row.repeat(40), { strings: [`<t>${text}</t>`] });
    await read(bytes);
    const started = performance.now();
    await read(bytes);
    return performance.now() - started;
  };
  // Normalising takes quadratic time, so longer texts are not normalised.
  expect(await readRows(combiningMarks(20_000))).toBeLessThan(10 * (await readRows(combiningMarks(2_000))));
});
