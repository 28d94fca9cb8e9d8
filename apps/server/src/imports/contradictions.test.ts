import { sql } from 'kysely';
import { expect, inject, test } from 'vitest';
import { createTestBrand } from '../../test/people.ts';
import { useTestDatabase } from '../../test/test-database.ts';
import { inTransaction } from '../db/database.ts';
import { withHashJoins } from './plan.queries.ts';
import { rejectContradictions, stageCells, stageRows } from './staging.queries.ts';
import { toStagedLines } from './test-support/staged-rows.ts';
import { useImportingBrand } from './test-support/uploads.ts';

const HEADER = 'variant_name,gtin,category,certificate_id,certification_name,description\n';

test.each([
  ['names', (row: number) => `Salt ${row},96385074,,,,`, 'contradicting_names', 1],
  ['categories', (row: number) => `Salt,96385074,Food ${row},,,`, 'contradicting_categories', 1],
  ['ids of one certification', (row: number) => `Salt,96385074,,F-${row},FSC,`, 'contradicting_rows', 1],
  ['descriptions', (row: number) => `Salt,96385074,,,,Text ${row}`, 'contradicting_details', 1],
  ['values', (row: number) => `Salt ${row},96385074,Food ${row},F-${row},FSC,Text ${row}`, 'contradicting_names', 4],
])('of 3,000 rows that give one GTIN different %s each is rejected, and names one other row', async (_what, line, code, each) => {
  const brand = await useImportingBrand();
  const rows = Array.from({ length: 3_000 }, (_, index) => line(index + 2));
  const { imported, error_count, errors, import_id } = await brand.upload(`${HEADER}${rows.join('\n')}\nTea,73513537,,,,\n`);
  expect([imported, error_count]).toEqual([1, 3_000 * each]);
  expect(errors[0]).toMatchObject({ row: 2, code, message: expect.stringMatching(/^Row 3 /) });
  expect(errors[each]).toMatchObject({ row: 3, code, message: expect.stringMatching(/^Row 2 /) });
  const { body } = await brand.get(`imports/${import_id}/rejected-rows/`);
  expect(body.trimEnd().split('\r\n')).toHaveLength(3_001);
});

test.each([
  ['name', 'Salt,96385074,,,,', 'Sea salt,96385074,,F-1,Nonsense,', ['unknown_certification', 'contradicting_names']],
  ['category', 'Salt,96385074,Food,,,', ',96385074,Drinks,,,', ['missing_value', 'contradicting_categories']],
  ['certificate id', 'Salt,96385074,,F-1,FSC,', ',96385074,,F-2,FSC,', ['missing_value', 'contradicting_rows']],
  ['description', 'Salt,96385074,,,,White', ',96385074,,,,Grey', ['missing_value', 'contradicting_details']],
])(
  'a row is not imported if another row gives its GTIN another %s, also if that row has another error',
  async (_what, good, bad, codes) => {
    const brand = await useImportingBrand();
    for (const rows of [
      [good, bad],
      [bad, good],
    ]) {
      const { imported, errors, import_id } = await brand.upload(`${HEADER}${rows.join('\n')}\n`);
      expect(imported).toBe(0);
      const codesOf = (row: number) => errors.filter((error) => error.row === row).map(({ code }) => code);
      expect([codesOf(2 + rows.indexOf(good)), codesOf(2 + rows.indexOf(bad))]).toEqual([codes.slice(1), codes]);
      const { body } = await brand.get(`imports/${import_id}/rejected-rows/`);
      expect(body).toContain(good.replace('9638', "'9638"));
    }
  },
);

test.each([
  ['a value that has an error', 'S?lt,96385074,,,,'],
  ['a missing value', ',96385074,Food,,,'],
  ['a row whose GTIN has an error', 'Sea salt,96385075,,,,'],
])('%s contradicts nothing', async (_what, bad) => {
  const brand = await useImportingBrand();
  expect(await brand.upload(`${HEADER}Salt,96385074,Food,,,\n${bad}\n`)).toMatchObject({ imported: 1, error_count: 1 });
});

test.skipIf(inject('postgresUrls').length > 1)(
  'four times as many contradicting rows are read about four times as often, not sixteen times',
  async () => {
    const { db } = await useTestDatabase();
    const brandId = await createTestBrand(db);

    function readRows(importId: number, count: number): Promise<number> {
      const stage = { brandId, importId };
      const rows = Array.from({ length: count }, (_, index) => [`Salt ${index}`, '96385074']);
      return inTransaction(db, async (db) => {
        const rejected = await withHashJoins(db, async () => {
          await stageRows(db, stage, toStagedLines(stage, rows));
          return rejectContradictions(db, stage);
        });
        expect(rejected).toHaveLength(count);
        await stageCells(db, stage, cellsOf(rejected));
        const { rows: counted } = await sql<{ read: number }>`
          select seq_tup_read + idx_tup_fetch as read from pg_stat_xact_user_tables where relname = 'import_rows'
        `.execute(db);
        return counted[0]?.read ?? 0;
      });
    }

    const few = await readRows(1, 4_000);
    expect(few).toBeGreaterThan(4_000);
    expect(await readRows(2, 16_000)).toBeLessThan(6 * few);
  },
);

async function* cellsOf(numbers: readonly number[]) {
  for (let start = 0; start < numbers.length; start += 500) {
    const rows = numbers.slice(start, start + 500).map((row) => ({ row, cells: ['Salt', '96385074'] }));
    yield { first: rows.at(0)?.row ?? 0, last: rows.at(-1)?.row ?? 0, rows: JSON.stringify(rows) };
  }
}
