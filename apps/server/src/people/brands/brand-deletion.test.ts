import { expect, test } from 'vitest';
import { addVariants } from '../../../test/catalogue.ts';
import { createTestBrand, createTestMember, createTestUser } from '../../../test/people.ts';
import { useTestApp } from '../../../test/test-app.ts';
import { useDelivery } from '../../channel/test-support/delivery.ts';
import { inTransaction } from '../../db/database.ts';
import { countWaiting } from '../../db/turns.ts';
import { useImportingBrand, waitsForLock } from '../../imports/test-support/uploads.ts';
import { inBrand, JOB_WAIT } from '../../writes/brand-lock.ts';
import { listMailedAdmins } from '../members/members.ts';
import { addMember } from '../members/memberships.ts';
import { markBrandDeleted, purgeBrands, restoreBrand } from './brand-deletion.ts';

async function useBrand() {
  const { app, database } = await useTestApp();
  const { db, pool } = database;
  const brandId = await createTestBrand(db, 'Acme');
  const owner = await createTestMember(db, brandId, 'owner', 'Olivia Lindqvist');
  const url = `/api/v1/brands/${brandId}/`;
  const call = async (
    user: { headers: Record<string, string> },
    method: 'GET' | 'POST' | 'DELETE' | 'PATCH',
    path: string,
    body?: object,
  ) => {
    const answer = await app.inject({ method, url: path, headers: user.headers, ...(body && { body }) });
    return { status: answer.statusCode, body: answer.body ? answer.json() : undefined };
  };
  const names = async (user: { headers: Record<string, string> }) =>
    (await call(user, 'GET', '/api/v1/brands/')).body.results.map(({ name }: { name: string }) => name);
  const restore = (user: { headers: Record<string, string> }) => call(user, 'POST', `/api/v1/users/me/deleted-brands/${brandId}/restore/`);
  return { app, db, pool, brandId, owner, url, call, names, restore };
}

