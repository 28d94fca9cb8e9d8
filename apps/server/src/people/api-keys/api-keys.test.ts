import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ApiKey, CreateApiKey, NewApiKey } from '@brand-portal/contract/api-keys';
import { logIn } from '@brand-portal/contract/identity';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { addVariants } from '../../../test/catalogue.ts';
import { json, useFakeProvider } from '../../../test/fake-provider.ts';
import { createTestBrand, createTestMember, type TestUser } from '../../../test/people.ts';
import { type TestApp, useOwnApp } from '../../../test/test-app.ts';
import { readConfig } from '../../lib/config.ts';
import { restoreBrand } from '../brands/brand-deletion.ts';

let portal: TestApp;
let brandId: number;
let admin: TestUser;

async function start(options?: Parameters<typeof useOwnApp>[0]) {
  portal = await useOwnApp(options);
  brandId = await createTestBrand(portal.database.db);
  admin = await createTestMember(portal.database.db, brandId, 'admin', 'Ada Byron');
}

const WANTED: CreateApiKey = { name: 'Nightly upload', role: 'editor', expires_in_days: 90 };
const keysPath = () => `/api/v1/brands/${brandId}/api-keys/`;

async function create(wanted: Partial<CreateApiKey> = {}): Promise<NewApiKey> {
  const answer = await portal.app.inject({
    method: 'POST',
    url: keysPath(),
    headers: admin.headers,
    payload: { ...WANTED, ...wanted },
  });
  expect(answer.statusCode).toBe(201);
  return answer.json();
}

const withKey = (key: string) => ({ authorization: `Bearer ${key}` });
const listVariants = (key: string) => portal.app.inject({ url: `/api/v1/brands/${brandId}/variants/`, headers: withKey(key) });
async function list(): Promise<ApiKey[]> {
  return (await portal.app.inject({ url: keysPath(), headers: admin.headers })).json().results;
}

