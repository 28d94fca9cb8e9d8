// @module-tag empty-installation
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateJobs } from '@brand-portal/server/queue/worker.ts';
import { addCertificate } from '@brand-portal/server/test/catalogue.ts';
import { createTestBrand, createTestMember, createTestUser } from '@brand-portal/server/test/people.ts';
import { runPortal } from '@brand-portal/server/test/run-portal.ts';
import { useTestDatabase } from '@brand-portal/server/test/test-database.ts';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';

async function usePortal() {
  const { db, pool, url } = await useTestDatabase();
  await migrateJobs(pool, pino({ level: 'silent' }));
  const portal = (...args: string[]) => runPortal(args, { DATABASE_URL: url, PUBLIC_URL: 'https://portal.example' });
  return { db, pool, url, portal };
}

function useFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'brand-portal-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('brand list shows the numbers, states and owners of the brands, and finds one', async () => {
  const { portal } = await usePortal();
  await portal('brand', 'create', '--name', 'Casa Verde', '--owner-email', 'ana@example.com', '--status', 'active');
  await portal('brand', 'create', '--name', 'Alder', '--owner-email', 'bo@example.com');
  const all = await portal('brand', 'list');
  expect(all.stdout).toMatch(
    /^NUMBER +NAME +STATUS +MEMBERS +OWNER\n2 +Alder +pending +0 +bo@example\.com \(invited\)\n1 +Casa Verde +active +0 +ana@example\.com \(invited\)\n$/,
  );
  const found = await portal('brand', 'list', '--search', 'verde', '--json');
  expect(JSON.parse(found.stdout)).toMatchObject([{ id: 1, name: 'Casa Verde', owner: { email: 'ana@example.com' } }]);
});

describe('brand create', () => {
  test('creates a brand and invites its owner', async () => {
    const { portal, pool } = await usePortal();
    const { code, stdout, stderr } = await portal(
      'brand',
      'create',
      '--name',
      'Casa Verde',
      '--owner-email',
      'ana@example.com',
      '--status',
      'active',
      '--website',
      'https://casaverde.example',
      '--description',
      'Tea',
      '--language',
      'es',
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Brand \d+ "Casa Verde" is created; ana@example\.com is invited by mail to own it\.\n$/);
    const { rows } = await pool.query(
      'select b.name, b.status, b.website, b.description, m.role, m.status as member, i.language from brands b join brand_members m on m.brand_id = b.id join invitations i using (brand_id, user_id)',
    );
    expect(rows).toEqual([
      {
        name: 'Casa Verde',
        status: 'active',
        website: 'https://casaverde.example',
        description: 'Tea',
        role: 'owner',
        member: 'invited',
        language: 'es',
      },
    ]);
    const jobs = await pool.query('select task_identifier from graphile_worker.jobs');
    expect(jobs.rows).toEqual([{ task_identifier: 'send_invitation' }]);
    const audit = await pool.query('select action, user_id from audit_log order by id');
    expect(audit.rows).toEqual([
      { action: 'brand.created', user_id: null },
      { action: 'member.invited', user_id: null },
    ]);
  });

  test.each([
    [['--name', 'X', '--owner-email', 'nonsense'], 'owner_email must be an e-mail address\n'],
    [['--name', 'X', '--owner-email', 'a'], 'owner_email must be an e-mail address\n'],
    [['--name', '', '--owner-email', 'a@example.com'], 'name must not be empty\n'],
    [['--name', ' ', '--owner-email', 'a@example.com'], 'name must not be empty\n'],
    [['--name', 'x'.repeat(201), '--owner-email', 'a@example.com'], 'name must have at most 200 characters\n'],
    [
      ['--name', 'X', '--owner-email', 'a@example.com', '--website', 'ftp://x'],
      'website must begin with http:// or https:// and have no spaces\n',
    ],
    [['--name', 'X', '--owner-email', 'a@example.com', '--status', 'odd'], 'Allowed choices are active, inactive, pending'],
    [['--name', 'X'], "required option '--owner-email <address>' not specified"],
  ])('%j is refused in one sentence', async (args, message) => {
    const { portal, pool } = await usePortal();
    const { code, stderr, stdout } = await portal('brand', 'create', ...args);
    expect(code).toBe(1);
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(stdout).toBe('');
    expect((await pool.query('select from brands')).rows).toHaveLength(0);
  });
});

