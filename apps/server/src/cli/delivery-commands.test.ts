import { expect, test } from 'vitest';
import { createTestBrand } from '../../test/people.ts';
import { runPortal } from '../../test/run-portal.ts';
import { useTestDatabase } from '../../test/test-database.ts';

/** Two brands; in the first one delivery is refused, one waits for its third try and one is of a deleted variant. */
async function useDeliveries() {
  const { db, pool, url } = await useTestDatabase();
  const [brandId, otherId] = [await createTestBrand(db), await createTestBrand(db, 'Other')];
  await pool.query(
    `insert into variants (brand_id, gtin, name, published)
     values ($1, '61414100', 'Refused', true), ($1, '61414117', 'Waiting', true), ($1, '61414124', 'Gone', true), ($2, '61414100', 'Other', true)`,
    [brandId, otherId],
  );
  await pool.query(`update channel_deliveries set resource = 'r', state = 'live', next_attempt_at = null`);
  await pool.query(`delete from variants where name = 'Gone'`);
  await pool.query(
    `update channel_deliveries d set state = case v.name when 'Refused' then 'refused' when 'Waiting' then 'queued' else 'refused' end,
       attempts = 2, reason = 'Because of ' || v.name from variants v where v.id = d.variant_id`,
  );
  const portal = (...args: string[]) => runPortal(['delivery', ...args], { DATABASE_URL: url });
  return { pool, portal, brandId: String(brandId) };
}

test('deliveries are listed by brand and state', async () => {
  const { portal, brandId } = await useDeliveries();
  const { code, stdout, stderr } = await portal('list', '--brand', brandId);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^BRAND +VARIANT +GTIN +STATE +FAILED +NEXT \(UTC\) +REASON\n/);
  expect(stdout).toMatch(/61414100 +refused +2 +Because of Refused\n/);
  expect(stdout).toMatch(/61414117 +queued +2 +Because of Waiting\n/);
  expect(stdout).toMatch(/\(deleted\) +removing +0 +\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\n/);
  const refused = JSON.parse((await portal('list', '--state', 'refused', '--json')).stdout);
  expect(refused).toMatchObject([{ reason: 'Because of Refused' }, { reason: 'Because of Other' }]);
  expect((await portal('list', '--state', 'sent')).stdout).toBe('There are no such deliveries.\n');
  expect((await portal('list', '--state', 'odd')).stderr).toContain('Allowed choices are queued, sent, live');
});

test('what was refused is retried, and nothing else unless it is asked for', async () => {
  const { portal, pool, brandId } = await useDeliveries();
  expect((await portal('retry', '--brand', brandId)).stdout).toBe('1 delivery is carried out anew.\n');
  expect((await portal('retry', '--brand', brandId)).stdout).toBe('No such delivery is refused.\n');
  const { rows } = await pool.query(
    `select v.name, d.state, d.attempts, d.reason, d.next_attempt_at is not null as due
     from channel_deliveries d left join variants v on v.id = d.variant_id order by d.variant_id`,
  );
  expect(rows).toMatchObject([
    { name: 'Refused', state: 'queued', attempts: 0, reason: '', due: true },
    { name: 'Waiting', state: 'queued', attempts: 2, due: false },
    { name: null, state: 'removing' },
    { name: 'Other', state: 'refused' },
  ]);
  expect((await portal('retry', '--brand', brandId, '--state', 'queued')).stdout).toContain('2 deliveries are');
  expect((await portal('retry', '--state', 'removing')).stdout).toContain('1 delivery is');
  const { rows: jobs } = await pool.query('select key from graphile_worker.jobs');
  expect(jobs).toEqual([{ key: 'deliver:any' }]);
  const { rows: audit } = await pool.query(
    `select details from audit_log where action = 'delivery.retried' order by id limit 1`,
  );
  expect(audit).toEqual([{ details: { state: 'refused', deliveries: 1 } }]);
}, 40_000);

test.each([['list'], ['retry']])('help for delivery %s has an example', async (command) => {
  const { code, stdout } = await runPortal(['delivery', command, '--help']);
  expect(code).toBe(0);
  expect(stdout).toContain(`npm run portal -- delivery ${command}`);
});
