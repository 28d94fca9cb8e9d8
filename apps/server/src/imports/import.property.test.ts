import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { expectDerivedData } from '../../test/catalogue.ts';
import { runs } from '../../test/property.ts';
import { type TestApp, useTestApp } from '../../test/test-app.ts';
import { ModelBrand, type ModelRow } from './test-support/import-model.ts';
import { addImportingBrand, type ImportingBrand, storedVariants } from './test-support/uploads.ts';

const GTINS = ['96385074', '73513537', '036000291452', '00036000291452', '4006381333931', '04006381333931', '10614141000415'];
const BAD_GTINS = ['', '6291041500214', '6.15E+12', '20000004', 'x'];
const NAMES = ['Salt', 'Crème, brûlée', '5" pot', 'a;b', '緑茶', '-20 %', '=1+1', 'tab\\here', '\\N', "O'Neil", '\\.'];
const CERTIFICATIONS = ['FSC', 'GOTS', 'EPREL'];

const rarely = (...values: string[]) =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.constantFrom(...values) });

const row: fc.Arbitrary<ModelRow> = fc
  .record({
    gtin: fc.constantFrom(...GTINS),
    // Mostly the same name as the other rows of this GTIN; otherwise nearly all rows would contradict each other.
    otherName: rarely(...NAMES),
    otherCategory: rarely('', 'Food', 'Té & café'),
    badGtin: rarely(...BAD_GTINS),
    hasCategory: fc.boolean(),
    certificate: fc.constantFrom('none', 'none', 'both', 'both', 'both', 'id only', 'name only'),
    certificateId: fc.constantFrom('A', 'B', 'c-7'),
    certification: fc.constantFrom(...CERTIFICATIONS),
  })
  .map(({ gtin, otherName, otherCategory, badGtin, hasCategory, certificate, certificateId, certification }) => ({
    name: otherName ?? NAMES[GTINS.indexOf(gtin)] ?? '',
    gtin: badGtin ?? gtin,
    category: otherCategory ?? (hasCategory ? 'Food' : ''),
    certificateId: certificate === 'both' || certificate === 'id only' ? certificateId : '',
    certification: certificate === 'both' || certificate === 'name only' ? certification : '',
    hasGtin: badGtin === null,
    isGood: badGtin === null && (certificate === 'both' || certificate === 'none'),
  }));

/** How a program may format the same rows. */
const style = fc.record({
  delimiter: fc.constantFrom(',', ';', '\t'),
  lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
  encoding: fc.constantFrom<BufferEncoding>('utf8', 'utf16le'),
  order: fc.shuffledSubarray(['name', 'gtin', 'category', 'certificateId', 'certification'] as const, { minLength: 5 }),
  quoteAll: fc.boolean(),
});
type Style = typeof style extends fc.Arbitrary<infer S> ? S : never;

const HEADERS = {
  name: 'Variant Name*',
  gtin: 'gtin',
  category: 'Category',
  certificateId: 'CERTIFICATE_ID',
  certification: 'certification name',
};