describe('members', () => {
  test('are invited, listed and removed', async () => {
    const { portal, db } = await usePortal();
    const brandId = String(await createTestBrand(db));
    const owner = await createTestMember(db, Number(brandId), 'owner', 'Olivia Lindqvist');
    const ada = await createTestUser(db, 'Ada Byron');
    const invite = (email: string, ...more: string[]) =>
      portal('member', 'invite', '--brand', brandId, '--email', email, '--role', 'editor', ...more);

    expect((await invite('luis@example.com', '--first-name', 'Luis')).stdout).toBe('luis@example.com is invited by mail, as editor.\n');
    expect((await invite(ada.email)).stdout).toBe(`${ada.email} has an account and is a member now, as editor.\n`);
    expect(await invite('LUIS@example.com')).toEqual({ code: 1, stdout: '', stderr: 'User is already a member\n' });
    const nobody = ['--brand', '999', '--email', 'luis@example.com'];
    for (const command of [
      ['member', 'remove'],
      ['invitation', 'link'],
    ]) {
      expect((await portal(...command, ...nobody)).stderr).toBe('There is no such brand.\n');
    }

    const json = JSON.parse((await portal('member', 'list', '--brand', brandId, '--json')).stdout);
    expect(json).toMatchObject([
      { email: owner.email, role: 'owner', status: 'active' },
      { email: 'luis@example.com', first_name: 'Luis', role: 'editor', status: 'invited' },
      { email: ada.email, role: 'editor', status: 'active' },
    ]);
    const table = (await portal('member', 'list', '--brand', brandId)).stdout;
    expect(table).toMatch(/^ID +E-MAIL +ROLE +STATUS +NAME\n/);
    expect(table).toMatch(/luis@example\.com +editor +invited +Luis\n/);

    const remove = (email: string) => portal('member', 'remove', '--brand', brandId, '--email', email);
    expect((await remove('Luis@example.com')).code).toBe(0);
    expect(await remove('luis@example.com')).toMatchObject({ code: 1, stderr: 'User not found\n' });
    expect(await remove('nobody@example.com')).toMatchObject({ code: 1, stderr: 'User not found\n' });
    expect(await remove(owner.email)).toMatchObject({
      code: 1,
      stderr: 'A brand needs an owner: name another one first.\n',
    });
  }, 40_000);

  test('of a brand that does not exist are refused', async () => {
    const { portal } = await usePortal();
    const noBrand = { code: 1, stdout: '', stderr: 'There is no such brand.\n' };
    expect(await portal('member', 'list', '--brand', '77')).toEqual(noBrand);
    const invite = ['member', 'invite', '--brand', '77', '--email', 'a@example.com', '--role', 'viewer'];
    expect(await portal(...invite)).toEqual(noBrand);
    expect((await portal('member', 'list', '--brand', 'seven')).stderr).toContain('It must be a number such as 7');
  });
});

test('invitation link prints a fresh link and nothing else', async () => {
  const { portal, db, pool } = await usePortal();
  const brandId = String(await createTestBrand(db));
  const owner = await createTestMember(db, Number(brandId), 'owner');
  await portal('member', 'invite', '--brand', brandId, '--email', 'luis@example.com', '--role', 'viewer');
  const link = (email: string) => portal('invitation', 'link', '--brand', brandId, '--email', email);
  const { code, stdout } = await link('luis@example.com');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^https:\/\/portal\.example\/verify-email\?token=[\w-]{43}\n$/);
  const token = new URL(stdout.trim()).searchParams.get('token');
  const { rows } = await pool.query('select from invitations where token_hash = sha256($1::bytea)', [token]);
  expect(rows).toHaveLength(1);
  expect(await link(owner.email)).toMatchObject({ code: 1, stderr: 'User is already a member\n' });
});

test('the first platform staff of a fresh installation is made by one command, with a link to make the account', async () => {
  const { portal, pool } = await usePortal();
  const { code, stdout, stderr } = await portal('staff', 'grant', '--email', 'ada@example.com');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/\n.* within 7 days:\nhttps:\/\/portal\.example\/verify-email\?token=[\w-]{43}\n$/);
  expect((await pool.query('select email, is_staff from users')).rows).toEqual([{ email: 'ada@example.com', is_staff: true }]);
  expect(await portal('staff', 'grant', '--email', 'not an address')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('must be an e-mail address'),
  });
});

