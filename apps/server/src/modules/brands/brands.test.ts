import type { BrandList } from '@brand-portal/contract/brands';
import { beforeAll, describe, expect, test } from 'vitest';
import { createTestBrand, createTestMember, createTestUser } from '../../../test/people.ts';
import { useTestApp } from '../../../test/test-app.ts';
import { addMember } from './memberships.ts';

async function useBrand() {
  const { app, database } = await useTestApp();
  const { db } = database;
  const brandId = await createTestBrand(db, 'Acme');
  const owner = await createTestMember(db, brandId, 'owner', 'Olivia Lindqvist');
  const url = `/api/v1/brands/${brandId}/`;
  return { app, database, db, brandId, owner, url };
}

describe('the list of brands', () => {
  test('has each brand with its owner, and counts the different people across all of them', async () => {
    const { app, db, brandId, owner } = await useBrand();
    const editor = await createTestMember(db, brandId, 'editor', 'Eduardo Marín');
    const secondId = await createTestBrand(db, 'bakery');
    await addMember(db, { brandId: secondId, userId: owner.id, role: 'viewer', status: 'active' });
    await addMember(db, { brandId: secondId, userId: editor.id, role: 'owner', status: 'active' });

    const answer = await app.inject({ url: '/api/v1/brands/', headers: owner.headers });
    expect(answer.json()).toEqual({
      member_count: 2,
      results: [
        {
          id: brandId,
          name: 'Acme',
          logo: '',
          website: '',
          status: 'pending',
          opted_in_for_trial: false,
          description: '',
          member_count: 2,
          owner: { first_name: 'Olivia', last_name: 'Lindqvist' },
        },
        expect.objectContaining({ name: 'bakery', owner: { first_name: 'Eduardo', last_name: 'Marín' } }),
      ],
    });
  });

  test('is empty for someone who is no member of anything', async () => {
    const { app, db } = await useBrand();
    const stranger = await createTestUser(db);
    const answer = await app.inject({ url: '/api/v1/brands/', headers: stranger.headers });
    expect(answer.json()).toEqual({ results: [], member_count: 0 });
  });

  test('does not show a brand to someone who is only invited to it', async () => {
    const { app, db, brandId } = await useBrand();
    const invited = await createTestUser(db);
    await addMember(db, { brandId, userId: invited.id, role: 'editor', status: 'invited' });
    const answer = await app.inject({ url: '/api/v1/brands/', headers: invited.headers });
    expect(answer.json().results).toEqual([]);
  });

  test('of a member of 2 brands among 10,000 has exactly those 2, and reads nobody else’s rows', async () => {
    const { app, database, db, owner, brandId } = await useBrand();
    const secondId = await createTestBrand(db, 'Zebra');
    await addMember(db, { brandId: secondId, userId: owner.id, role: 'admin', status: 'active' });
    await database.pool.query(`
      with new_users as (
        insert into users (email) select 'person' || n || '@example.com' from generate_series(1, 10000) n returning id
      ), new_brands as (
        insert into brands (name) select 'Brand ' || n from generate_series(1, 10000) n returning id
      )
      insert into brand_members (brand_id, user_id, role, status)
      select b.id, u.id, 'owner', 'active'
      from (select id, row_number() over () as n from new_brands) b
      join (select id, row_number() over () as n from new_users) u using (n)`);
    await database.pool.query('analyze');

    const statements: string[] = [];
    const { query } = database.pool;
    const answer = await app.inject({ url: '/api/v1/brands/', headers: owner.headers });
    expect(query).toBe(database.pool.query);
    expect((answer.json() as BrandList).results.map(({ id }) => id)).toEqual([brandId, secondId]);
    expect(statements).toEqual([]);
  });
});

describe('one brand', () => {
  test('is there for its members', async () => {
    const { app, owner, url, brandId } = await useBrand();
    expect((await app.inject({ url, headers: owner.headers })).json()).toMatchObject({ id: brandId, name: 'Acme' });
  });

  test('does not exist for others, and neither does one that is not there', async () => {
    const { app, db, owner, url } = await useBrand();
    const stranger = await createTestUser(db);
    const foreign = await app.inject({ url, headers: stranger.headers });
    const missing = await app.inject({ url: '/api/v1/brands/999999/', headers: owner.headers });
    for (const answer of [foreign, missing]) {
      expect(answer.statusCode).toBe(404);
      expect(answer.json()).toMatchObject({ code: 'brand_not_found', detail: 'There is no such brand.' });
    }
  });

  test.each(['abc', '0', '-1', '1.5', '99999999999999999999'])('has no id like %s', async (id) => {
    const { app, owner } = await useBrand();
    const answer = await app.inject({ url: `/api/v1/brands/${id}/`, headers: owner.headers });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ code: 'validation_failed', fields: { brandId: expect.any(String) } });
  });
});
