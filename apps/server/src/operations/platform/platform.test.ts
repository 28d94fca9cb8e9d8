import type { JobList, PlatformBrand } from '@brand-portal/contract/platform';
import { expect, onTestFinished, test } from 'vitest';
import { addVariants } from '../../../test/catalogue.ts';
import { createTestBrand, createTestMember, createTestUser } from '../../../test/people.ts';
import { useTestApp } from '../../../test/test-app.ts';
import { addMember } from '../../people/members/memberships.ts';
import { queueJob } from '../../queue/queue.ts';

async function usePlatform() {
  const { app, database } = await useTestApp();
  const { db, pool } = database;
  const staff = await createTestUser(db, 'Stella Staff');
  await db.updateTable('users').set({ is_staff: true }).where('id', '=', staff.id).execute();
  const call = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) => {
    const url = `/api/v1/platform/${path}`;
    const answer = await app.inject({ method, url, headers: staff.headers, ...(body && { payload: body }) });
    return { status: answer.statusCode, body: answer.body === '' ? undefined : answer.json() };
  };
  const audited = async (action: string) =>
    (await pool.query('select brand_id::int, user_id::int, details from audit_log where action = $1', [action])).rows;
  return { app, db, pool, staff, call, audited };
}

test('brands are found by name, number, owner and status, and paged', async () => {
  const { db, pool, call } = await usePlatform();
  const acme = await createTestBrand(db, 'Acme Ñandú');
  const owner = await createTestMember(db, acme, 'owner', 'Olivia Lindqvist');
  const invitedTo = await createTestBrand(db, 'bakery');
  const invited = await createTestUser(db, 'Ines Invited');
  await addMember(db, { brandId: invitedTo, userId: invited.id, role: 'owner', status: 'invited' });
  await pool.query(`insert into brands (name, status) select 'Zoo ' || lpad(n::text, 3, '0'), 'active' from generate_series(1, 300) n`);
  await pool.query(`update brands set status = 'pending' where id = $1`, [acme]);
  const list = async (query: string): Promise<{ results: PlatformBrand[]; count: number }> => (await call('GET', `brands/?${query}`)).body;
  const ids = async (query: string) => (await list(query)).results.map(({ id }) => id);

  const first = await list('page_size=2');
  expect(first.count).toBe(302);
  expect(first.results).toMatchObject([
    {
      id: acme,
      status: 'pending',
      member_count: 1,
      owner: { email: owner.email, name: 'Olivia Lindqvist', is_invited: false },
    },
    { id: invitedTo, member_count: 0, owner: { email: invited.email, is_invited: true } },
  ]);
  expect(await ids('search=nandu')).toEqual([acme]);
  expect(await ids(`search=${encodeURIComponent(invited.email.toUpperCase())}`)).toEqual([invitedTo]);
  expect(await ids(`search=${acme}&status=pending`)).toContain(acme);
  expect(await ids('search=100%25_')).toEqual([]);
  expect((await list('status=active')).count).toBe(301);
  expect((await list('search=zoo&page=30&page_size=10')).results.map(({ name }) => name).at(-1)).toBe('Zoo 300');
});

test('brands that share a name, apart from case and accents, are marked and counted, and can be listed alone', {
  tags: 'empty-installation',
}, async () => {
  const { app, db, pool, call } = await usePlatform();
  const acme = await createTestBrand(db, 'Acme');
  const deleted = await createTestBrand(db, 'Bakery');
  await pool.query('update brands set deleted_at = now() where id = $1', [deleted]);
  await createTestBrand(db, 'Bakery');
  const renamed = await createTestBrand(db, 'Other');
  const list = async (query = '') => (await call('GET', `brands/?${query}`)).body;
  expect(await list()).toMatchObject({ count: 3, sharing_names: 0 });
  const owner = await createTestMember(db, renamed, 'owner');
  const url = `/api/v1/brands/${renamed}/`;
  await app.inject({ method: 'PATCH', url, headers: owner.headers, body: { name: 'ÁC\u200bME' } });
  const found = await list('shares_name=true');
  expect(found).toMatchObject({ count: 2, sharing_names: 2 });
  expect(found.results.map(({ id }: PlatformBrand) => id)).toEqual([acme, renamed]);
  expect(await list('shares_name=false')).toMatchObject({
    count: 1,
    results: [{ name: 'Bakery', shares_name: false }],
  });
});

