// @module-tag empty-installation

import { getConnection } from '@brand-portal/server/channel/connections.ts';
import { addMember } from '@brand-portal/server/people/members/memberships.ts';
import { createTestBrand, createTestMember } from '@brand-portal/server/test/people.ts';
import { useTestDatabase } from '@brand-portal/server/test/test-database.ts';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { DEMO_PEOPLE, loadDemoData, refuseDemoPeople, removeDemoPeople } from './demo-data.ts';
import { createEmbeddedIdentityProvider } from './identity-provider/identity-provider.ts';

async function useDemo() {
  const database = await useTestDatabase();
  const idp = await createEmbeddedIdentityProvider({
    db: database.db,
    publicUrl: 'http://localhost:3000',
    logger: pino({ level: 'silent' }),
    hashingCost: { memoryCost: 1024, timeCost: 1 },
  });
  await loadDemoData(database.db, idp);
  const userId = async (email: string) => (await database.pool.query('select id from users where email = $1', [email])).rows[0]?.id;
  return { ...database, userId };
}

test('without demo people the start is not refused, and there is nothing to remove', async () => {
  const { db } = await useTestDatabase();
  await refuseDemoPeople(db);
  expect(await removeDemoPeople(db)).toEqual({ people: [], brands: [], ownerless: [] });
});

test('one demo brand waits for its link and others are connected; one has a variant that is refused in one country only', async () => {
  const { db, pool } = await useDemo();
  const { rows: brands } = await pool.query('select id, name from brands order by id');
  const states = new Map<string, string>();
  for (const { id, name } of brands) states.set(name, (await getConnection(db, Number(id))).state);
  expect(Object.fromEntries(states)).toMatchObject({
    ...{
      'Fjord & Forest': 'connected',
      'Lumbre Cocina': 'connected',
      'Maison Verveine': 'waiting',
      Tiny: 'not_connected',
    },
  });
  const { countries } = await getConnection(db, Number(brands[0].id));
  const { rows } = await pool.query(
    `select r.issue -> 'applicableCountries' as refused_in from variants v join embedded.channel_emulator_refusals r using (gtin14)
     where v.brand_id = $1 and v.published`,
    [brands[0].id],
  );
  expect(rows).toEqual([{ refused_in: ['DK'] }]);
  expect(countries).toEqual(['SE', 'NO', 'DK']);
});

test('removing the demo people also removes their accounts, and brands without other members', async () => {
  const { db, pool } = await useDemo();
  await expect(refuseDemoPeople(db)).rejects.toThrow('npm run portal -- demo remove');
  const removed = await removeDemoPeople(db);
  expect(removed.people).toHaveLength(3);
  expect(removed.brands).toContain('Fjord & Forest');
  expect(removed.ownerless).toEqual([]);
  for (const table of ['users', 'embedded.idp_accounts', 'brands', 'variants']) {
    expect((await pool.query(`select 1 from ${table}`)).rowCount, table).toBe(0);
  }
  await refuseDemoPeople(db);
});

test('a demo brand with other members is kept, and named if it has no owner left', async () => {
  const { db, pool, userId } = await useDemo();
  const { rows } = await pool.query("select id from brands where name = 'Tiny'");
  const real = await createTestMember(db, rows[0].id, 'editor');
  const own = await createTestBrand(db, 'Own');
  await createTestMember(db, own, 'owner');
  await addMember(db, {
    brandId: own,
    userId: await userId(DEMO_PEOPLE.viewer.email),
    role: 'viewer',
    status: 'active',
  });

  const removed = await removeDemoPeople(db);
  expect(removed.brands).not.toContain('Tiny');
  expect(removed.ownerless).toEqual([{ id: rows[0].id, name: 'Tiny' }]);
  const left = await pool.query('select name, user_id from brands b join brand_members m on m.brand_id = b.id order by 1');
  expect(left.rows).toEqual([
    { name: 'Own', user_id: expect.any(Number) },
    { name: 'Tiny', user_id: real.id },
  ]);
});

test('products that the emulator got are neither withdrawn nor sent again anywhere once the demo people are removed', async () => {
  const { db, pool } = await useDemo();
  const { rows } = await pool.query("select id from brands where name = 'Lumbre Cocina'");
  const kept = Number(rows[0].id);
  await createTestMember(db, kept, 'owner');
  await pool.query(
    `update deliveries d set state = 'live', sent_revision = revision, next_attempt_at = null, connection_id = c.id,
       resource = 'accounts/1000001/products/' || d.variant_id::text
     from channel_connections c where c.brand_id = d.brand_id`,
  );
  const { rows: published } = await pool.query('select id from variants where brand_id = $1 and published', [kept]);

  await removeDemoPeople(db);
  expect((await pool.query('select from channel_connections where client_id is not null')).rows).toHaveLength(0);
  const { rows: left } = await pool.query('select brand_id, state, resource, connection_id, sent_revision from deliveries');
  expect(left).toHaveLength(published.length);
  expect(left[0]).toEqual({
    brand_id: kept,
    state: 'queued',
    resource: null,
    connection_id: null,
    sent_revision: null,
  });
  expect(new Set(left.map((delivery) => JSON.stringify(delivery))).size).toBe(1);
  expect((await getConnection(db, kept)).state).toBe('not_connected');
});
