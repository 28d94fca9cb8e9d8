import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { createTestBrand, createTestMember } from '../../../test/people.ts';
import { useTestApp } from '../../../test/test-app.ts';

async function useMember(role: 'viewer' | 'editor') {
  const { app, database } = await useTestApp();
  const brandId = await createTestBrand(database.db);
  const { id, headers } = await createTestMember(database.db, brandId, role);
  const url = `/api/v1/brands/${brandId}/variants/`;
  return {
    read: async () => (await app.inject({ url, headers })).statusCode,
    write: async () => (await app.inject({ method: 'POST', url: `${url}publish-all/`, headers })).statusCode,
    /** Runs `meanwhile` after the headers of a write have arrived, and before its body. */
    writeSlowly: async (meanwhile: () => Promise<unknown>) => {
      async function* body() {
        await meanwhile();
        yield JSON.stringify({ action: 'publish', ids: [1] });
      }
      const payload = Readable.from(body());
      const json = { ...headers, 'content-type': 'application/json' };
      return (await app.inject({ method: 'POST', url: `${url}actions/`, headers: json, payload })).statusCode;
    },
    remove: () => database.pool.query('delete from brand_members where user_id = $1', [id]),
    add: () =>
      database.pool.query(`insert into brand_members (brand_id, user_id, role, status) values ($1, $2, 'viewer', 'active')`, [brandId, id]),
  };
}

test('a removed member can no longer read, even right after a read', async () => {
  const { read, remove } = await useMember('viewer');
  expect(await read()).toBe(200);
  await remove();
  expect(await read()).toBe(404);
});

test('a removed member can no longer write, even right after a read', async () => {
  const { read, write, remove } = await useMember('editor');
  expect(await read()).toBe(200);
  await remove();
  expect(await write()).toBe(404);
});

test('a member who is removed while the body of a write arrives can no longer write', async () => {
  const { writeSlowly, remove } = await useMember('editor');
  expect(await writeSlowly(remove)).toBe(404);
});

test('a new member can read at once', async () => {
  const { read, remove, add } = await useMember('viewer');
  await remove();
  expect(await read()).toBe(404);
  await add();
  expect(await read()).toBe(200);
});
