import type { ProductVariant } from '@brand-portal/contract/variants';
import { describe, expect, test } from 'vitest';
import { addVariants, expectDerivedData, setPublished, withBrandLock } from '../../test/catalogue.ts';
import { createTestBrand, createTestMember, createTestUser, type TestUser } from '../../test/people.ts';
import { useTestApp } from '../../test/test-app.ts';
import { optInForTrial, updateBrand } from '../people/brands/brands.ts';
import { addMember } from '../people/members/memberships.ts';
import { deleteVariants } from '../writes/variants.ts';
import { toGtin } from './test-support/delivery.ts';

async function useBrand({ trial = true } = {}) {
  const { app, database } = await useTestApp();
  const { db, pool } = database;
  const brandId = await createTestBrand(db);
  if (trial) await optInForTrial(db, null, brandId);
  const editor = await createTestMember(db, brandId, 'editor');
  const [id = 0] = await addVariants(
    db,
    brandId,
    [1, 2, 3].map((item) => ({ gtin: toGtin(item), name: `Thing ${item}` })),
  );
  const publish = (variantId: number, published: unknown, user: TestUser | undefined = editor) =>
    app.inject({
      method: 'PATCH',
      url: `/api/v1/variants/${variantId}/publish/`,
      headers: user.headers,
      payload: { published },
    });
  const publishAll = (user = editor) =>
    app.inject({ method: 'POST', url: `/api/v1/brands/${brandId}/variants/publish-all/`, headers: user.headers });
  const query = async (text: string) => (await pool.query(text)).rows;
  return { app, db, pool, brandId, editor, id, publish, publishAll, query };
}

describe('publishing one variant', () => {
  // spec: §7 publish
  test('answers with the variant, writes delivery, audit and due work together', async () => {
    const { publish, id, query, editor, brandId } = await useBrand();
    const answer = await publish(id, true);
    expect(answer.statusCode).toBe(200);
    expect(answer.json<ProductVariant>()).toMatchObject({
      id,
      gtin: toGtin(1),
      published: true,
      certifications: [],
      channel: { state: 'queued', reason: '' },
    });
    expect(await query('select variant_id, wanted, revision, state from deliveries')).toEqual([
      { variant_id: id, wanted: 'present', revision: 1, state: 'queued' },
    ]);
    expect(await query(`select brand_id, user_id, action, details from audit_log where action like 'variant.%'`)).toEqual([
      {
        brand_id: brandId,
        user_id: editor.id,
        action: 'variant.published',
        details: { variant_id: id, gtin: toGtin(1) },
      },
    ]);
    expect(await query(`select brand_id::int, due_at <= now() as due from due_work where kind = 'deliver'`)).toEqual([
      { brand_id: brandId, due: true },
    ]);
  });

  // spec: §4 published flips
  test('twice changes nothing, and unpublishing reverts it', { tags: 'empty-installation' }, async () => {
    const { publish, id, query } = await useBrand();
    for (const published of [true, true, false, false]) {
      const { statusCode, json } = await publish(id, published);
      expect({ statusCode, published: json().published }).toEqual({ statusCode: 200, published });
    }
    expect(await query('select from deliveries')).toEqual([]);
    expect(await query(`select action from audit_log where action like 'variant.%' order by id`)).toEqual([
      { action: 'variant.published' },
      { action: 'variant.unpublished' },
    ]);
  });

  test('and unpublishing it shows it as being withdrawn', async () => {
    const { publish, id, query } = await useBrand();
    await publish(id, true);
    await query(`update deliveries set resource = 'accounts/1/products/US:en:1', state = 'live'`);
    expect((await publish(id, false)).json()).toMatchObject({ published: false, channel: { state: 'removing' } });
  });

  // spec: §1 trial needed, §6 trial needed
  test('needs the trial; unpublishing does not', { tags: 'empty-installation' }, async () => {
    const { publish, publishAll, id, db, brandId, query } = await useBrand({ trial: false });
    for (const answer of [await publish(id, true), await publishAll()]) {
      expect(answer.statusCode).toBe(409);
      expect(answer.json()).toMatchObject({ code: 'trial_required' });
    }
    expect(await query('select from variants where published')).toEqual([]);
    await setPublished(db, brandId, true);
    expect((await publish(id, false)).statusCode).toBe(200);
  });

  test("of somebody else's brand answers as if it did not exist", async () => {
    const { publish, id, db } = await useBrand();
    const foreign = await createTestMember(db, await createTestBrand(db, 'Other'), 'owner');
    for (const answer of [
      await publish(id, true, foreign),
      await publish(id, true, await createTestUser(db)),
      await publish(999_999, true),
    ]) {
      expect(answer.statusCode).toBe(404);
      expect(answer.json()).toMatchObject({ code: 'variant_not_found' });
    }
  });

  test('is for editors of the brand of the variant, not of another brand', async () => {
    const { publish, id, db, brandId } = await useBrand();
    const viewer = await createTestMember(db, brandId, 'viewer');
    await addMember(db, { brandId: await createTestBrand(db), userId: viewer.id, role: 'owner', status: 'active' });
    const answer = await publish(id, true, viewer);
    expect(answer.statusCode).toBe(403);
    expect(answer.json()).toMatchObject({ code: 'permission_denied', detail: 'Permission denied' });
  });

  // spec: §7 publish
  test.each([[undefined], ['yes'], [null], [1]])('refuses published=%j', async (published) => {
    const { publish, id } = await useBrand();
    const answer = await publish(id, published);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ fields: { published: expect.any(String) } });
  });
});

