import type { BrandList } from '@brand-portal/contract/brands';
import pg from 'pg';
import { describe, expect, test, vi } from 'vitest';
import { createTestBrand, createTestMember, createTestUser } from '../../../test/people.ts';
import { useTestApp } from '../../../test/test-app.ts';
import { addMember } from '../members/memberships.ts';

async function useBrand() {
  const { app, database } = await useTestApp();
  const { db } = database;
  const brandId = await createTestBrand(db, 'Acme');
  const owner = await createTestMember(db, brandId, 'owner', 'Olivia Lindqvist');
  const url = `/api/v1/brands/${brandId}/`;
  return { app, database, db, brandId, owner, url };
}

interface Plan {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

/** Rows that every node of a plan read, including those a filter removed. */
function rowsRead(plan: Plan): number {
  const own = (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'];
  return own + (plan.Plans ?? []).reduce((sum, child) => sum + rowsRead(child), 0);
}

describe('the list of brands', () => {
  // spec: §3 brand, §3 brand list, §7 brands
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
          status: 'active',
          opted_in_for_trial: false,
          description: '',
          member_count: 2,
          owner: { first_name: 'Olivia', last_name: 'Lindqvist' },
        },
        expect.objectContaining({ name: 'bakery', owner: { first_name: 'Eduardo', last_name: 'Marín' } }),
      ],
    });
  });

  test('names an active owner rather than an invited one', async () => {
    const { app, database, db, brandId, owner } = await useBrand();
    const invited = await createTestUser(db, 'Ines Invited');
    await addMember(db, { brandId, userId: invited.id, role: 'owner', status: 'invited' });
    await database.pool.query(`update brand_members set created_at = '2020-01-01' where status = 'invited'`);
    const answer = await app.inject({ url: '/api/v1/brands/', headers: owner.headers });
    expect(answer.json().results[0].owner).toEqual({ first_name: 'Olivia', last_name: 'Lindqvist' });
  });

  test('is empty for someone without a membership', async () => {
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

  // spec: §1 own brands only
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

    // Warm-up: the first request of a server also reads the signing keys.
    await app.inject({ url: '/api/v1/brands/', headers: owner.headers });
    const queries = vi.spyOn(pg.Client.prototype, 'query');
    const answer = await app.inject({ url: '/api/v1/brands/', headers: owner.headers });
    const [statement, parameters] = queries.mock.calls.at(-1) as unknown as [{ text: string }, unknown[]];
    const count = queries.mock.calls.length;
    queries.mockRestore();
    expect((answer.json() as BrandList).results.map(({ id }) => id)).toEqual([brandId, secondId]);
    // One query for the session, one for the list.
    expect(count).toBe(2);
    const explain = `explain (analyze, format json) ${typeof statement === 'string' ? statement : statement.text}`;
    const { rows } = await database.pool.query(explain, parameters);
    expect(rowsRead(rows[0]['QUERY PLAN'][0].Plan)).toBeLessThan(50);
  });
});

describe('one brand', () => {
  // spec: §7 brand
  test('is visible to its members', async () => {
    const { app, owner, url, brandId } = await useBrand();
    expect((await app.inject({ url, headers: owner.headers })).json()).toMatchObject({ id: brandId, name: 'Acme' });
  });

  // spec: §6 visible brands
  test('is answered to others like a brand that does not exist', async () => {
    const { app, db, owner, url } = await useBrand();
    const stranger = await createTestUser(db);
    const foreign = await app.inject({ url, headers: stranger.headers });
    const missing = await app.inject({ url: '/api/v1/brands/999999/', headers: owner.headers });
    for (const answer of [foreign, missing]) {
      expect(answer.statusCode).toBe(404);
      expect(answer.json()).toMatchObject({ code: 'brand_not_found', detail: 'There is no such brand.' });
    }
  });

  test.each(['abc', '0', '-1', '1.5', '99999999999999999999', '1e999'])('is refused with the invalid id %s', async (id) => {
    const { app, owner } = await useBrand();
    const answer = await app.inject({ url: `/api/v1/brands/${id}/`, headers: owner.headers });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ code: 'validation_failed', fields: { brandId: expect.any(String) } });
  });
});

