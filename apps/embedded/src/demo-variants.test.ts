// @module-tag empty-installation
import { expectDerivedData } from '@brand-portal/server/test/catalogue.ts';
import { createTestBrand } from '@brand-portal/server/test/people.ts';
import { useTestDatabase } from '@brand-portal/server/test/test-database.ts';
import { expect, test } from 'vitest';
import { loadDemoVariants } from './demo-variants.ts';

test('the demo variants have valid GTINs, every status, and brands of every size', async () => {
  const { db, pool } = await useTestDatabase();
  const names = ['Fjord & Forest', 'Lumbre Cocina', 'Northfield Organics', 'Maison Verveine', 'Tiny'];
  const brandIds = new Map<string, number>();
  for (const name of names) brandIds.set(name, await createTestBrand(db, name));
  await loadDemoVariants(db, brandIds);
  await expectDerivedData(pool);

  const counts = await pool.query(
    `select b.name, coalesce(sum(c.total), 0)::int as total, coalesce(sum(c.published), 0)::int as published,
       coalesce(sum(c.certified), 0)::int as certified
     from brands b left join variant_counts c on c.brand_id = b.id group by b.id, b.name order by b.id`,
  );
  expect(counts.rows).toEqual([
    { name: 'Fjord & Forest', total: 3000, published: 40, certified: 1500 },
    { name: 'Lumbre Cocina', total: 40, published: 14, certified: 20 },
    { name: 'Northfield Organics', total: 12, published: 0, certified: 6 },
    { name: 'Maison Verveine', total: 3, published: 0, certified: 1 },
    { name: 'Tiny', total: 0, published: 0, certified: 0 },
  ]);
  const { rows } = await pool.query(
    `select c.status, max(n.links)::int as most_links
     from certificates c join variant_certificates l on l.brand_id = c.brand_id and l.certificate_id = c.id
     join (select brand_id, variant_id, count(*) as links from variant_certificates group by brand_id, variant_id) n
       on n.brand_id = l.brand_id and n.variant_id = l.variant_id
     group by c.status order by c.status`,
  );
  expect(rows).toEqual(['invalid', 'pending', 'validated'].map((status) => ({ status, most_links: 7 })));
  const gtins = await pool.query<{ gtin: string }>('select gtin from variants');
  for (const { gtin } of gtins.rows) {
    const sum = [...gtin].reduce((sum, digit, index) => sum + Number(digit) * (index % 2 === 0 ? 1 : 3), 0);
    expect({ gtin, length: gtin.length, rest: sum % 10 }).toEqual({ gtin, length: 13, rest: 0 });
  }
});
