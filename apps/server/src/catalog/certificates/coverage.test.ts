import { getAttention, getReadiness } from '@brand-portal/contract/attention';
import { exportCoverage, getCoverage } from '@brand-portal/contract/coverage';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { addCertificate, addVariants, withBrandLock } from '../../../test/catalogue.ts';
import { createTestBrand, createTestMember } from '../../../test/people.ts';
import { useTestApp } from '../../../test/test-app.ts';
import type { Db } from '../../db/database.ts';
import { beginLongWork, endLongWork, listBrandsWithWork, scheduleWork } from '../../writes/due-work.ts';
import { countLargeBrands, LARGE_BRAND, recountLater } from '../../writes/kept-counts.ts';
import { deleteVariants, variantWithId } from '../../writes/variants.ts';
import { countReadyVariants } from '../variants/variants.ts';
import { countCoverage } from './coverage.ts';

async function useCoverage() {
  const { app, database } = await useTestApp();
  const { db } = database;
  const brandId = await createTestBrand(db);
  const viewer = await createTestMember(db, brandId, 'viewer');
  const get = (path: string, query = '') =>
    app.inject({
      method: 'GET',
      url: path.replace(':brandId', String(brandId)) + query,
      headers: { ...viewer.headers, 'accept-language': 'en' },
    });
  const coverage = async () => (await get(getCoverage.path)).json().results;
  let gtin = 61_414_100;
  const add = async (...variants: { name: string; category?: string }[]) =>
    addVariants(
      db,
      brandId,
      variants.map((variant) => ({ gtin: String(gtin++), ...variant })),
    );
  return { db, brandId, get, coverage, add };
}

test('a brand without certificates has no coverage', async () => {
  const { coverage, add } = await useCoverage();
  await add({ name: 'Mint tea', category: 'Tea' });
  expect(await coverage()).toEqual([]);
});

test('siblings have the same category or the same name except for its last word, and count once', async () => {
  const { db, brandId, coverage, add } = await useCoverage();
  const [tea, soap] = await add(
    { name: 'Mint tea 50g', category: 'Tea' },
    { name: 'Olive soap bar', category: '' },
    // Siblings by both, by category, and by name (ignoring case); then three that are not siblings.
    { name: 'Mint tea 100g', category: 'Tea' },
    { name: 'Sage', category: 'Tea' },
    { name: 'ÓLIVE Soap liquid', category: 'Bath' },
    { name: 'Mint soap', category: '' },
    { name: 'Olive oil', category: '' },
    { name: 'Olive soap', category: '' },
  );
  await addCertificate(db, brandId, { code: 'G-1', certification: 'GOTS' }, [tea ?? 0, soap ?? 0]);
  // A second certificate of the same certification does not count a variant twice.
  await addCertificate(db, brandId, { code: 'G-2', certification: 'GOTS' }, [tea ?? 0]);
  await addCertificate(db, brandId, { code: 'F-1', certification: 'FSC' }, [tea ?? 0]);
  expect(await coverage()).toMatchObject([
    { certification_name: 'FSC', variants: 1, siblings_without: 2 },
    { certification_name: 'GOTS', variants: 2, siblings_without: 3 },
  ]);
});

test('variants of another brand are not counted', async () => {
  const { db, brandId, coverage, add } = await useCoverage();
  const other = await createTestBrand(db, 'Other');
  await addVariants(db, other, [{ gtin: '61414100', name: 'Sage', category: 'Tea' }]);
  const [tea] = await add({ name: 'Mint', category: 'Tea' });
  await addCertificate(db, brandId, { code: 'G-1', certification: 'GOTS' }, [tea ?? 0]);
  expect(await coverage()).toMatchObject([{ variants: 1, siblings_without: 0 }]);
});

test('the export lists each sibling with its missing certification, and escapes formulas', async () => {
  const { db, brandId, get, add } = await useCoverage();
  const [tea] = await add({ name: 'Mint', category: 'Tea' }, { name: '=1+1', category: 'Tea' });
  await addCertificate(db, brandId, { code: 'G-1', certification: 'GOTS' }, [tea ?? 0]);
  const { headers, body } = await get(exportCoverage.path, '?format=csv&apostrophe=true');
  expect(headers['content-disposition']).toBe('attachment; filename="coverage.csv"');
  expect(body).toBe("\uFEFFmissing_certification,gtin,variant_name,category\r\nGOTS,'61414101,'=1+1,Tea\r\n");
  expect((await get(exportCoverage.path, '?format=csv')).body).toContain("GOTS,61414101,'=1+1,Tea");
});