// spec: §7 delete brand
test('a deleted brand is not found by any member, and its owners can restore it for seven days', async () => {
  const { db, brandId, owner, url, call, names, restore, pool } = await useBrand();
  const admin = await createTestMember(db, brandId, 'admin');
  const second = await createTestMember(db, brandId, 'owner');
  const stranger = await createTestMember(db, await createTestBrand(db, 'Other'), 'owner');
  expect((await call(admin, 'DELETE', url)).status).toBe(403);
  expect((await call(owner, 'DELETE', url)).status).toBe(204);
  expect((await call(owner, 'DELETE', url)).status).toBe(404);
  for (const user of [owner, admin]) {
    expect(await names(user)).toEqual([]);
    for (const path of ['', 'variants/', 'team/', 'contents/', 'channel/']) {
      expect(await call(user, 'GET', url + path)).toMatchObject({ status: 404, body: { code: 'brand_not_found' } });
    }
    expect((await call(user, 'PATCH', url, { name: 'Back' })).status).toBe(404);
  }
  const listed = (await call(second, 'GET', '/api/v1/users/me/deleted-brands/')).body.results;
  expect(listed).toEqual([{ id: brandId, name: 'Acme', restorable_until: expect.any(String) }]);
  const days = (Date.parse(listed[0].restorable_until) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(6.9);
  expect(days).toBeLessThan(7.1);
  for (const user of [admin, stranger, await createTestUser(db)]) {
    expect((await call(user, 'GET', '/api/v1/users/me/deleted-brands/')).body.results).toEqual([]);
    expect((await restore(user)).status).toBe(404);
  }
  expect((await restore(second)).status).toBe(204);
  expect((await restore(owner)).status).toBe(404);
  expect(await names(admin)).toEqual(['Acme']);
  const { rows } = await pool.query('select action from audit_log where brand_id = $1 order by id', [brandId]);
  expect(rows.map(({ action }) => action)).toEqual(['brand.created', 'brand.deleted', 'brand.restored']);
});

test("a refused restore neither waits for the brand's writers nor blocks them", async () => {
  const { db, brandId, restore } = await useBrand();
  const stranger = await createTestUser(db);
  await inBrand(db, brandId, async () => {
    expect((await restore(stranger)).status).toBe(404);
  });
  // A refused restore whose transaction stays open. If it had locked the brand, the writer would be refused.
  await inTransaction(db, async (open) => {
    await expect(restoreBrand(open, stranger.id, brandId)).rejects.toMatchObject({ code: 'brand_not_found' });
    await inBrand(db, brandId, async () => {}, JOB_WAIT);
  });
});

test('deleting a brand behind a long import is refused in time, and does not happen later', async () => {
  const { db, brandId, owner, url, call, names } = await useBrand();
  await inBrand(db, brandId, async () => {
    const answer = await call(owner, 'DELETE', url);
    expect(answer).toMatchObject({ status: 503, body: { code: 'brand_busy' } });
  });
  expect(countWaiting(db)).toBe(0);
  expect(await names(owner)).toEqual(['Acme']);
});

test('what would be deleted with a brand is counted, for owners', async () => {
  const { db, brandId, owner, url, call } = await useBrand();
  await addVariants(db, brandId, [{ gtin: '61414100' }, { gtin: '96385074', published: true }]);
  const invited = await createTestUser(db);
  await addMember(db, { brandId, userId: invited.id, role: 'editor', status: 'invited' });
  expect(await call(owner, 'GET', `${url}contents/`)).toEqual({
    status: 200,
    body: { variants: 2, published: 1, certificates: 0, members: 1, imports: 0 },
  });
});

test('the job deletes only brands that can no longer be restored', { tags: 'empty-installation' }, async () => {
  const { db, brandId, owner, url, call, restore, pool } = await useBrand();
  const kept = await createTestBrand(db, 'Kept');
  await addVariants(db, brandId, [{ gtin: '61414100' }]);
  await call(owner, 'DELETE', url);
  expect(await purgeBrands(db)).toBe(0);
  await restore(owner);
  await call(owner, 'DELETE', url);
  await pool.query(`update brands set deleted_at = now() - interval '8 days' where deleted_at is not null`);
  await pool.query(`update due_work set due_at = now() - interval '1 day' where kind = 'purge_brand'`);
  expect((await restore(owner)).status).toBe(404);
  expect((await call(owner, 'GET', '/api/v1/users/me/deleted-brands/')).body.results).toEqual([]);
  expect(await purgeBrands(db)).toBe(1);
  expect((await pool.query('select id from brands')).rows).toEqual([{ id: kept }]);
  expect((await pool.query('select from variants')).rowCount).toBe(0);
  expect((await pool.query('select from brand_members')).rowCount).toBe(0);
  expect((await pool.query(`select from due_work where kind = 'purge_brand'`)).rowCount).toBe(0);
});

test('a brand that was restored and deleted again just before the job runs is kept for another seven days', async () => {
  const { db, owner, url, call, pool, restore } = await useBrand();
  await call(owner, 'DELETE', url);
  await pool.query(`update due_work set due_at = now() where kind = 'purge_brand'`);
  expect(await purgeBrands(db)).toBe(0);
  const { rows } = await pool.query(`select due_at > now() + interval '6 days' as later from due_work where kind = 'purge_brand'`);
  expect(rows).toEqual([{ later: true }]);
  expect((await restore(owner)).status).toBe(204);
});

test('invitations, feeds and certificate mails stop when the brand is deleted, and work again after a restore', async () => {
  const { app, db, brandId, owner, url, call, restore } = await useBrand();
  const invited = await createTestUser(db);
  await call(owner, 'POST', `${url}members/`, { email: invited.email, role: 'editor' });
  const feed = (await call(owner, 'POST', `${url}channel/feed/`)).body;
  const path = new URL(feed.tsv_url).pathname;
  const fetched = async () => (await app.inject({ url: path })).statusCode;
  const waiting = async () => (await call(invited, 'GET', '/api/v1/users/me/invitations/')).body.results.length;
  const mailed = async () => (await listMailedAdmins(db, brandId)).length;
  expect([await fetched(), await waiting(), await mailed()]).toEqual([200, 1, 1]);
  await call(owner, 'DELETE', url);
  expect([await fetched(), await waiting(), await mailed()]).toEqual([404, 0, 0]);
  expect((await call(invited, 'POST', `/api/v1/users/me/invitations/${brandId}/accept/`)).status).toBe(404);
  await restore(owner);
  expect([await fetched(), await waiting(), await mailed()]).toEqual([200, 1, 1]);
});

test('products are withdrawn from the channel at once, and published again when the brand is restored', {
  tags: 'empty-installation',
}, async () => {
  const { add, deliverAll, products, deliveries, db, brandId } = await useDelivery();
  const owner = await createTestMember(db, brandId, 'owner');
  await add('Olive oil');
  await deliverAll();
  expect(await products()).toHaveLength(1);
  await markBrandDeleted(db, owner.id, brandId);
  expect(await deliveries()).toMatchObject([{ state: 'removing' }]);
  await deliverAll();
  expect(await products()).toEqual([]);
  await restoreBrand(db, owner.id, brandId);
  await deliverAll();
  expect(await products()).toHaveLength(1);
  expect(await deliveries()).toMatchObject([{ state: 'live' }]);
});

test('an import that is running when the brand is deleted writes nothing', { tags: 'empty-installation' }, async () => {
  const brand = await useImportingBrand();
  const client = await brand.pool.connect();
  await client.query('begin');
  await client.query('select from brands where id = $1 for update', [brand.brandId]);
  const waiting = brand.send('variant_name,gtin\nTea,73513537\n');
  await waitsForLock(brand);
  await client.query('update brands set deleted_at = now() where id = $1', [brand.brandId]);
  await client.query('commit');
  client.release();
  expect((await waiting).json()).toMatchObject({ code: 'brand_not_found' });
  expect((await brand.pool.query('select from variants')).rowCount).toBe(0);
});
