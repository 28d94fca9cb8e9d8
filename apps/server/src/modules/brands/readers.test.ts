import { expect, test, vi } from 'vitest';
import { createTestBrand, createTestMember } from '../../../test/people.ts';
import { useTestApp } from '../../../test/test-app.ts';
import { useTestDatabase } from '../../../test/test-database.ts';
import { createReaders } from './readers.ts';

test('a member who was removed may read for two seconds at the most', async () => {
  const { db, pool } = await useTestDatabase();
  const brandId = await createTestBrand(db);
  const { id } = await createTestMember(db, brandId, 'viewer');
  const clock = vi.spyOn(performance, 'now').mockReturnValue(1_000);
  const readers = createReaders(db);
  await readers.require(brandId, id);
  await pool.query('delete from brand_members');
  clock.mockReturnValue(2_999);
  await readers.require(brandId, id);
  clock.mockReturnValue(3_000);
  await expect(readers.require(brandId, id)).rejects.toMatchObject({ code: 'brand_not_found' });
  clock.mockRestore();
});

test('someone who becomes a member reads at once, and others’ brands are nobody’s', async () => {
  const { db, pool } = await useTestDatabase();
  const [brandId, otherId] = [await createTestBrand(db), await createTestBrand(db)];
  const { id } = await createTestMember(db, otherId, 'owner');
  const readers = createReaders(db);
  await readers.require(otherId, id);
  await expect(readers.require(brandId, id)).rejects.toMatchObject({ code: 'brand_not_found' });
  await pool.query(`insert into brand_members (brand_id, user_id, role, status) values ($1, $2, 'viewer', 'active')`, [
    brandId,
    id,
  ]);
  await readers.require(brandId, id);
});

test('who was removed cannot write any more, also right after reading', async () => {
  const { app, database } = await useTestApp();
  const brandId = await createTestBrand(database.db);
  const editor = await createTestMember(database.db, brandId, 'editor');
  const { headers } = editor;
  const url = `/api/v1/brands/${brandId}/variants/`;
  expect((await app.inject({ url, headers })).statusCode).toBe(200);
  await database.pool.query('delete from brand_members where user_id = $1', [editor.id]);
  expect((await app.inject({ method: 'POST', url: `${url}publish-all/`, headers })).statusCode).toBe(404);
});
