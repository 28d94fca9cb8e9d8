// @module-tag empty-installation
import { expectDerivedData } from '@brand-portal/server/test/catalogue.ts';
import { createTestBrand } from '@brand-portal/server/test/people.ts';
import { useTestDatabase } from '@brand-portal/server/test/test-database.ts';
import { expect, test } from 'vitest';
import { loadDemoRefusals } from './demo-refusals.ts';
import { loadDemoVariants } from './demo-variants.ts';

test('published variants of the demo brands are queued for delivery, and one of each brand is refused', async () => {
  const { db, pool } = await useTestDatabase();
  const brandIds = new Map<string, number>();
  for (const name of ['Fjord & Forest', 'Lumbre Cocina']) brandIds.set(name, await createTestBrand(db, name));
  await loadDemoVariants(db, brandIds);
  await loadDemoRefusals(db);
  const { rows } = await pool.query(
    `select b.name, count(*)::int as queued, count(r.gtin14)::int as refused
     from deliveries d join variants v on v.brand_id = d.brand_id and v.id = d.variant_id
     join brands b on b.id = d.brand_id left join embedded.channel_emulator_refusals r on r.gtin14 = v.gtin14
     where d.state = 'queued' group by b.name order by b.name`,
  );
  expect(rows).toEqual([
    { name: 'Fjord & Forest', queued: 40, refused: 1 },
    { name: 'Lumbre Cocina', queued: 14, refused: 1 },
  ]);
  const { rows: due } = await pool.query(`select brand_id::int from due_work where kind = 'deliver' and due_at <= now() order by brand_id`);
  expect(due).toEqual([...brandIds.values()].map((brand_id) => ({ brand_id })));
  await expectDerivedData(pool);
});