test('staff are granted and revoked, and both are in the audit log', async () => {
  const { portal, db, pool } = await usePortal();
  const ada = await createTestUser(db);
  const isStaff = async () => (await pool.query('select is_staff from users where id = $1', [ada.id])).rows[0].is_staff;
  expect((await portal('staff', 'grant', '--email', ada.email.toUpperCase())).code).toBe(0);
  expect(await isStaff()).toBe(true);
  expect((await portal('staff', 'revoke', '--email', ada.email)).code).toBe(0);
  expect(await isStaff()).toBe(false);
  expect(await portal('staff', 'revoke', '--email', 'nobody@example.com')).toMatchObject({
    code: 1,
    stderr: 'User not found\n',
  });
  const { rows } = await pool.query('select action, details from audit_log order by id');
  expect(rows).toEqual([
    { action: 'user.staff_granted', details: { user_id: ada.id } },
    { action: 'user.staff_revoked', details: { user_id: ada.id } },
  ]);
});

test('keys rotate adds a key, keys revoke deletes all, and both are in the audit log', async () => {
  const { portal, pool } = await usePortal();
  await pool.query("insert into embedded.idp_secrets (name, value) values ('cookie_keys', '[]'), ('signing_keys', '{}')");
  expect((await portal('keys', 'rotate')).code).toBe(0);
  expect((await pool.query('select from signing_keys')).rows).toHaveLength(1);

  expect((await portal('keys', 'revoke')).code).toBe(0);
  expect((await pool.query('select from signing_keys')).rows).toHaveLength(0);
  expect((await pool.query('select from embedded.idp_secrets')).rows).toHaveLength(0);
  const audit = await pool.query('select action from audit_log order by id');
  expect(audit.rows).toEqual([{ action: 'keys.rotated' }, { action: 'keys.revoked' }]);
});

test('password link prints a link for an account of the embedded provider, and nothing else', async () => {
  const { portal, pool } = await usePortal();
  await pool.query("insert into embedded.idp_accounts (email, password_hash) values ('ana@example.com', 'x')");
  const link = (email: string) => portal('password', 'link', '--email', email);
  const { code, stdout } = await link('Ana@example.com');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^https:\/\/portal\.example\/idp\/reset-password\?token=[\w-]{43}\n$/);
  const token = new URL(stdout.trim()).searchParams.get('token');
  const { rows } = await pool.query('select from embedded.idp_password_resets where token_hash = sha256($1::bytea)', [token]);
  expect(rows).toHaveLength(1);
  expect(await link('nobody@example.com')).toMatchObject({ code: 1, stderr: 'User not found\n' });
});

test('commands that print links say that without PUBLIC_URL they work on this machine only', async () => {
  const { db, pool, url } = await usePortal();
  const brand = String(await createTestBrand(db));
  await createTestMember(db, Number(brand), 'owner');
  const portal = (...args: string[]) => runPortal(args, { DATABASE_URL: url, PORT: '4000' });
  await portal('member', 'invite', '--brand', brand, '--email', 'luis@example.com', '--role', 'viewer');
  await pool.query("insert into embedded.idp_accounts (email, password_hash) values ('ana@example.com', 'x')");
  const today = new Date().toISOString().slice(0, 10);
  await addCertificate(db, Number(brand), { code: 'FSC-C000001', status: 'validated', expiresOn: today });
  for (const command of [
    ['invitation', 'link', '--brand', brand, '--email', 'luis@example.com'],
    ['password', 'link', '--email', 'ana@example.com'],
    ['certificates', 'mail', '--brand', brand],
  ]) {
    expect(await portal(...command)).toEqual({
      code: 0,
      stdout: expect.stringContaining('http://localhost:4000/'),
      stderr: 'Links to http://localhost:4000 work on this machine only. PUBLIC_URL sets another address.\n',
    });
  }
});