describe('publishing all', () => {
  // spec: §7 publish-all
  test('publishes the unpublished variants, returns their number, and does not change other brands', {
    tags: 'empty-installation',
  }, async () => {
    const { publish, publishAll, id, query, db, pool } = await useBrand();
    const otherId = await createTestBrand(db, 'Other');
    await addVariants(db, otherId, [{ gtin: '61414100', name: 'Other' }]);
    await publish(id, true);
    expect((await publishAll()).json()).toEqual({ published: 2 });
    expect((await publishAll()).json()).toEqual({ published: 0 });
    expect(await query('select revision, state from deliveries')).toEqual(Array(3).fill({ revision: 1, state: 'queued' }));
    expect(await query(`select details from audit_log where action = 'variant.all_published'`)).toEqual([{ details: { published: 2 } }]);
    expect(await query('select name from variants where not published')).toEqual([{ name: 'Other' }]);
    expect(await query(`select from due_work where kind = 'deliver'`)).toHaveLength(1);
    await expectDerivedData(pool);
  });

  test('of a brand without variants is no error', async () => {
    const { publishAll, db, brandId } = await useBrand();
    await withBrandLock(db, brandId, (db) => deleteVariants(db, brandId));
    expect((await publishAll()).json()).toEqual({ published: 0 });
  });
});

test('many concurrent publishes make the brand due once and never deadlock', {
  tags: 'empty-installation',
}, async () => {
  const { publish, publishAll, db, pool, brandId, editor, query } = await useBrand();
  await addVariants(
    db,
    brandId,
    Array.from({ length: 60 }, (_, n) => ({ gtin: String(10_000_001 + n) })),
  );
  const ids = (await query('select id from variants order by random()')).map(({ id }): number => id);
  const calls = [
    ...ids.map((id) => () => publish(id, true)),
    () => publishAll(),
    ...ids.map((id) => () => publish(id, id % 2 === 0)),
    () =>
      updateBrand(db, { userId: editor.id, supportEmail: '' }, brandId, { name: 'Another name' }).then(() => ({
        statusCode: 200,
      })),
  ];
  // As many as may wait at the same time.
  const clients = Array.from({ length: 20 }, async () => {
    for (let call = calls.shift(); call; call = calls.shift()) expect((await call()).statusCode).toBe(200);
  });
  await Promise.all(clients);
  expect(await query(`select from due_work where kind = 'deliver'`)).toHaveLength(1);
  await expectDerivedData(pool);
});