describe('a key', () => {
  test('is shown once, listed by its prefix, and stored as a hash', async () => {
    await start();
    const made = await create({ name: '  Nightly\n upload ' });
    expect(made.key).toMatch(/^bp_[\w-]{43}$/);
    expect(made).toMatchObject({ name: 'Nightly upload', role: 'editor', state: 'active', created_by: 'Ada Byron' });
    const [listed] = await list();
    const { key, ...rest } = made;
    expect(listed).toEqual(rest);
    expect(key.startsWith(rest.prefix)).toBe(true);
    expect(rest).toMatchObject({ maker_left: false, last_used_at: null, revoked_at: null });
    const days = (Date.parse(rest.expires_at ?? '') - Date.parse(rest.created_at)) / 86_400_000;
    expect(Math.round(days)).toBe(90);
    const { rows } = await sql<{ row: string }>`
      select k::text || u::text as row from api_keys k join users u on u.id = k.user_id
    `.execute(portal.database.db);
    expect(rows[0]?.row).not.toContain(key.slice(12));
  });

  test('that never expires has no expiry date, and may not be an admin’s', async () => {
    await start();
    expect((await create({ expires_in_days: null })).expires_at).toBeNull();
    const payload = { ...WANTED, role: 'admin', expires_in_days: null };
    const answer = await portal.app.inject({ method: 'POST', url: keysPath(), headers: admin.headers, payload });
    expect(answer.json()).toMatchObject({ code: 'validation_failed', fields: { expires_in_days: expect.any(String) } });
  });

  test.each([{ role: 'owner' }, { name: '   ' }, { name: 'x'.repeat(101) }, { expires_in_days: 7 }])(
    'is refused with %j',
    async (wanted) => {
      await start();
      const payload = { ...WANTED, ...wanted };
      const answer = await portal.app.inject({ method: 'POST', url: keysPath(), headers: admin.headers, payload });
      expect(answer.json()).toMatchObject({ code: 'validation_failed' });
    },
  );

  test('acts in its brand with its role, and is audited under its name', async () => {
    await start();
    const { db } = portal.database;
    const { key, prefix, id } = await create();
    const [variantId] = await addVariants(db, brandId, [{ gtin: '61414100', name: 'Oil' }]);
    const url = `/api/v1/brands/${brandId}/variants/${variantId}/`;
    const payload = { version: 1, name: 'Olive oil' };
    const edited = await portal.app.inject({ method: 'PATCH', url, headers: withKey(key), payload });
    expect(edited.statusCode).toBe(200);
    expect(edited.json().timeline[0]).toMatchObject({ by: `API key Nightly upload (${prefix})` });
    expect(edited.json().may_edit).toBe(true);
    const entries = await db.selectFrom('audit_log').select('action').where('brand_id', '=', brandId).where('user_id', '=', id).execute();
    expect(entries).toEqual([{ action: 'variant.edited' }]);
    // A route without a brand in its path.
    const unpublished = { method: 'PATCH' as const, url: `/api/v1/variants/${variantId}/publish/` };
    const answer = await portal.app.inject({ ...unpublished, headers: withKey(key), payload: { published: false } });
    expect(answer.statusCode).toBe(200);
  });

  test('is refused at its next call after it was revoked, and revoking it twice is audited once', async () => {
    await start();
    const { key, id } = await create();
    expect((await listVariants(key)).statusCode).toBe(200);
    const revoke = () => portal.app.inject({ method: 'DELETE', url: `${keysPath()}${id}/`, headers: admin.headers });
    // Two concurrent calls, as from a double click.
    expect((await Promise.all([revoke(), revoke()])).map(({ statusCode }) => statusCode)).toEqual([204, 204]);
    const refused = await listVariants(key);
    expect(refused.statusCode).toBe(401);
    expect(refused.json()).toMatchObject({ code: 'api_key_revoked' });
    expect(await list()).toMatchObject([{ id, state: 'revoked' }]);
    const { db } = portal.database;
    const actions = await db
      .selectFrom('audit_log')
      .select('action')
      .where('brand_id', '=', brandId)
      .where('user_id', '=', admin.id)
      .execute();
    expect(actions.map(({ action }) => action)).toEqual(['api_key.created', 'api_key.revoked']);
  });

  test('is revoked with the account of its creator, and does not name them any more', async () => {
    await start();
    await createTestMember(portal.database.db, brandId, 'owner');
    const { key } = await create();
    const url = '/api/v1/users/me/delete/';
    await portal.app.inject({ method: 'POST', url, headers: admin.headers, payload: { email: admin.email } });
    admin = await createTestMember(portal.database.db, brandId, 'admin');
    expect(await list()).toMatchObject([{ created_by: '', maker_left: true, state: 'revoked' }]);
    expect((await listVariants(key)).json()).toMatchObject({ code: 'api_key_revoked' });
  });

  test('of another brand cannot be revoked or seen', async () => {
    await start();
    const { id } = await create();
    const other = await createTestBrand(portal.database.db, 'Other');
    const stranger = await createTestMember(portal.database.db, other, 'owner');
    const url = `/api/v1/brands/${other}/api-keys/`;
    const answer = await portal.app.inject({ method: 'DELETE', url: `${url}${id}/`, headers: stranger.headers });
    expect(answer.json()).toMatchObject({ code: 'api_key_not_found' });
    expect((await portal.app.inject({ url, headers: stranger.headers })).json()).toEqual({ results: [] });
    expect(await list()).toMatchObject([{ id, state: 'active' }]);
  });

  test('that has expired or is wrong is refused with a different code', async () => {
    await start();
    const { key, id } = await create();
    const { db } = portal.database;
    await db.updateTable('api_keys').set({ expires_at: sql<Date>`now()` }).where('user_id', '=', id).execute();
    expect((await listVariants(key)).json()).toMatchObject({ code: 'api_key_expired' });
    expect(await list()).toMatchObject([{ state: 'expired' }]);
    const wrong = await listVariants(`${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`);
    expect([wrong.statusCode, wrong.json().code]).toEqual([401, 'api_key_invalid']);
  });

  test.each([
    ['another header', { 'x-api-key': 'bp_x' }],
    ['another scheme', { authorization: 'Token bp_x' }],
    ['no scheme', { authorization: 'bp_x' }],
  ])('that is sent with %s is refused with how to send it', async (_what, headers) => {
    await start();
    const answer = await portal.app.inject({ url: `/api/v1/brands/${brandId}/variants/`, headers });
    expect([answer.statusCode, answer.json().code]).toEqual([401, 'unauthenticated']);
    expect(answer.json().detail).toContain('Authorization: Bearer bp_');
  });

  test('records its last use at most once a minute', async () => {
    await start();
    const { key, id } = await create();
    const lastUse = async () => (await list())[0]?.last_used_at;
    const setLastUse = (ago: string) =>
      portal.database.db
        .updateTable('api_keys')
        .set({ last_used_at: sql<Date>`now() - ${ago}::interval` })
        .where('user_id', '=', id)
        .execute();
    await listVariants(key);
    expect(await lastUse()).not.toBeNull();
    await setLastUse('50 seconds');
    const before = await lastUse();
    await listVariants(key);
    expect(await lastUse()).toBe(before);
    await setLastUse('70 seconds');
    const old = await lastUse();
    await listVariants(key);
    expect(await lastUse()).not.toBe(old);
  });

  test('that is revoked ends the feed URL that was created with it', async () => {
    await start();
    const feedPath = `/api/v1/brands/${brandId}/channel/feed/`;
    const { id, key } = await create({ role: 'admin' });
    const other = await create();
    const { tsv_url } = (await portal.app.inject({ method: 'POST', url: feedPath, headers: withKey(key) })).json();
    const fetchFeed = async () => (await portal.app.inject(new URL(tsv_url).pathname)).statusCode;
    const revoke = (id: number) => portal.app.inject({ method: 'DELETE', url: `${keysPath()}${id}/`, headers: admin.headers });
    await revoke(other.id);
    expect(await fetchFeed()).toBe(200);
    await revoke(id);
    expect(await fetchFeed()).toBe(404);
  });

  test('stays valid when its creator leaves and that is asked for, which is shown, and becomes invalid when its brand is deleted', async () => {
    await start();
    const { db } = portal.database;
    const { key } = await create();
    const owner = await createTestMember(db, brandId, 'owner');
    await portal.app.inject({
      method: 'DELETE',
      url: `/api/v1/brands/${brandId}/members/${admin.id}/?keys=keep`,
      headers: owner.headers,
    });
    admin = owner;
    expect(await list()).toMatchObject([{ maker_left: true, created_by: 'Ada Byron', state: 'active' }]);
    expect((await listVariants(key)).statusCode).toBe(200);
    await sql`delete from brands where id = ${brandId}`.execute(db);
    expect((await listVariants(key)).json()).toMatchObject({ code: 'api_key_invalid' });
  });

  test('gets an error that says its brand was deleted, and works again when the brand is restored', async () => {
    await start();
    const { key } = await create();
    const { id, headers } = await createTestMember(portal.database.db, brandId, 'owner');
    const url = `/api/v1/brands/${brandId}/`;
    expect((await portal.app.inject({ method: 'DELETE', url, headers })).statusCode).toBe(204);
    const refused = await listVariants(key);
    expect([refused.statusCode, refused.json().code]).toEqual([401, 'api_key_of_deleted_brand']);
    expect(refused.json().detail).toBe('The brand of this API key was deleted. The key works again if an owner restores the brand.');
    await restoreBrand(portal.database.db, id, brandId);
    expect((await listVariants(key)).statusCode).toBe(200);
  });

  test('cannot be invited as a member by its prefix', async () => {
    await start();
    const { prefix } = await create();
    const payload = { email: prefix, role: 'owner' };
    const url = `/api/v1/brands/${brandId}/members/`;
    const answer = await portal.app.inject({ method: 'POST', url, headers: admin.headers, payload });
    expect(answer.json()).toMatchObject({ code: 'validation_failed' });
  });

  test('cannot be signed in with by an account whose address is its prefix', async () => {
    const provider = await useFakeProvider(json(200, {}));
    await start({ identity: { domain: provider.domain, clientId: 'web' } });
    const { id, prefix } = await create();
    provider.answerWith(json(200, { sub: 'auth0|eve', email: prefix, email_verified: true }));
    const answer = await portal.app.inject({ method: 'POST', url: logIn.path, body: { token: 'opaque' } });
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'email_not_supported']);
    expect(await list()).toMatchObject([{ id, name: WANTED.name, prefix }]);
  });

  test('is refused beyond the maximum number of keys, until one is revoked', async () => {
    await start({ config: { quotas: { ...readConfig({}).quotas, api_keys: 3 } } });
    const made = [await create(), await create(), await create()];
    const post = { method: 'POST' as const, url: keysPath(), headers: admin.headers, payload: WANTED };
    expect((await portal.app.inject(post)).json()).toMatchObject({ code: 'too_many_keys' });
    const url = `${keysPath()}${made[0]?.id}/`;
    await portal.app.inject({ method: 'DELETE', url, headers: admin.headers });
    expect((await portal.app.inject(post)).statusCode).toBe(201);
  });

  test('has its own rate limit', async () => {
    await start({ config: { requestsPerMinute: 20 } });
    const { key } = await create();
    const answers = [];
    // The first call of a key counts for its address, as if it were a guess.
    for (let call = 0; call < 22; call += 1) answers.push((await listVariants(key)).statusCode);
    expect(answers).toEqual([...Array(21).fill(200), 429]);
    // The limit is per key: another key and the member who created it are not limited. The member has already made one call.
    expect((await listVariants((await create()).key)).statusCode).toBe(200);
  });
});

