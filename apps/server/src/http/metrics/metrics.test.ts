import { expect, test } from 'vitest';
import { addVariants } from '../../../test/catalogue.ts';
import { createTestBrand, createTestMember } from '../../../test/people.ts';
import { useTestApp } from '../../../test/test-app.ts';
import { inviteMember } from '../../modules/members/invitations.ts';

const metricsToken = 'metrics-token-of-the-test';
const headers = { authorization: `Bearer ${metricsToken}` };

async function useMeasuredApp() {
  const testApp = await useTestApp({ config: { metricsToken } });
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
  const { app } = await useTestApp({ config: { metricsToken, requestsPerMinute: 1 } });
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
  await addVariants(db, brandId, [{ gtin: '96385074', name: 'Tea', published: true }]);
  await pool.query(`
    update deliveries set next_attempt_at = now() - interval '90 seconds';
    update due_work set due_at = now() - interval '90 seconds' where kind = 'deliver'`);
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

test('if a database query fails, the other metrics are still served, with database_up 0', async () => {
  const { database, scrape } = await useMeasuredApp();
  await database.pool.query('alter table due_work rename to away');
  const text = await scrape();
  expect(text).toContain('database_up 0');
  expect(text).not.toMatch(/^jobs\{/m);
  expect(text).toMatch(/^process_resident_memory_bytes \d/m);
});
