import { expect, test } from 'vitest';
import { createTestMember } from '../../test/people.ts';
import { useTestApp } from '../../test/test-app.ts';
import { addImportingBrand, type ImportingBrand, sendCheck, useImportingBrand } from './test-support/uploads.ts';

const FILE = 'variant_name,gtin,certification_name,certificate_id\nTea,96385074,,\nSalt,036000291452,Nothing,N-1\n';
const HEADER_ONLY = 'variant_name,gtin\n';

const noticed = async (brand: ImportingBrand) => (await brand.get('attention/')).json().imports;
const listed = async (brand: ImportingBrand, query: string): Promise<number[]> =>
  (await brand.get(`imports/?${query}`)).json().results.map(({ id }: { id: number }) => id);
const onDashboard = async ({ app, editor }: ImportingBrand) =>
  (await app.inject({ url: '/api/v1/users/me/attention/', headers: editor.headers })).json().results;

const send = ({ app, brandId, editor }: ImportingBrand, path: string, payload: object, headers = editor.headers) =>
  app.inject({ method: 'POST', url: `/api/v1/brands/${brandId}/imports/${path}`, headers, payload });
const dismiss = async (brand: ImportingBrand, notice: string, ids: number[]) => (await send(brand, 'dismiss/', { notice, ids })).json();

async function failImport(brand: ImportingBrand, fileName = 'empty.csv'): Promise<void> {
  expect((await brand.send(HEADER_ONLY, { fileName })).statusCode).toBe(422);
}

test('a failed check is no failed import', async () => {
  const brand = await useImportingBrand();
  expect((await sendCheck(brand, HEADER_ONLY)).statusCode).toBe(422);
  expect(await noticed(brand)).toEqual({ failed: 0, rejected_rows: 0, ids: { failed: [], rejected_rows: [] } });
  expect(await onDashboard(brand)).toEqual([]);
  await failImport(brand);
  expect(await noticed(brand)).toMatchObject({ failed: 1, rejected_rows: 0 });
  expect(await onDashboard(brand)).toMatchObject([{ imports: 1 }]);
});

test('the list has exactly the imports that are counted, also with a search', async () => {
  const brand = await useImportingBrand();
  await brand.upload('variant_name,gtin\nTea,96385074\n', { fileName: 'fine.csv' });
  const { import_id } = await brand.upload(FILE, { fileName: 'rejected.csv' });
  await failImport(brand);
  await sendCheck(brand, HEADER_ONLY);
  const [failed = 0] = await listed(brand, 'notice=failed');
  expect(await listed(brand, 'notice=failed')).toEqual([failed]);
  expect(await listed(brand, 'notice=rejected_rows')).toEqual([import_id]);
  expect(await listed(brand, 'notice=rejected_rows&search=rejected')).toEqual([import_id]);
  expect(await listed(brand, 'notice=rejected_rows&search=empty')).toEqual([]);
  expect(await listed(brand, '')).toHaveLength(4);
  const ids = { failed: [failed], rejected_rows: [import_id] };
  expect(await noticed(brand)).toEqual({ failed: 1, rejected_rows: 1, ids });
  expect((await brand.get('imports/?notice=other')).statusCode).toBe(400);
});

test('rejected rows need no attention once all of them are corrected and imported, until that is undone', async () => {
  const brand = await useImportingBrand();
  const file = `${FILE}Oil,4006381333931,Nothing,N-2\n`;
  const { import_id } = await brand.upload(file);
  const correct = (row: number) =>
    brand.app.inject({
      method: 'PATCH',
      url: `/api/v1/brands/${brand.brandId}/imports/${import_id}/corrections/${row}/`,
      headers: brand.editor.headers,
      payload: { place: 2, to: 'FSC' },
    });
  expect((await correct(3)).json().row).toMatchObject({ state: 'ready' });
  expect((await send(brand, `${import_id}/corrections/import/`, {})).statusCode).toBe(200);
  // One row is left.
  expect(await noticed(brand)).toMatchObject({ rejected_rows: 1 });
  await correct(4);
  const last = (await send(brand, `${import_id}/corrections/import/`, {})).json();
  expect(await noticed(brand)).toMatchObject({ rejected_rows: 0 });
  expect((await send(brand, `${last.import_id}/undo/`, {})).statusCode).toBe(200);
  expect(await noticed(brand)).toMatchObject({ rejected_rows: 1 });
});

test('what is dismissed is no longer counted, but stays in the list of imports, and later ones are counted', async () => {
  const brand = await useImportingBrand();
  const other = await addImportingBrand({ ...brand });
  await failImport(other);
  await brand.upload(FILE);
  await failImport(brand);
  const { ids } = await noticed(brand);
  await failImport(brand, 'later.csv');
  expect(await dismiss(brand, 'failed', ids.failed)).toEqual({ dismissed: 1 });
  expect(await noticed(brand)).toMatchObject({ failed: 1, rejected_rows: 1 });
  expect(await listed(brand, 'notice=failed')).toHaveLength(1);
  expect(await listed(brand, '')).toHaveLength(3);
  expect(await dismiss(brand, 'rejected_rows', ids.rejected_rows)).toEqual({ dismissed: 1 });
  expect(await dismiss(brand, 'rejected_rows', ids.rejected_rows)).toEqual({ dismissed: 0 });
  expect(await noticed(brand)).toMatchObject({ failed: 1, rejected_rows: 0 });
  expect(await noticed(other)).toMatchObject({ failed: 1 });
  const history = (await brand.get('history/')).json().results;
  expect(history.map(({ text }: { text: string }) => text)).toEqual(expect.arrayContaining(['Notices of imports dismissed: 1']));
});

test('an older import that fails, or needs attention again, after the count is not dismissed with those that were counted', async () => {
  const brand = await useImportingBrand();
  const { import_id: running } = await brand.upload('variant_name,gtin\nTea,96385074\n', { fileName: 'slow.csv' });
  await failImport(brand);
  const { ids } = await noticed(brand);
  await brand.pool.query(`update imports set state = 'failed' where brand_id = $1 and id = $2`, [brand.brandId, running]);
  expect(await dismiss(brand, 'failed', ids.failed)).toEqual({ dismissed: 1 });
  expect(await noticed(brand)).toMatchObject({ failed: 1, ids: { failed: [running] } });
});

test('imports of more than 30 days ago need no attention', async () => {
  const brand = await useImportingBrand();
  await failImport(brand);
  await brand.pool.query(`update imports set created_at = now() - interval '31 days' where brand_id = $1`, [brand.brandId]);
  expect(await noticed(brand)).toMatchObject({ failed: 0 });
  expect(await listed(brand, 'notice=failed')).toEqual([]);
});

test('a viewer may not dismiss', async () => {
  const brand = await addImportingBrand(await useTestApp());
  await failImport(brand);
  const viewer = await createTestMember(brand.database.db, brand.brandId, 'viewer');
  const { statusCode } = await send(brand, 'dismiss/', { notice: 'failed', ids: [1] }, viewer.headers);
  expect(statusCode).toBe(403);
  expect(await noticed(brand)).toMatchObject({ failed: 1 });
});