function write(rows: readonly ModelRow[], { delimiter, lineEnd, encoding, order, quoteAll }: Style): Buffer {
  const toLine = (cells: string[]) =>
    cells.map((cell) => (quoteAll || /[",;\t]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(delimiter);
  const lines = [order.map((column) => HEADERS[column]), ...rows.map((row) => order.map((column) => row[column]))];
  return Buffer.from(`\uFEFF${lines.map(toLine).join(lineEnd)}`, encoding);
}

const upload = fc.record({ rows: fc.array(row, { minLength: 1, maxLength: 12 }), style });

async function expectSame(brand: ImportingBrand, model: ModelBrand): Promise<void> {
  const stored = (await storedVariants(brand)).map(({ gtin, name, category, has_certs, certificates }) => ({
    gtin,
    name,
    category,
    has_certs,
    certificates,
  }));
  const expected = [...model.variants.values()].map(({ certificates, ...variant }) => ({
    ...variant,
    has_certs: certificates.size > 0,
    certificates: [...certificates].sort(),
  }));
  const byGtin = (a: { gtin: string }, b: { gtin: string }) => (a.gtin < b.gtin ? -1 : 1);
  expect(stored.sort(byGtin)).toEqual(expected.sort(byGtin));
  expect((await brand.get('variants/?page_size=1')).json().count).toBe(model.variants.size);
  const certified = expected.filter(({ has_certs }) => has_certs).length;
  expect((await brand.get('variants/?page_size=1&has_certs=true')).json().count).toBe(certified);
}

async function importBoth(brand: ImportingBrand, model: ModelBrand, { rows, style }: { rows: ModelRow[]; style: Style }): Promise<void> {
  const result = await brand.upload(write(rows, style));
  expect(result).toMatchObject({ imported: model.import(rows), total_rows: rows.length });
}

async function withBrands(testApp: TestApp, count: number) {
  const brands: { brand: ImportingBrand; model: ModelBrand }[] = [];
  for (let made = 0; made < count; made++) {
    brands.push({ brand: await addImportingBrand(testApp), model: new ModelBrand() });
  }
  return brands;
}

test('random files, imported one after the other and each twice, give the result of a simple model', async () => {
  const testApp = await useTestApp();
  await fc.assert(
    fc.asyncProperty(fc.array(upload, { minLength: 1, maxLength: 4 }), async (uploads) => {
      for (const { brand, model } of await withBrands(testApp, 1)) {
        for (const each of uploads) {
          await importBoth(brand, model, each);
          await expectSame(brand, model);
          await importBoth(brand, model, each);
        }
        await expectSame(brand, model);
      }
      await expectDerivedData(testApp.database.pool);
    }),
    runs(7, 20_251),
  );
}, 600_000);

test('the same with interleaved imports of three brands', async () => {
  const testApp = await useTestApp();
  const plan = fc.array(fc.tuple(upload, upload, upload), { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(plan, async (rounds) => {
      const brands = await withBrands(testApp, 3);
      for (const round of rounds) {
        await Promise.all(brands.map(({ brand, model }, index) => importBoth(brand, model, round[index] as (typeof round)[0])));
      }
      for (const { brand, model } of brands) await expectSame(brand, model);
      await expectDerivedData(testApp.database.pool);
    }),
    runs(4, 20_252),
  );
}, 600_000);

test('the same when the database connection breaks at any moment: an import is stored completely or not at all', async () => {
  const testApp = await useTestApp();
  const { pool } = testApp.database;
  const countDone = async ({ brandId }: ImportingBrand): Promise<number> =>
    (await pool.query(`select count(*) from imports where brand_id = $1 and state = 'done'`, [brandId])).rows[0].count;
  const countUnfinished = async ({ brandId }: ImportingBrand): Promise<number> =>
    (await pool.query(`select count(*) from imports where brand_id = $1 and state in ('waiting', 'running')`, [brandId])).rows[0].count;
  const breaks = fc.array(fc.record({ upload, afterMs: fc.nat({ max: 60 }) }), { minLength: 2, maxLength: 6 });
  let broken = 0;
  await fc.assert(
    fc.asyncProperty(breaks, async (plan) => {
      for (const { brand, model } of await withBrands(testApp, 1)) {
        for (const { upload, afterMs } of plan) {
          const before = await countDone(brand);
          const sending = brand.send(write(upload.rows, upload.style));
          await sleep(afterMs);
          // Those that work: the ones of the job queue are lost in worker.test.ts.
          const { rowCount } = await pool.query(
            `select pg_terminate_backend(pid) from pg_stat_activity
             where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null`,
          );
          broken += rowCount ?? 0;
          await sending;
          // The answer may be lost although the import was accepted.
          await vi.waitFor(async () => expect(await countUnfinished(brand)).toBe(0), 30_000);
          // A broken idle connection fails at its next use, so the first query may fail.
          await vi.waitFor(async () => {
            if ((await countDone(brand)) > before) model.import(upload.rows);
          }, 5_000);
          await vi.waitFor(() => expectSame(brand, model), 5_000);
          await expectDerivedData(pool);
        }
      }
    }),
    runs(4, 20_253),
  );
  expect(broken).toBeGreaterThan(3);
}, 600_000);