describe('changing a brand', () => {
  const change = { name: '  Acme Foods ', website: 'https://acme.example', description: 'Good food', status: 'active' };

  // spec: §7 change brand
  test('is for admins, trims the name and answers the brand', async () => {
    const { app, db, brandId, url } = await useBrand();
    const admin = await createTestMember(db, brandId, 'admin');
    const answer = await app.inject({ method: 'PATCH', url, headers: admin.headers, body: change });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ ...change, name: 'Acme Foods' });
  });

  test('is refused to editors as permission denied', async () => {
    const { app, db, brandId, url } = await useBrand();
    const editor = await createTestMember(db, brandId, 'editor');
    const answer = await app.inject({ method: 'PATCH', url, headers: editor.headers, body: change });
    expect(answer.statusCode).toBe(403);
    expect(answer.json()).toMatchObject({ code: 'permission_denied', detail: 'Permission denied' });
  });

  // spec: §3 brand status
  test.each([
    [{ name: '   ' }, 'name'],
    [{ name: '\u202e' }, 'name'],
    [{ name: 'x'.repeat(201) }, 'name'],
    [{ website: 'javascript:alert(1)' }, 'website'],
    [{ website: 'https://' }, 'website'],
    [{ website: 'https://exa mple.com' }, 'website'],
    [{ website: 'http://[' }, 'website'],
    [{ logo: 'data:image/svg+xml,<svg/>' }, 'logo'],
    [{ logo: '//evil.example/logo.png' }, 'logo'],
    [{ logo: 'http://example.com/logo.png' }, 'logo'],
    [{ logo: '/idp/v2/logout' }, 'logo'],
    [{ logo: 'https://ana@example.com/logo.png' }, 'logo'],
    [{ logo: 'https://ana:secret@example.com/logo.png' }, 'logo'],
    [{ logo: 'https://192.168.0.1/logo.png' }, 'logo'],
    [{ logo: 'https://3232235521/logo.png' }, 'logo'],
    [{ logo: 'https://0x7f.1/logo.png' }, 'logo'],
    [{ logo: 'https://127。0。0。1/logo.png' }, 'logo'],
    [{ logo: 'https://[::1]/logo.png' }, 'logo'],
    [{ logo: 'https://localhost/logo.png' }, 'logo'],
    [{ logo: 'https://a.LOCALHOST./logo.png' }, 'logo'],
    [{ logo: 'https://a.ｌｏｃａｌｈｏｓｔ/logo.png' }, 'logo'],
    [{ name: '\u200b\u2060\u00ad' }, 'name'],
    [{ status: 'gone' }, 'status'],
    [{ description: 'x'.repeat(2001) }, 'description'],
    [{ name: 'nul\u0000' }, 'name'],
    [{ name: 'half \ud800 pair' }, 'name'],
  ])('refuses %j, naming the field', async (body, field) => {
    const { app, owner, url } = await useBrand();
    const answer = await app.inject({ method: 'PATCH', url, headers: owner.headers, body });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ code: 'validation_failed', fields: { [field]: expect.any(String) } });
  });

  test('refuses an empty change, and fields that cannot be changed or do not exist', async () => {
    const { app, owner, url } = await useBrand();
    const change = async (body: object) => (await app.inject({ method: 'PATCH', url, headers: owner.headers, body })).json();
    expect(await change({})).toMatchObject({ code: 'validation_failed' });
    for (const body of [{ opted_in_for_trial: true }, { id: 7 }, { member_count: 9 }, { role: 'admin' }]) {
      const fields = { [Object.keys(body)[0] ?? '']: 'cannot be changed here' };
      expect(await change({ ...body, description: 'new' })).toMatchObject({ fields });
    }
    const owned = { owner: { first_name: 'Eve', last_name: '' } };
    expect(await change(owned)).toMatchObject({ fields: { owner: 'cannot be changed here' } });
    expect(await change({ nmae: 'Acme' })).toMatchObject({ fields: { nmae: 'is not known' } });
    expect((await app.inject({ url, headers: owner.headers })).json()).toMatchObject({ description: '' });
  });

  test('refuses another status with whom to ask, and accepts the current one', async () => {
    const { app, database, owner, url } = await useBrand();
    const change = (body: object) => app.inject({ method: 'PATCH', url, headers: owner.headers, body });
    for (const status of ['inactive', 'pending']) {
      const answer = await change({ status, description: 'new' });
      expect(answer.statusCode).toBe(403);
      const { support_email: ask } = (await app.inject('/api/v1/auth0/config/')).json();
      expect(answer.json()).toMatchObject({ code: 'brand_status_fixed', context: { ask } });
    }
    expect((await change({ status: 'active' })).json()).toMatchObject({ description: '', version: 1 });
    await database.pool.query(`update brands set status = 'pending'`);
    expect((await change({ status: 'active' })).statusCode).toBe(403);
    expect((await change({ status: 'pending', description: 'new' })).json()).toMatchObject({
      status: 'pending',
      description: 'new',
    });
  });

  test('takes the whole answer back, with what has changed', async () => {
    const { app, owner, url } = await useBrand();
    const brand = (await app.inject({ url, headers: owner.headers })).json();
    const body = { ...brand, description: 'new' };
    const answer = await app.inject({ method: 'PATCH', url, headers: owner.headers, body });
    expect(answer.json()).toMatchObject({ description: 'new', version: brand.version + 1 });
  });
});