test('the coverage of a large brand is kept, and counted again after writes', async () => {
  const { db, brandId, get, add } = await useCoverage();
  const answer = async () => (await get(getCoverage.path)).json();
  const countDue = () => countLargeBrands(db, { coverage: countCoverage, readiness: countReadyVariants });
  const [tea] = await add({ name: 'Mint tea 50g', category: 'Tea' }, { name: 'Sage', category: 'Tea' });
  await addCertificate(db, brandId, { code: 'G-1', certification: 'GOTS' }, [tea ?? 0]);
  expect(await answer()).not.toHaveProperty('counted_at');
  await db
    .updateTable('variant_counts')
    .set({ total: LARGE_BRAND + 1 })
    .where('brand_id', '=', brandId)
    .execute();
  expect(await answer()).toEqual({ results: [], counted_at: null });
  expect(await countDue()).toBe(0);

  await add({ name: 'Camomile', category: 'Tea' });
  const makeDue = () => sql`update due_work set due_at = now() where kind = 'count_brand'`.execute(db);
  await makeDue();
  expect(await countDue()).toBe(1);
  const first = await answer();
  expect(first.results).toMatchObject([{ certification_name: 'GOTS', variants: 1, siblings_without: 2 }]);
  expect(Date.parse(first.counted_at)).toBeGreaterThan(Date.now() - 60_000);
  expect(await countDue()).toBe(0);

  const readiness = async () => (await get(getReadiness.path)).json();
  const remarks = [
    { reason: 'no_image', count: 3 },
    { reason: 'no_description', count: 3 },
    { reason: 'not_displayed', count: 1 },
  ];
  expect(await readiness()).toMatchObject({ ready_with_remarks: 3, blocked: 0, reasons: remarks });
  const kept = await readiness();
  expect(kept.ready).toBe(LARGE_BRAND - 1);
  expect(Date.parse(kept.counted_at)).toBeGreaterThan(Date.now() - 60_000);
  expect((await get(getAttention.path)).json()).toMatchObject({ variants: remarks, counted_at: kept.counted_at });

  await withBrandLock(db, brandId, (db) => deleteVariants(db, brandId, variantWithId(tea ?? 0)));
  expect((await answer()).counted_at).toBe(first.counted_at);
  await makeDue();
  expect(await countDue()).toBe(1);
  expect((await answer()).results).toEqual([]);
});

test('a write while the coverage is counted makes it due again', async () => {
  const { db, brandId } = await useCoverage();
  await scheduleWork(db, brandId, 'count_brand');
  const begun = await beginLongWork(db, brandId, 'count_brand');
  expect(begun?.getTime()).toBeGreaterThan(Date.now() + 10 * 60_000);
  await scheduleWork(db, brandId, 'count_brand');
  await endLongWork(db, brandId, 'count_brand', begun ?? new Date());
  expect(await listBrandsWithWork(db, 'count_brand')).toEqual([brandId]);
});

test('a write during the count of a very large brand makes it due again', async () => {
  const { db, brandId, add } = await useCoverage();
  await add({ name: 'Sage' });
  await db.updateTable('variant_counts').set({ total: 5_000_000 }).where('brand_id', '=', brandId).execute();
  await scheduleWork(db, brandId, 'count_brand');
  const begun = await beginLongWork(db, brandId, 'count_brand');
  await recountLater(db, brandId);
  await endLongWork(db, brandId, 'count_brand', begun ?? new Date());
  expect((await sql`select from due_work where brand_id = ${brandId} and kind = 'count_brand'`.execute(db)).rows).toHaveLength(1);
});

test('a stop ends the count of a large brand, which is counted later', async () => {
  const { db, brandId } = await useCoverage();
  await scheduleWork(db, brandId, 'count_brand');
  const stopper = new AbortController();
  const count = async (db: Db) => {
    const counting = sql`select pg_sleep(60)`.execute(db);
    stopper.abort();
    return counting;
  };
  expect(await countLargeBrands(db, { coverage: count, readiness: count }, { stopping: stopper.signal })).toBe(0);
  expect((await sql`select from kept_counts where brand_id = ${brandId}`.execute(db)).rows).toHaveLength(0);
  expect((await sql`select from due_work where brand_id = ${brandId} and kind = 'count_brand'`.execute(db)).rows).toHaveLength(1);
});
