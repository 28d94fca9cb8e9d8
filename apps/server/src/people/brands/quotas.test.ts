import type { Quota, Quotas } from '@brand-portal/contract/quotas';
import { expect, test } from 'vitest';
import { addVariants } from '../../../test/catalogue.ts';
import { useOwnApp } from '../../../test/test-app.ts';
import { toGtin } from '../../channel/test-support/delivery.ts';
import { addImportingBrand, type ImportingBrand, sendCheck } from '../../imports/test-support/uploads.ts';
import { readConfig } from '../../lib/config.ts';

const HEADER = 'variant_name,gtin\n';
const rows = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `Oil ${from + index},${toGtin(from + index)}\n`).join('');

async function useBrandWith(quotas: Partial<Quotas>): Promise<ImportingBrand> {
  return addImportingBrand(await useOwnApp({ config: { quotas: { ...readConfig({}).quotas, ...quotas } } }));
}

function post({ app, brandId, editor }: ImportingBrand, path: string, payload: object = {}) {
  return app.inject({ method: 'POST', url: `/api/v1/brands/${brandId}/${path}`, headers: editor.headers, payload });
}

async function used(brand: ImportingBrand, name: Quota['name']): Promise<number | undefined> {
  const { results } = (await brand.get('quotas/')).json<{ results: Quota[] }>();
  return results.find((quota) => quota.name === name)?.used;
}

test('a file with more new variants than the brand has room for is refused with the numbers, and nothing is imported', async () => {
  const brand = await useBrandWith({ variants: 5 });
  await brand.upload(HEADER + rows(1, 3));
  const refused = await brand.send(HEADER + rows(2, 6));
  expect(refused.statusCode).toBe(422);
  expect(refused.json()).toMatchObject({
    code: 'csv_rejected',
    detail:
      'The file has 3 new variants. The brand has 3, including deleted ones that can still be restored, and can have 5. Nothing was imported.',
  });
  const spanish = await brand.send(HEADER + rows(2, 6), { language: 'es' });
  expect(spanish.json().detail).toMatch(/^El archivo tiene 3 variantes nuevas\. La marca tiene 3/);
  expect(await used(brand, 'variants')).toBe(3);
  await brand.upload(HEADER + rows(2, 5));
  expect(await used(brand, 'variants')).toBe(5);
});

test('a check refuses such a file too, and accepts one that only changes what is there', async () => {
  const brand = await useBrandWith({ variants: 3 });
  await brand.upload(HEADER + rows(1, 3));
  expect((await sendCheck(brand, HEADER + rows(3, 4))).json()).toMatchObject({ code: 'csv_rejected' });
  expect((await sendCheck(brand, HEADER + rows(1, 3))).statusCode).toBe(200);
});

test('the receipt of an import that was followed gives the numbers as well', async () => {
  const brand = await useBrandWith({ variants: 1 });
  await brand.send(HEADER + rows(1, 2));
  const [latest] = (await brand.get('imports/')).json().results;
  expect(latest).toMatchObject({ state: 'failed', failure: { code: 'too_many_variants' } });
  expect(latest.failure.message).toContain('and can have 1.');
});

test('deleted variants count until they can no longer be restored, and a restored one once', {
  tags: 'empty-installation',
}, async () => {
  const brand = await useBrandWith({ variants: 2 });
  await addVariants(brand.database.db, brand.brandId, [{ gtin: toGtin(1), name: 'Tea' }]);
  const { rows: stored } = await brand.pool.query('select id from variants');
  const deletion = await post(brand, 'variants/actions/', { action: 'delete', ids: [Number(stored[0].id)] });
  expect(deletion.statusCode).toBe(200);
  expect(await used(brand, 'variants')).toBe(1);
  expect((await post(brand, 'variants/', { gtin: toGtin(2), name: 'Oil' })).statusCode).toBe(201);
  const full = await post(brand, 'variants/', { gtin: toGtin(3), name: 'Rice' });
  expect(full.statusCode).toBe(409);
  expect(full.json()).toMatchObject({
    code: 'quota_exceeded',
    context: { quota: 'variants', used: '2', limit: '2' },
    detail: 'This brand has 2 of at most 2 product variants, including deleted ones that can still be restored; 1 more do not fit.',
  });
  expect((await post(brand, `deletions/${deletion.json().deletion_id}/restore/`)).statusCode).toBe(200);
  expect(await used(brand, 'variants')).toBe(2);
});

test('an upload is refused at the door if the brand has as many imports as it can have', async () => {
  const brand = await useBrandWith({ imports: 1 });
  await brand.upload(HEADER + rows(1, 1));
  const refused = await brand.send(HEADER + rows(2, 2));
  expect(refused.json()).toMatchObject({
    code: 'quota_exceeded',
    context: { quota: 'imports', used: '1', limit: '1' },
  });
  expect(await used(brand, 'imports')).toBe(1);
});

test('a file is refused if it does not fit beside the files that wait to be confirmed', async () => {
  const brand = await useBrandWith({ staged_bytes: 2_000 });
  expect((await sendCheck(brand, HEADER + rows(1, 40))).statusCode).toBe(200);
  expect(await used(brand, 'staged_bytes')).toBeGreaterThan(500);
  const refused = await brand.send(HEADER + rows(1, 70));
  expect(refused.json()).toMatchObject({ code: 'quota_exceeded', context: { quota: 'staged_bytes', limit: '2000' } });
});

test('another brand’s data do not count', async () => {
  const brand = await useBrandWith({ variants: 1, imports: 1 });
  const other = await addImportingBrand(brand);
  await brand.upload(HEADER + rows(1, 1));
  await other.upload(HEADER + rows(1, 1));
  expect(await used(other, 'variants')).toBe(1);
});