test.each([
  'https://cdn.example.com:8443/a/logo.png?v=2',
  'https://xn--bcher-kva.example/logo.png',
  'https://niño.example/logo.png',
  'https://localhost.example/l@go.png',
])('%s is a logo', async (logo) => {
  const { app, owner, url } = await useBrand();
  const answer = await app.inject({ method: 'PATCH', url, headers: owner.headers, body: { logo } });
  expect(answer.json()).toMatchObject({ logo });
});

test('a logo of before, which would be refused today, can be sent back and removed', async () => {
  const { app, db, brandId, owner, url } = await useBrand();
  const logo = 'http://10.0.0.1/logo.png';
  await db.updateTable('brands').set({ logo }).where('id', '=', brandId).execute();
  const save = (body: object) => app.inject({ method: 'PATCH', url, headers: owner.headers, body });
  expect((await save({ logo, name: 'New' })).json()).toMatchObject({ logo, name: 'New' });
  expect((await save({ logo: '' })).json()).toMatchObject({ logo: '' });
  expect((await save({ logo })).statusCode).toBe(400);
});

test('a name is stored without what is not seen, but with the joiners of its script', async () => {
  const { app, owner, url } = await useBrand();
  const save = async (name: string) => (await app.inject({ method: 'PATCH', url, headers: owner.headers, body: { name } })).json().name;
  expect(await save('Ac\u200bme\u00ad \u2060Foo\u200dds\u180e')).toBe('Acme Foods');
  expect(await save('می\u200cخواهم')).toBe('می\u200cخواهم');
});

describe('concurrent changes of a brand', () => {
  test('the second one is refused with the current values, and can overwrite them with the new version', async () => {
    const { app, owner, url } = await useBrand();
    const { version } = (await app.inject({ url, headers: owner.headers })).json();
    const save = (body: object) => app.inject({ method: 'PATCH', url, headers: owner.headers, body });
    const first = await save({ version, name: 'Theirs', website: 'https://theirs.example' });
    expect(first.json()).toMatchObject({ name: 'Theirs', version: version + 1 });
    const second = await save({ version, name: 'Mine' });
    expect(second.statusCode).toBe(409);
    expect(second.json()).toMatchObject({
      code: 'brand_changed',
      context: {
        name: 'Theirs',
        website: 'https://theirs.example',
        description: '',
        logo: '',
        version: String(version + 1),
      },
    });
    expect((await save({ version: version + 1, name: 'Mine' })).json()).toMatchObject({ name: 'Mine' });
    // Without a version there is no check for concurrent edits.
    expect((await save({ name: 'Without' })).statusCode).toBe(200);
  });
});

