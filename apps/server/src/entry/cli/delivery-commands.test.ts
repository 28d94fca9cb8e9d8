// @module-tag empty-installation
import { expect, test } from 'vitest';
import { addVariants, withBrandLock } from '../../../test/catalogue.ts';
import { createTestBrand } from '../../../test/people.ts';
import { runPortal } from '../../../test/run-portal.ts';
import { useTestDatabase } from '../../../test/test-database.ts';
import { deleteVariants, variantWithId } from '../../writes/variants.ts';

/** Two brands. In the first, one delivery is refused, one waits for its third attempt and one is of a deleted variant. */
async function useDeliveries() {
  const { db, pool, url } = await useTestDatabase();
  const [brandId, otherId] = [await createTestBrand(db), await createTestBrand(db, 'Other')];
  const [, , goneId = 0] = await addVariants(db, brandId, [
    { gtin: '61414100', name: 'Refused', published: true },
    { gtin: '61414117', name: 'Waiting', published: true },
    { gtin: '61414124', name: 'Gone', published: true },
  ]);
  await addVariants(db, otherId, [{ gtin: '61414100', name: 'Other', published: true }]);
  await pool.query(`update deliveries set resource = 'r', state = 'live', next_attempt_at = null`);
  await withBrandLock(db, brandId, (db) => deleteVariants(db, brandId, variantWithId(goneId)));
  await pool.query(`update due_work set due_at = now() + interval '1 hour' where kind = 'deliver'`);
  await pool.query(
    `update deliveries d set state = case v.name when 'Refused' then 'refused' when 'Waiting' then 'queued' else 'refused' end,
       attempts = 2, reason = 'Because of ' || v.name from variants v where v.brand_id = d.brand_id and v.id = d.variant_id`,
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

test('refused deliveries are retried, and others only on request', async () => {
  const { portal, pool, brandId } = await useDeliveries();
  expect((await portal('retry', '--brand', brandId)).stdout).toBe('1 delivery is carried out anew.\n');
  expect((await portal('retry', '--brand', brandId)).stdout).toBe('No such delivery is refused.\n');
  const { rows } = await pool.query(
    `select v.name, d.state, d.attempts, d.reason, d.next_attempt_at is not null as due
     from deliveries d left join variants v on v.brand_id = d.brand_id and v.id = d.variant_id order by d.variant_id`,
  );
  expect(rows).toMatchObject([
    { name: 'Refused', state: 'queued', attempts: 0, reason: '', due: true },
    { name: 'Waiting', state: 'queued', attempts: 2, due: false },
    { name: null, state: 'removing' },
    { name: 'Other', state: 'refused' },
  ]);
  expect((await portal('retry', '--brand', brandId, '--state', 'queued')).stdout).toContain('2 deliveries are');
  expect((await portal('retry', '--state', 'removing')).stdout).toContain('1 delivery is');
  const { rows: due } = await pool.query(`select brand_id::text from due_work where kind = 'deliver' and due_at <= now()`);
  expect(due).toEqual([{ brand_id: brandId }]);
  const { rows: audit } = await pool.query(`select details from audit_log where action = 'delivery.retried' order by id limit 1`);
  expect(audit).toEqual([{ details: { state: 'refused', deliveries: 1 } }]);
}, 40_000);

test.each([['list'], ['retry']])('delivery %s of an unknown brand is refused', async (command) => {
  const { portal } = await useDeliveries();
  const { code, stdout, stderr } = await portal(command, '--brand', '999');
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain('There is no such brand.');
});

test('a deleted brand whose product could not be withdrawn yet is listed and retried', async () => {
  const { pool, portal, brandId } = await useDeliveries();
  await pool.query('delete from variants where brand_id = $1', [brandId]);
  await pool.query('delete from brands where id = $1', [brandId]);
  for (const choice of [[], ['--brand', brandId]]) {
    expect((await portal('list', '--state', 'removing', ...choice)).stdout).toContain('(deleted)');
  }
  const retried = await portal('retry', '--brand', brandId, '--state', 'removing');
  expect(retried.stdout).toBe('1 delivery is carried out anew.\n');
}, 40_000);

test.each([['list'], ['retry']])('help for delivery %s has an example', async (command) => {
  const { code, stdout } = await runPortal(['delivery', command, '--help']);
  expect(code).toBe(0);
  expect(stdout).toContain(`npm run portal -- delivery ${command}`);
});
