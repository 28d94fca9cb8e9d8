// @module-tag empty-installation
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createTestBrand } from '../../../test/people.ts';
import { runPortal } from '../../../test/run-portal.ts';
import { useTestDatabase } from '../../../test/test-database.ts';

async function useBrand() {
  const { db, pool, url } = await useTestDatabase();
  const brand = String(await createTestBrand(db, 'Acme'));
  const key = randomBytes(32).toString('base64');
  const portal = (...args: string[]) => runPortal(args, { DATABASE_URL: url });
  const withKey = (...args: string[]) => runPortal(args, { DATABASE_URL: url, CHANNEL_ENCRYPTION_KEY: key });
  const place = ['--brand', brand, '--countries', 'de, AT', '--language', 'de', '--registered-name', 'ACME'];
  const connect = (...args: string[]) => portal('channel', 'connect', ...place, ...args);
  const show = async () => JSON.parse((await portal('channel', 'show', '--brand', brand, '--json')).stdout);
  const folder = mkdtempSync(join(tmpdir(), 'brand-portal-key-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return { pool, portal, withKey, place, connect, show, brand, keyFile: join(folder, 'key.json') };
}

test('a brand waits for its link, is connected, reconnected and disconnected; each is in the audit log', async () => {
  const { connect, show, portal, brand, pool } = await useBrand();
  expect(await show()).toMatchObject({ state: 'not_connected', countries: [] });
  expect((await connect()).stdout).toContain(`Brand ${brand} waits for its link`);
  expect(await show()).toMatchObject({ state: 'waiting', client_id: null, countries: ['DE', 'AT'] });
  expect((await connect('--client-id', '4711')).stdout).toBe(`Brand ${brand} is connected.\n`);
  const connected = { state: 'connected', kind: 'partner', client_id: '4711', account: null, registered_name: 'ACME' };
  expect(await show()).toMatchObject(connected);
  expect((await portal('channel', 'show', '--brand', brand)).stdout).toMatch(/client_id +4711\n/);
  const disconnect = () => portal('channel', 'disconnect', '--brand', brand);
  expect((await disconnect()).stdout).toBe(`Brand ${brand} is no longer connected.\n`);
  expect((await disconnect()).stdout).toBe(`Brand ${brand} was not connected.\n`);
  const { rows } = await pool.query("select action from audit_log where action like 'channel.%' order by id");
  expect(rows.map(({ action }) => action)).toEqual(['channel.connected', 'channel.connected', 'channel.disconnected']);
});

const MANY_COUNTRIES =
  'AD,AE,AF,AG,AI,AL,AM,AO,AR,AS,AT,AU,AW,AZ,BA,BB,BD,BE,BF,BG,BH,BI,BJ,BM,BN,BO,BR,BS,BT,BW,BY,BZ,CA,CD,CF,CG,CH,CI,CK,CL,CM,CN,CO,CR,CU,CV,CY,CZ,DE,DJ,DK';

test.each([
  [['--countries', 'XQ'], 'countries must be country codes such as DE, but has XQ'],
  [['--countries', 'DE,DE'], 'countries must not name a country twice'],
  [['--language', 'xx'], 'language must be a language code such as de'],
  [['--language', 'german'], 'language must be a language code such as de'],
  [['--client-id', 'a b'], 'client_id must be the client id of the link'],
  [['--kind', 'own'], '--kind own needs --account and --key-file.'],
  [['--kind', 'shop'], 'Allowed choices are partner, own.'],
  [['--brand', '999'], 'There is no such brand.'],
  [['--registered-name', ' '], 'registered_name must have 1 to 200 characters'],
  [['--registered-name', 'x'.repeat(201)], 'registered_name must have 1 to 200 characters'],
  [['--countries', MANY_COUNTRIES], 'countries must be at most 50'],
])('%j is refused in one sentence', async (args, sentence) => {
  const { connect, show } = await useBrand();
  const { code, stderr } = await connect(...args);
  expect(code).toBe(1);
  expect(stderr).toContain(sentence);
  expect((await show()).state).toBe('not_connected');
});

test("the key of a brand's own account is stored encrypted, and shown nowhere", async () => {
  const { portal, withKey, place, show, pool, keyFile } = await useBrand();
  const link = ['emulator', 'link', '--registered-name', 'ACME'];
  expect((await portal(...link, '--account', '2000002', '--key-file', keyFile)).code).toBe(0);
  expect(existsSync(keyFile)).toBe(true);
  const own = ['channel', 'connect', ...place, '--kind', 'own', '--account', '2000002', '--key-file', keyFile];
  expect((await portal(...own)).stderr).toContain('CHANNEL_ENCRYPTION_KEY must be set');
  const { code, stdout } = await withKey(...own);
  expect(code).toBe(0);
  expect(await show()).toMatchObject({ state: 'connected', kind: 'own', account: '2000002', client_id: null });
  const { rows } = await pool.query(
    `select encode(credentials, 'escape') as sealed from channel_connections
     union all select details::text from audit_log`,
  );
  for (const text of [stdout, JSON.stringify(await show()), ...rows.map(({ sealed }) => sealed)]) {
    expect(text).not.toMatch(/PRIVATE KEY|client_email/);
  }
});

test('a link is added to the emulator by client id or by account, not by both', async () => {
  const { portal, pool } = await useBrand();
  const link = (...args: string[]) => portal('emulator', 'link', '--registered-name', 'ACME', ...args);
  expect((await link('--client-id', '77')).stdout).toBe('The emulator knows "ACME" now.\n');
  expect((await link('--client-id', '77')).code).toBe(0);
  for (const args of [[], ['--client-id', '77', '--account', '2']]) {
    expect(await link(...args)).toMatchObject({ code: 1, stderr: 'Name either --client-id or --account.\n' });
  }
  expect(await link('--account', '2', '--key-file', '/nowhere/key.json')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'The file that --key-file names cannot be written: /nowhere/key.json (ENOENT).\n',
  });
  const { rows } = await pool.query('select account, client_id, brand from embedded.channel_emulator_links');
  expect(rows).toEqual([{ account: '1000001', client_id: '77', brand: 'ACME' }]);
});

test('the connection of a brand that does not exist is not shown', async () => {
  const { portal } = await useBrand();
  expect(await portal('channel', 'show', '--brand', '999')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'There is no such brand.\n',
  });
});
