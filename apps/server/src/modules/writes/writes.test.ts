import { describe, expect, test } from 'vitest';
import { createTestBrand } from '../../../test/people.ts';
import { useTestDatabase } from '../../../test/test-database.ts';

/** One published variant that the channel has, with a pending certificate, and an unpublished one with the same. */
async function useLiveVariant() {
  const { db, pool } = await useTestDatabase();
  const brandId = await createTestBrand(db);
  const run = async (text: string, values: unknown[] = []) => (await pool.query(text, values)).rows;
  await run(
    `insert into variants (brand_id, gtin, name, published) values ($1, '61414100', 'Live', true), ($1, '61414117', 'Draft', false)`,
    [brandId],
  );
  await run(
    `insert into certificates (brand_id, certification_id, external_certificate_id, status)
     values ($1, 1, 'PENDING', 'pending'), ($1, 1, 'VALID', 'validated')`,
    [brandId],
  );
  await run(
    `insert into variant_certificates select v.brand_id, v.id, c.id from variants v, certificates c where external_certificate_id = 'PENDING'`,
  );
  await run(
    `update channel_deliveries set revision = 1, sent_revision = 1, state = 'live', resource = 'r', next_attempt_at = null`,
  );
  return { db, pool, brandId, run };
}

const LINK = `insert into variant_certificates select v.brand_id, v.id, c.id from variants v, certificates c`;

describe('what the channel has is out of date', () => {
  test.each([
    ['a new name', `update variants set name = 'New'`],
    ['a new GTIN', `update variants set gtin = '714141' || right(gtin, 2)`],
    ['a new category', `update variants set category = 'Food'`],
    ['a new name of the brand', `update brands set name = 'New'`],
    ['a certificate that is validated', `update certificates set status = 'validated'`],
    ['a validated certificate that is linked', `${LINK} where external_certificate_id = 'VALID'`],
    ['a link that is removed', 'delete from variant_certificates'],
    ['a certificate that is deleted', `delete from certificates where external_certificate_id = 'PENDING'`],
  ])('after %s', async (_name, change) => {
    const { run } = await useLiveVariant();
    await run(change);
    expect(
      await run(
        'select state, wanted, revision > 1 as newer, next_attempt_at is not null as due from channel_deliveries',
      ),
    ).toEqual([{ state: 'queued', wanted: 'present', newer: true, due: true }]);
  });

  test('after each change of a validated certificate', async () => {
    const { run } = await useLiveVariant();
    await run(`${LINK} where external_certificate_id = 'VALID'`);
    const revision = async () => (await run('select revision from channel_deliveries'))[0].revision;
    const before = await revision();
    await run(`update certificates set expires_on = '2099-01-01'`);
    await run(`update certificates set status = 'invalid' where external_certificate_id = 'VALID'`);
    expect(await revision()).toBe(before + 2);
  });
});

describe('the channel need not know', () => {
  test.each([
    ['a name that stays the same', 'update variants set name = name, category = category'],
    [
      'a pending certificate that becomes invalid',
      `update certificates set status = 'invalid' where status = 'pending'`,
    ],
    ['a reason', `update certificates set reason = 'x'`],
    ['another description of the brand', `update brands set description = 'x'`],
    ['a draft that changes', `update variants set name = 'x' where not published`],
    ['a draft that is deleted', 'delete from variants where not published'],
    [
      'certificates of others',
      `insert into certificates (brand_id, certification_id, external_certificate_id) select brand_id, 2, 'X' from variants limit 1`,
    ],
  ])('of %s', async (_name, change) => {
    const { run } = await useLiveVariant();
    await run(change);
    expect(await run('select revision, state from channel_deliveries')).toEqual([{ revision: 1, state: 'live' }]);
  });

  test('of another brand’s changes', async () => {
    const { run, db } = await useLiveVariant();
    const other = await createTestBrand(db, 'Other');
    await run(`insert into variants (brand_id, gtin, name) values ($1, '61414100', 'Other')`, [other]);
    await run(`update variants set name = 'x' where brand_id = $1`, [other]);
    await run(`update brands set name = 'x' where id = $1`, [other]);
    await run('delete from brands where id = $1', [other]);
    expect(await run('select revision, state from channel_deliveries')).toEqual([{ revision: 1, state: 'live' }]);
  });
});

test('a variant that is inserted as published has its delivery', async () => {
  const { run } = await useLiveVariant();
  await run(
    `insert into variants (brand_id, gtin, name, published) select brand_id, '61414124', 'Third', true from variants limit 1`,
  );
  expect(await run(`select state from channel_deliveries where resource is null`)).toEqual([{ state: 'queued' }]);
});

test('a session that has published single variants publishes and renames many in seconds', async () => {
  const { pool, brandId } = await useLiveVariant();
  const client = await pool.connect();
  try {
    for (let n = 0; n < 10; n++) {
      await client.query(`update variants set published = not published, name = 'x' where gtin = '61414117'`);
    }
    await client.query(
      `insert into variants (brand_id, gtin, name) select $1, (20000000 + n)::text, 'Thing ' || n from generate_series(1, 20000) n`,
      [brandId],
    );
    const began = Date.now();
    await client.query('update variants set published = true where brand_id = $1 and not published', [brandId]);
    await client.query(`update variants set name = name || '!' where brand_id = $1`, [brandId]);
    expect(Date.now() - began).toBeLessThan(15_000);
    const { rows } = await client.query('select count(*)::int, min(revision)::int as least from channel_deliveries');
    expect(rows).toEqual([{ count: 20_002, least: 2 }]);
  } finally {
    client.release();
  }
});
