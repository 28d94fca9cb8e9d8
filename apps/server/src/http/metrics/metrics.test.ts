// @module-tag empty-installation
import type { Pool } from 'pg';
import { expect, test } from 'vitest';
import { addVariants } from '../../../test/catalogue.ts';
import { createTestBrand, createTestMember } from '../../../test/people.ts';
import { useOwnApp, useTestApp } from '../../../test/test-app.ts';
import type { ConnectionSettings } from '../../channel/connections.queries.ts';
import { connectBrand, disconnectBrand } from '../../channel/connections.ts';
import { inviteMember } from '../../people/members/invitations.ts';

const metricsToken = 'metrics-token-of-the-test';
const headers = { authorization: `Bearer ${metricsToken}` };

const PARTNER: ConnectionSettings = {
  kind: 'partner' as const,
  account: null,
  client_id: '4711',
  countries: ['DE'],
  language: 'de',
  registered_name: 'Acme',
  credentials: null,
};

const makeOverdue = (pool: Pool, seconds: number) =>
  pool.query(`
    update deliveries set next_attempt_at = now() - interval '${seconds} seconds';
    update due_work set due_at = now() - interval '${seconds} seconds' where kind = 'deliver'`);

async function useMeasuredApp() {
  const testApp = await useOwnApp({ config: { metricsToken } });
  const scrape = async () => (await testApp.app.inject({ url: '/metrics', headers })).body;
  return { ...testApp, scrape };
}

test('without a token in the configuration there are no metrics', async () => {
  const { app } = await useTestApp();
  const answer = await app.inject({ url: '/metrics', headers });
  expect(answer.statusCode).toBe(404);
});

test.each([{}, { authorization: 'Bearer wrong' }, { authorization: metricsToken }, { authorization: 'Bearer ' }])(
  'a request with the headers %j gets no metrics',
  async (wrong) => {
    const { app } = await useMeasuredApp();
    const answer = await app.inject({ url: '/metrics', headers: wrong });
    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toMatchObject({ code: 'unauthenticated' });
  },
);

test('frequent scrapes are not rate limited', async () => {
  const { app } = await useOwnApp({ config: { metricsToken, requestsPerMinute: 1 } });
  for (let scrape = 1; scrape <= 3; scrape++) {
    expect((await app.inject({ url: '/metrics', headers })).statusCode).toBe(200);
  }
});

test('requests are counted and timed by route and status, never by the ids in their addresses', async () => {
  const { app, database, scrape } = await useMeasuredApp();
  const brandId = await createTestBrand(database.db);
  const viewer = await createTestMember(database.db, brandId, 'viewer');
  for (let request = 1; request <= 3; request++) {
    await app.inject({ url: `/api/v1/brands/${brandId}/`, headers: viewer.headers });
  }
  await app.inject(`/api/v1/brands/${brandId}/`);
  await app.inject('/no/such/987654');
  const text = await scrape();
  const count = 'http_request_duration_seconds_count';
  expect(text).toContain(`${count}{method="GET",route="/api/v1/brands/:brandId/",status="200"} 3`);
  expect(text).toContain(`${count}{method="GET",route="/api/v1/brands/:brandId/",status="401"} 1`);
  expect(text).toContain(`${count}{method="GET",route="unknown",status="404"} 1`);
  expect(text).not.toContain('987654');
});

test('there are metrics of the process, its event loop, the pool, jobs, deliveries and imports', async () => {
  const { database, scrape } = await useMeasuredApp();
  const { db, pool } = database;
  const brandId = await createTestBrand(db);
  await inviteMember(db, null, brandId, { email: 'new@example.com', role: 'viewer' });
  await connectBrand(db, brandId, PARTNER);
  await addVariants(db, brandId, [{ gtin: '96385074', name: 'Tea', published: true }]);
  await makeOverdue(pool, 90);
  const text = await scrape();
  expect(text).toMatch(/^process_resident_memory_bytes \d/m);
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m);
  expect(text).toMatch(/^database_pool_connections\{state="total"\} [1-9]/m);
  expect(text).toContain('brand_lock_waiting 0');
  expect(text).toContain('database_up 1');
  expect(text).toContain('jobs{task="send_invitation",state="waiting"} 1');
  expect(text).toContain('channel_deliveries{state="queued"} 1');
  expect(Number(/^channel_delivery_delay_seconds (.+)$/m.exec(text)?.[1])).toBeGreaterThanOrEqual(90);
  expect(text).toContain('quota_used_ratio{quota="variants"} 5e-7');
  expect(text).toContain('imports 0');
  expect(text).toContain('import_rows{result="rejected"} 0');
});

test.each([
  ['has no connection', undefined],
  ['waits for its link at Google', { ...PARTNER, client_id: null }],
])('what a brand has published that %s waits for the connection, and is not late', async (_, connection) => {
  const { database, scrape } = await useMeasuredApp();
  const { db, pool } = database;
  const [waiting, connected] = [await createTestBrand(db), await createTestBrand(db)];
  if (connection) await connectBrand(db, waiting, connection);
  await addVariants(db, waiting, [{ gtin: '96385074', name: 'Tea', published: true }]);
  await makeOverdue(pool, 90_000);
  await connectBrand(db, connected, PARTNER);
  await addVariants(db, connected, [{ gtin: '96385074', name: 'Tea', published: true }]);
  const text = await scrape();
  expect(text).toContain('channel_deliveries{state="waiting_for_connection"} 1');
  expect(text).toContain('channel_deliveries{state="queued"} 1');
  expect(Number(/^channel_delivery_delay_seconds (.+)$/m.exec(text)?.[1])).toBeLessThan(90);
});

test('what a brand that is inactive has published is not counted, and is not late; of a brand that is pending it is', async () => {
  const { database, scrape } = await useMeasuredApp();
  const { db, pool } = database;
  for (const status of ['inactive', 'pending']) {
    const brandId = await createTestBrand(db);
    await connectBrand(db, brandId, PARTNER);
    await addVariants(db, brandId, [{ gtin: '96385074', name: 'Tea', published: true }]);
    if (status === 'inactive') await makeOverdue(pool, 90_000);
    await pool.query('update brands set status = $2 where id = $1', [brandId, status]);
  }
  const text = await scrape();
  expect(text).toContain('channel_deliveries{state="queued"} 1');
  expect(Number(/^channel_delivery_delay_seconds (.+)$/m.exec(text)?.[1])).toBeLessThan(90);
});

test('what is still to be withdrawn from the channel is late without a connection too', async () => {
  const { database, scrape } = await useMeasuredApp();
  const { db, pool } = database;
  const brandId = await createTestBrand(db);
  await connectBrand(db, brandId, PARTNER);
  await addVariants(db, brandId, [{ gtin: '96385074', name: 'Tea', published: true }]);
  await pool.query(
    `update deliveries set resource = 'a', connection_id = (select id from channel_connections where brand_id = $1) where brand_id = $1`,
    [brandId],
  );
  await disconnectBrand(db, brandId);
  await makeOverdue(pool, 90);
  const text = await scrape();
  expect(text).toContain('channel_deliveries{state="queued"} 1');
  expect(Number(/^channel_delivery_delay_seconds (.+)$/m.exec(text)?.[1])).toBeGreaterThanOrEqual(90);
});

test('if a database query fails, the other metrics are still served, with database_up 0', async () => {
  const { database, scrape } = await useMeasuredApp();
  await database.pool.query('alter table due_work rename to away');
  const text = await scrape();
  expect(text).toContain('database_up 0');
  expect(text).not.toMatch(/^jobs\{/m);
  expect(text).toMatch(/^process_resident_memory_bytes \d/m);
});