describe('the trial', () => {
  // spec: §4 opt-in, §7 opt-in trial
  test('starts once, even with repeated calls', async () => {
    const { app, database, db, brandId, url } = await useBrand();
    const editor = await createTestMember(db, brandId, 'editor');
    const start = () => app.inject({ method: 'POST', url: `${url}opt-in-trial/`, headers: editor.headers });
    const answers = await Promise.all([start(), start(), start()]);
    for (const answer of answers) expect(answer.json()).toMatchObject({ opted_in_for_trial: true });
    const { rows } = await database.pool.query(`select action from audit_log where action like '%trial%'`);
    expect(rows).toEqual([{ action: 'brand.trial_started' }]);
  });

  test('is refused to viewers', async () => {
    const { app, db, brandId, url } = await useBrand();
    const viewer = await createTestMember(db, brandId, 'viewer');
    const answer = await app.inject({ method: 'POST', url: `${url}opt-in-trial/`, headers: viewer.headers });
    expect(answer.statusCode).toBe(403);
  });
});

test('a name is stored trimmed, also in the audit log', async () => {
  const { database, db } = await useBrand();
  const brandId = await createTestBrand(db, '  Bakery ');
  const { rows } = await database.pool.query(
    'select b.name, a.details from brands b join audit_log a on a.brand_id = b.id where b.id = $1',
    [brandId],
  );
  expect(rows).toEqual([{ name: 'Bakery', details: { name: 'Bakery' } }]);
});

test('a name is one line without codes for terminals and text directions, because operators and other members read it', async () => {
  const { app, owner, url } = await useBrand();
  const payload = { name: 'Casa\r\nVerde \u001b[2J\u202eTea' };
  const answer = await app.inject({ method: 'PATCH', url, headers: owner.headers, payload });
  expect(answer.json().name).toBe('Casa Verde [2JTea');
});

test('every change is in the audit log, with its user, also after the brand is deleted', async () => {
  const { app, database, brandId, owner, url } = await useBrand();
  await app.inject({ method: 'PATCH', url, headers: owner.headers, body: { description: 'new' } });
  await app.inject({ method: 'POST', url: `${url}opt-in-trial/`, headers: owner.headers });
  await app.inject({ method: 'DELETE', url, headers: owner.headers });
  const { rows } = await database.pool.query('select action, user_id, details from audit_log where brand_id = $1 order by id', [brandId]);
  expect(rows).toEqual([
    { action: 'brand.created', user_id: null, details: { name: 'Acme' } },
    { action: 'brand.updated', user_id: owner.id, details: { description: 'new' } },
    { action: 'brand.trial_started', user_id: owner.id, details: {} },
    { action: 'brand.deleted', user_id: owner.id, details: { name: 'Acme' } },
  ]);
});

test("a brand's answer has the role of the caller", async () => {
  const { app, db, brandId } = await useBrand();
  const viewer = await createTestMember(db, brandId, 'viewer');
  const answer = await app.inject({ url: `/api/v1/brands/${brandId}/`, headers: viewer.headers });
  expect(answer.json()).toMatchObject({ id: brandId, role: 'viewer' });
});

test("a brand's answer tells its only active owner that they are the last one", async () => {
  const { app, db, brandId, owner, url } = await useBrand();
  const editor = await createTestMember(db, brandId, 'editor');
  const invited = await createTestUser(db);
  await addMember(db, { brandId, userId: invited.id, role: 'owner', status: 'invited' });
  const isLast = async ({ headers }: typeof owner) => (await app.inject({ url, headers })).json().is_last_owner;
  expect([await isLast(owner), await isLast(editor)]).toEqual([true, false]);
  await createTestMember(db, brandId, 'owner');
  expect(await isLast(owner)).toBe(false);
});