test('a brand’s status and owners are changed by staff, and that is in its history', async () => {
  const { db, call, staff, audited } = await usePlatform();
  const brandId = await createTestBrand(db, 'Acme');
  const owner = await createTestMember(db, brandId, 'owner');
  const change = () => call('PATCH', `brands/${brandId}/`, { status: 'inactive' });
  expect(await change()).toMatchObject({ status: 200, body: { id: brandId, status: 'inactive' } });
  expect(await change()).toMatchObject({ status: 200 });
  expect(await audited('brand.updated')).toEqual([{ brand_id: brandId, user_id: staff.id, details: { status: 'inactive' } }]);
  expect(await call('POST', `brands/${brandId}/owners/`, { email: 'new@example.com' })).toMatchObject({
    status: 201,
    body: { owner: { email: owner.email } },
  });
  expect(await audited('member.invited')).toMatchObject([{ user_id: staff.id, details: { role: 'owner' } }]);
  expect(await call('POST', `brands/${brandId}/owners/`, { email: owner.email })).toMatchObject({ status: 409 });
  expect(await call('PATCH', 'brands/999999/', { status: 'active' })).toMatchObject({ status: 404 });
  expect(await call('POST', 'brands/999999/owners/', { email: 'a@example.com' })).toMatchObject({ status: 404 });
});

test('failed deliveries of all brands are listed, oldest first, and failed imports, newest first; a delivery is retried', async () => {
  const { db, pool, call, staff, audited } = await usePlatform();
  const [acme, bakery] = [await createTestBrand(db, 'Acme'), await createTestBrand(db, 'bakery')];
  const [first = 0, second = 0] = await addVariants(db, acme, [
    { gtin: '61414100', name: 'Oil' },
    { gtin: '61414101', name: 'Vinegar' },
  ]);
  const deliver = (brandId: number, variantId: number, state: string, attempts: number, days: number, reason = 'Too small') =>
    pool.query(
      `insert into deliveries (brand_id, variant_id, state, attempts, reason, updated_at, next_attempt_at)
       values ($1, $2, $3, $4::int, $6, now() - $5 * interval '1 day', case when $4::int > 0 then now() end)`,
      [brandId, variantId, state, attempts, days, reason],
    );
  await deliver(acme, first, 'refused', 0, 1);
  await deliver(acme, second, 'live', 0, 9);
  await deliver(bakery, 77, 'queued', 3, 5);
  // Google has not decided yet. Status checks do not count as failed deliveries.
  await deliver(bakery, 78, 'sent', 2, 3, '');
  await deliver(bakery, 79, 'sent', 0, 3, '');
  const { body } = await call('GET', 'deliveries/');
  expect(body.count).toBe(2);
  expect(body.results).toMatchObject([
    { brand_id: bakery, brand_name: 'bakery', variant_id: 77, gtin: null, state: 'queued', attempts: 3 },
    { brand_id: acme, brand_name: 'Acme', variant_id: first, gtin: '61414100', state: 'refused', reason: 'Too small' },
  ]);
  const retry = { brand_id: acme, variant_id: first };
  expect(await call('POST', 'deliveries/retry/', retry)).toEqual({ status: 200, body: { deliveries: 1 } });
  expect((await call('GET', 'deliveries/')).body.count).toBe(1);
  expect(await audited('delivery.retried')).toMatchObject([{ brand_id: acme, user_id: staff.id }]);

  const fail = (brandId: number, name: string, days: number, state = 'failed') =>
    pool.query(
      `insert into imports (brand_id, file_name, file_bytes, file_sha256, rows_total, state, failure, created_at)
       values ($1, $2, 1, 'x', 1, $3, '{"code":"interrupted"}', now() - $4 * interval '1 day')`,
      [brandId, name, state, days],
    );
  await fail(acme, 'new.csv', 1);
  await fail(bakery, 'old.csv', 3);
  await fail(bakery, 'older.csv', 40);
  await fail(bakery, 'good.csv', 2, 'done');
  // A check imports nothing, so a failed one is no failed import.
  await fail(acme, 'check.csv', 1);
  await pool.query(`update imports set is_check = true where file_name = 'check.csv'`);
  const imports = (await call('GET', 'imports/')).body;
  expect(imports.count).toBe(2);
  expect(imports.results).toMatchObject([
    { brand_name: 'Acme', file_name: 'new.csv' },
    { brand_name: 'bakery', file_name: 'old.csv', reason: expect.stringMatching(/\w/) },
  ]);
  await pool.query(
    `insert into imports (brand_id, file_name, file_bytes, file_sha256, rows_total, state, created_at)
     select $1, 'old', 1, 'x', 1, 'failed', now() - interval '10 days' from generate_series(1, 120)`,
    [acme],
  );
  const many = (await call('GET', 'imports/')).body;
  expect([many.count, many.results.length, many.results[0].file_name]).toEqual([122, 100, 'new.csv']);
});

