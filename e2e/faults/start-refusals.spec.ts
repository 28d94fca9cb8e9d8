import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { freePort } from '../../scripts/free-port.ts';
import { makeDataFolder, removeDataFolder } from '../support/data-folder.ts';
import { expect, expectCleanStop, expectReady, expectRefusal, test } from '../support/fault.ts';
import { portalOf } from '../support/portal.ts';
import { databaseUrl, withConnection } from '../support/probe.ts';
import { processesOf } from '../support/processes.ts';

test.describe.configure({ timeout: 60_000 });
test.use({ emptyFolder: true });

const SECRET = 'not-for-the-log';
const BAD_ADDRESSES = [
  { what: 'is no address', url: `user:${SECRET}` },
  { what: 'is of another kind', url: `mysql://user:${SECRET}@localhost/portal` },
  { what: 'names a port without a database', url: `postgres://user:${SECRET}@127.0.0.1:1/portal` },
  { what: 'names a host that does not exist', url: `postgres://user:${SECRET}@database.invalid/portal` },
  { what: 'has a port that is no number', url: `postgres://user:${SECRET}@127.0.0.1:port/portal` },
];
for (const [index, { what, url }] of BAD_ADDRESSES.entries()) {
  const tag = index === 0 ? [] : '@release';
  test(`a DATABASE_URL that ${what} is reported in one sentence, without its password`, { tag }, async ({ launch }) => {
    const server = await launch({ env: { DATABASE_URL: url } });
    await expectRefusal(server, /DATABASE_URL/);
    expect(server.log).not.toContain(SECRET);
  });
}

test('a database that accepts connections and never answers is reported in one sentence', { tag: '@release' }, async ({ launch }) => {
  const silent = createServer();
  const port = await freePort();
  await new Promise<void>((resolve) => silent.listen(port, '127.0.0.1', resolve));
  try {
    const server = await launch({ env: { DATABASE_URL: `postgres://user:${SECRET}@127.0.0.1:${port}/portal` } });
    await expectRefusal(server, /DATABASE_URL/);
  } finally {
    silent.close();
  }
});

test('a data folder that cannot be created is reported in one sentence', { tag: '@release' }, async ({ launch, dataDir }) => {
  const file = join(dataDir, 'a-file');
  writeFileSync(file, '');
  // The tests may run as root, which ignores permission bits. These paths fail for root too.
  const impossible = [join(file, 'below'), ...(process.platform === 'linux' ? ['/proc/brand-portal'] : [])];
  for (const folder of impossible) {
    const server = await launch({ dataDir: folder });
    await expectRefusal(server, /DATA_DIR/);
    expect(server.errors).toContain(folder);
  }
});

test('an invalid setting is reported in one sentence that names it', async ({ launch }) => {
  const nonsense = { PORT: 'eighty', PUBLIC_URL: 'portal.example', LOG_LEVEL: 'loud' };
  for (const [name, value] of Object.entries(nonsense)) {
    await expectRefusal(await launch({ env: { [name]: value } }), new RegExp(`^${name} .*"${value}"`));
  }
});

test('production has no demo users, whose password is public', { tag: '@release' }, async ({ launch, dataDir }) => {
  const env = { NODE_ENV: 'production', ALLOW_EMBEDDED_IDENTITY: 'true' };
  const server = await (await launch({ env })).ready();
  const users = await withConnection(databaseUrl(dataDir), (client) => client.query('select email from users'));
  expect(users.rows).toEqual([]);
  expect(server.log).not.toContain('demo');
  await expectCleanStop(server);
});

/** With a used folder: a first start would take longer than the tests themselves. */
test.describe('beside a running server', () => {
  test.use({ emptyFolder: false });

  test('a second server on the same port says so and leaves the first alone', { tag: '@release' }, async ({ launch }) => {
    const first = await (await launch()).ready();
    const otherFolder = await makeDataFolder();
    try {
      const second = await launch({ port: first.port, dataDir: otherFolder });
      await expectRefusal(second, new RegExp(`^Port ${first.port} .*PORT`));
      expect(processesOf(otherFolder)).toEqual([]);
    } finally {
      await removeDataFolder(otherFolder);
    }
    await expectReady(first);
    await expectCleanStop(first);
  });

  test('a second server on the same data folder says so and leaves the first alone', async ({ launch, dataDir }) => {
    const first = await (await launch()).ready();
    const second = await launch();
    await expectRefusal(second, /DATA_DIR/);
    expect(second.errors).toContain(dataDir);
    await expectReady(first);
    await expectCleanStop(first);
  });

  test('a DATABASE_URL with a wrong password or database is reported in one sentence', { tag: '@release' }, async ({ launch, dataDir }) => {
    const owner = await (await launch()).ready();
    const good = databaseUrl(dataDir);
    const wrongPassword = Object.assign(new URL(good), { password: SECRET }).href;
    const wrongDatabase = Object.assign(new URL(good), { pathname: '/no_such_database' }).href;
    for (const url of [wrongPassword, wrongDatabase]) {
      const server = await launch({ env: { DATABASE_URL: url } });
      await expectRefusal(server, /DATABASE_URL/);
      expect(server.log).not.toContain(new URL(url).password);
    }
    await expectCleanStop(owner);
  });
});

test.describe('a data folder with demo people', { tag: '@release' }, () => {
  test.use({ emptyFolder: false });

  test('does not start in production until they are removed, by a command that needs no server', async ({ launch, dataDir }) => {
    // In the pretty format a refusal is one sentence on stderr, in JSON a line of the log.
    const env = { NODE_ENV: 'production', LOG_FORMAT: 'pretty', ALLOW_EMBEDDED_IDENTITY: 'true' };
    await expectRefusal(await launch({ env }), /demo remove/);
    expect(await portalOf(dataDir, 'demo', 'remove')).toContain('olivia.owner@demo.example');
    expect(processesOf(dataDir)).toEqual([]);
    const server = await (await launch({ env })).ready();
    const users = await withConnection(databaseUrl(dataDir), (client) => client.query('select email from users'));
    expect(users.rows).toEqual([]);
    await expectCleanStop(server);
  });
});
