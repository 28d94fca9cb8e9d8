import { expect, test } from 'vitest';
import { createTestBrand } from '../../test/people.ts';
import { useTestDatabase } from '../../test/test-database.ts';
import { countRecentActions } from './audit.ts';

test('recent actions are counted with an index scan, without reading the whole history of a brand', async () => {
  const { db, pool } = await useTestDatabase();
  const brandId = await createTestBrand(db);
  await pool.query(
    `insert into audit_log (brand_id, action, created_at, details)
     select $1, action, now() - age * interval '1 minute', '{"member_id": 7}'
     from generate_series(0, 20000) age, unnest(array['variant.published', 'member.invited']) action`,
    [brandId],
  );
  await pool.query('analyze audit_log');
  const actions = ['member.invited', 'invitation.resent'];
  expect(await countRecentActions(db, { brandId, memberId: 7, actions })).toEqual({ in_brand: 60, to_member: 60 });

  const { rows } = await pool.query(
    `explain (analyze, format json) select count(*) from audit_log
     where brand_id = $1 and action = any($2) and created_at > now() - interval '1 hour'`,
    [brandId, actions],
  );
  expect(JSON.stringify(rows)).toContain('audit_log_action_idx');
  expect(JSON.stringify(rows)).not.toContain('Rows Removed by Filter');
});