test('in a database without the tables of the stand-ins, commands work and do not create them', async () => {
  const { portal, pool } = await usePortal();
  await pool.query('drop schema embedded cascade');
  expect((await portal('keys', 'rotate')).code).toBe(0);
  expect((await pool.query('select from signing_keys')).rows).toHaveLength(1);
  expect((await portal('keys', 'revoke')).code).toBe(0);
  expect((await pool.query('select from signing_keys')).rows).toHaveLength(0);
  expect((await portal('demo', 'remove')).stdout).toBe('There are no demo people.\n');
  expect(await portal('password', 'link', '--email', 'ana@example.com')).toMatchObject({
    code: 1,
    stderr: 'User not found\n',
  });
  expect((await pool.query("select from pg_namespace where nspname = 'embedded'")).rows).toHaveLength(0);
}, 40_000);

describe('which installation', () => {
  test('is found by the data folder of a running embedded database', async () => {
    const { url } = await usePortal();
    const folder = useFolder();
    mkdirSync(join(folder, 'postgres'));
    writeFileSync(join(folder, 'postgres', 'connection.json'), JSON.stringify({ url }));
    expect((await runPortal(['keys', 'rotate'], { DATA_DIR: folder })).code).toBe(0);
  });

  test.each([
    ['an empty folder', undefined],
    ['a folder whose server was stopped', { url: 'postgres://postgres:secret@127.0.0.1:9/postgres' }],
    ['a broken file', 'broken'],
  ])('%s is reported in one sentence, without a password', async (_name, connection) => {
    const folder = useFolder();
    mkdirSync(join(folder, 'postgres'));
    if (connection) writeFileSync(join(folder, 'postgres', 'connection.json'), JSON.stringify(connection).slice(0, 80));
    expect(await runPortal(['keys', 'rotate'], { DATA_DIR: folder })).toEqual({
      code: 1,
      stdout: '',
      stderr: `No Brand Portal is running on ${folder}: start it with "npm start", or name its database with DATABASE_URL.\n`,
    });
  });

  test('a DATABASE_URL that does not answer is reported in one sentence', async () => {
    const { code, stderr } = await runPortal(['keys', 'rotate'], {
      DATABASE_URL: 'postgres://u:secret@127.0.0.1:9/db',
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^The database that DATABASE_URL names cannot be reached: .*\.\n$/);
    expect(stderr).not.toContain('secret');
  });

  test.each(['kysely_migration', 'embedded.kysely_embedded_migration'])(
    'a database whose migrations in %s are incomplete is not changed',
    async (applied) => {
      const { pool, portal } = await usePortal();
      await pool.query(`delete from ${applied}`);
      expect(await portal('keys', 'revoke')).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/^The database is not up to date: start the server once to apply 0001_\w+.*\.\n$/),
      });
      expect((await pool.query('select from audit_log')).rows).toEqual([]);
    },
  );

  test('a database of a later version is not changed', async () => {
    const { pool, portal } = await usePortal();
    await pool.query("insert into kysely_migration (name, timestamp) values ('9999_future', '2030-01-01')");
    expect((await portal('keys', 'rotate')).stderr).toContain('does not know its migration 9999_future');
  });

  test.each(['users.language', 'embedded.idp_accounts.password_hash'])(
    'a database that lacks the column %s is not changed',
    async (column) => {
      const { pool, portal } = await usePortal();
      const [, table, name] = /^(.*)\.(\w+)$/.exec(column) ?? [];
      await pool.query(`alter table ${table} drop column ${name}`);
      expect((await portal('password', 'link', '--email', 'ana@example.com')).stderr).toContain(
        `lacks ${column.replace('embedded.', '')}, although all migrations are applied`,
      );
    },
  );
});

test.each([
  [[]],
  [['brand', 'create']],
  [['member', 'invite']],
  [['invitation', 'link']],
  [['staff', 'grant']],
  [['keys', 'rotate']],
  [['keys', 'revoke']],
  [['demo', 'remove']],
  [['password', 'link']],
])('help for %j has an example', async (command) => {
  const { code, stdout } = await runPortal([...command, '--help'], {});
  expect(code).toBe(0);
  expect(stdout).toContain(`npm run portal -- ${command.join(' ')}`);
  expect((await runPortal(['help', ...command], {})).stdout).toBe(stdout);
});