/** The examples from the page: two for the shell, two in TypeScript. */
describe('the examples of the documentation', () => {
  const run = promisify(execFile);
  const GOOD = 'variant_name,gtin\nOil,61414105\nSoap,4006381333931\n';

  async function prepare() {
    await start();
    const made = await create();
    const folder = await mkdtemp(join(tmpdir(), 'api-key-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const url = await portal.app.listen({ host: '127.0.0.1', port: 0 });
    const { description } = (await portal.app.inject('/api/v1/openapi.json')).json().info;
    const blocks = [...description.matchAll(/```(sh|ts)\n(.*?)```/gs)].map(([, kind, text]) => ({ kind, text }));
    expect(blocks.map(({ kind }) => kind)).toEqual(['sh', 'ts', 'sh', 'ts']);
    const options = {
      cwd: folder,
      env: { ...process.env, PORTAL_URL: url, PORTAL_BRAND: String(brandId), PORTAL_KEY: made.key },
    };
    const runBlock = async (index: number) => {
      const { kind, text } = blocks[index] as { kind: string; text: string };
      const file = join(folder, `example.${kind === 'ts' ? 'mts' : 'sh'}`);
      await writeFile(file, text);
      return (await run(kind === 'ts' ? process.execPath : 'sh', [file], options)).stdout;
    };
    const uploadLines = blocks[1]?.text.split('\n').filter(Boolean).length;
    return { made, folder, uploadLines, runBlock };
  }

  test('in TypeScript upload a file, wait for its result, and list variants; the import is the key’s', {
    tags: 'empty-installation',
  }, async () => {
    const { made, folder, uploadLines, runBlock } = await prepare();
    await writeFile(join(folder, 'products.csv'), `${GOOD}Bad,123\n`);
    expect(uploadLines).toBeLessThanOrEqual(10);
    expect(await runBlock(1)).toMatch(/^2 of 3 rows imported \[\s*{\s*row: 4/);
    expect(await runBlock(3)).toMatch(/^2 variants\n[\s\S]*61414105 Oil not published/);
    const url = `/api/v1/brands/${brandId}/imports/`;
    const [imported] = (await portal.app.inject({ url, headers: admin.headers })).json().results;
    expect(imported.imported_by).toMatchObject({ first_name: 'Nightly upload', last_name: `(${made.prefix})` });
  });

  test('for the shell do the same', async ({ skip }) => {
    if (!(await run('curl', ['--version']).catch(() => undefined))) skip('there is no curl');
    const { folder, runBlock } = await prepare();
    await writeFile(join(folder, 'products.csv'), GOOD);
    expect(JSON.parse(await runBlock(0))).toMatchObject({ imported: 2, total_rows: 2, errors: [] });
    expect(JSON.parse(await runBlock(2))).toMatchObject({ count: 2 });
  });
});
