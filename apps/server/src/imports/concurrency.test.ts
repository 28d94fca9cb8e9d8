import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { expectDerivedData } from '../../test/catalogue.ts';
import { inTransaction } from '../db/database.ts';
import { deleteBrand } from '../people/brands/brands.ts';
import { openUpload } from './test-support/slow-upload.ts';
import {
  addImportingBrand,
  countBlocked,
  type ImportingBrand,
  lockBrandRow,
  storedVariants,
  toForm,
  useImportingBrand,
  waitsForLock,
} from './test-support/uploads.ts';

const FILE = 'variant_name,gtin,certificate_id,certification_name\nSalt,96385074,A,FSC\nTea,73513537,,\n';

/** The states of the brand's imports. */
async function states({ pool, brandId }: ImportingBrand): Promise<string[]> {
  const { rows } = await pool.query('select state from imports where brand_id = $1 order by id', [brandId]);
  return rows.map(({ state }) => state);
}

test('concurrent imports of one brand give the same result as one after the other', async () => {
  const brand = await useImportingBrand();
  const results = await Promise.all(Array.from({ length: 6 }, () => brand.upload(FILE)));
  expect(results.map(({ imported }) => imported)).toEqual(Array(6).fill(2));
  expect(await storedVariants(brand)).toHaveLength(2);
  const { results: listed } = (await brand.get('imports/')).json();
  const created = listed.map(({ variants_created }: { variants_created: number }) => variants_created);
  expect(created.sort()).toEqual([0, 0, 0, 0, 0, 2]);
  await expectDerivedData(brand.pool);
});

test('an import that waits for the lock of its brand blocks no other brand and no reads', async () => {
  const brand = await useImportingBrand();
  const other = await addImportingBrand(brand);
  const release = await lockBrandRow(brand);
  const waiting = brand.upload(FILE);
  await waitsForLock(brand);
  expect(await other.upload(FILE)).toMatchObject({ imported: 2 });
  expect((await brand.get('variants/')).json()).toMatchObject({ count: 0 });
  await release();
  expect(await waiting).toMatchObject({ imported: 2 });
});

test('an aborted upload stores nothing', async () => {
  const brand = await useImportingBrand();
  const { headers, payload } = toForm(FILE);
  const { request } = await openUpload(brand, { ...headers, 'content-length': payload.length });
  request.write(payload.subarray(0, payload.length - 20));
  await sleep(200);
  request.destroy();
  await sleep(300);
  expect([await storedVariants(brand), await states(brand)]).toEqual([[], []]);
  expect(await brand.upload(FILE)).toMatchObject({ imported: 2 });
});

test('a file that turns out to be invalid while it is staged stores nothing, and the database connection still works', async () => {
  const brand = await useImportingBrand();
  const rows = Array.from({ length: 20_000 }, () => 'Salt,96385074,A,FSC').join('\n');
  const refused = await brand.send(`variant_name,gtin,certificate_id,certification_name\n${rows}\n"Tea,73513537,,`);
  expect(refused.json()).toMatchObject({ code: 'csv_rejected', detail: expect.stringContaining('row 20002') });
  expect([await storedVariants(brand), await states(brand)]).toEqual([[], ['failed']]);
  for (let again = 0; again < 3; again++) expect(await brand.upload(FILE)).toMatchObject({ imported: 2 });
});

test('an import that waits while its brand is deleted gets brand_not_found', {
  tags: 'empty-installation',
}, async () => {
  const brand = await useImportingBrand();
  const [deleted, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const deleting = inTransaction(brand.database.db, async (db) => {
    await deleteBrand(db, null, brand.brandId);
    deleted.resolve();
    await gate.promise;
  });
  await deleted.promise;
  const waiting = brand.send('variant_name,gtin\nSalt,1\nTea,73513537\n');
  await waitsForLock(brand);
  gate.resolve();
  await deleting;
  expect((await waiting).json()).toMatchObject({ code: 'brand_not_found' });
  for (const table of ['variants', 'imports', 'import_rejected_rows', 'import_files', 'import_rows'])
    expect((await brand.pool.query(`select from ${table}`)).rowCount).toBe(0);
});

test('a lost database connection leaves the brand as it was, and the import is tried again', async () => {
  const brand = await useImportingBrand();
  const client = await brand.pool.connect();
  await client.query('begin; lock table variants in exclusive mode');
  const importing = brand.send(FILE);
  await vi.waitFor(async () => expect(await countBlocked(brand.pool)).toBe(1), 10_000);
  await brand.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  // The job tries it again.
  await vi.waitFor(async () => expect(await countBlocked(brand.pool)).toBe(1), 10_000);
  expect([await storedVariants(brand), await states(brand)]).toEqual([[], ['running']]);
  await client.query('commit');
  client.release();
  expect((await importing).json()).toMatchObject({ imported: 2 });
  expect(await states(brand)).toEqual(['done']);
});