test('retrying a delivery while a long import holds the lock of the brand times out with a 503', async () => {
  const { db, pool, call } = await usePlatform();
  const brandId = await createTestBrand(db);
  const client = await pool.connect();
  onTestFinished(() => client.release(true));
  await client.query('begin');
  await client.query('select from brands for no key update');
  const began = performance.now();
  const answer = await call('POST', 'deliveries/retry/', { brand_id: brandId, variant_id: 1 });
  expect(answer).toMatchObject({ status: 503, body: { code: 'brand_busy' } });
  expect(performance.now() - began).toBeLessThan(8_000);
});

test('registries are listed with their date, and the last load is rolled back after a preview', async () => {
  const { db, pool, call, staff, audited } = await usePlatform();
  await createTestBrand(db, 'Acme');
  await pool.query(`insert into registries (certification_id, previous_loaded_at) select id, null from certifications where name = 'FSC'`);
  await pool.query(`insert into registry_certificates select id, 'FSCC000001', true, null from certifications where name = 'FSC'`);
  const list = async () => (await call('GET', 'registries/')).body.results;
  expect(await list()).toMatchObject([{ certification_name: 'FSC', entries: 1, can_roll_back: true }]);
  const rollBack = (preview: boolean) => call('POST', 'registries/rollback/', { certification: 'FSC', preview });
  expect(await rollBack(true)).toMatchObject({ status: 200, body: { loaded_at: null, effects: [] } });
  expect(await list()).toHaveLength(1);
  expect(await audited('registry.rolled_back')).toEqual([]);
  expect(await rollBack(false)).toMatchObject({ status: 200 });
  expect(await list()).toEqual([]);
  expect(await audited('registry.rolled_back')).toMatchObject([{ user_id: staff.id, details: { certification: 'FSC' } }]);
  expect(await rollBack(false)).toMatchObject({ status: 404 });
});

test('jobs are counted by kind; failing jobs can be retried or deleted, others cannot', {
  tags: 'empty-installation',
}, async () => {
  const { db, pool, call, staff, audited } = await usePlatform();
  for (const brand_id of [1, 2, 3]) await queueJob(db, 'validate_certificates', { brand_id });
  const { rows } = await pool.query('select id::int from graphile_worker._private_jobs order by id');
  const [failing, lost, healthy] = rows.map(({ id }) => id);
  await pool.query(`update graphile_worker._private_jobs set attempts = 3, last_error = 'Boom' where id = $1`, [failing]);
  await pool.query(
    `update graphile_worker._private_jobs set attempts = max_attempts, last_error = 'Gone', created_at = now() - interval '1 day' where id = $1`,
    [lost],
  );
  const list = async (): Promise<JobList> => (await call('GET', 'jobs/')).body;
  expect(await list()).toMatchObject({
    kinds: [{ task: 'validate_certificates', waiting: 1, retrying: 1, failed: 1, running: 0, scheduled: 0 }],
    failing: [
      { id: String(lost), last_error: 'Gone', run_at: null },
      { id: String(failing), task: 'validate_certificates', attempts: 3, last_error: 'Boom' },
    ],
  });
  expect(await call('POST', `jobs/${failing}/retry/`)).toMatchObject({ status: 204 });
  expect(await call('DELETE', `jobs/${lost}/`)).toMatchObject({ status: 204 });
  expect(await call('DELETE', `jobs/${lost}/`)).toMatchObject({ status: 404 });
  expect(await call('DELETE', `jobs/${healthy}/`)).toMatchObject({ status: 404 });
  expect(await list()).toMatchObject({ kinds: [{ waiting: 2, retrying: 0, failed: 0 }], failing: [] });
  expect(await audited('job.retried')).toMatchObject([{ brand_id: 0, user_id: staff.id }]);
  expect(await audited('job.deleted')).toMatchObject([{ details: { task: 'validate_certificates', job_id: lost } }]);
});
