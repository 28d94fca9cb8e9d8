// @module-tag empty-installation

import { getConnection } from '@brand-portal/server/channel/connections.ts';
import type { Db } from '@brand-portal/server/db/database.ts';
import { readConfig } from '@brand-portal/server/lib/config.ts';
import { StartupError } from '@brand-portal/server/lib/errors.ts';
import { listBrandIds } from '@brand-portal/server/people/brands/brands.ts';
import { useTestDatabase } from '@brand-portal/server/test/test-database.ts';
import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { listDemoPeople } from './demo-data.ts';
import { embedded } from './stand-ins.ts';

async function bring(env: Record<string, string>, known?: Db) {
  const db = known ?? (await useTestDatabase()).db;
  const stopper = {
    signal: new AbortController().signal,
    onStop: (action: () => Promise<void>) => onTestFinished(action),
    start: vi.fn(),
    stop: vi.fn(),
  };
  const logger = pino({ level: 'silent' });
  const standIns = await embedded.startStandIns({ config: readConfig(env), logger, stopper, db });
  const names = Object.entries(standIns).flatMap(([name, part]) => (part === undefined ? [] : [name]));
  return { db, standIns, names: names.sort() };
}

const DATABASE = { DATABASE_URL: 'postgres://user:password@127.0.0.1:9/portal' };
const AUTH0 = { AUTH0_DOMAIN: 'tenant.example', AUTH0_CLIENT_ID: 'id' };
const SMTP = { SMTP_URL: 'smtp://127.0.0.1:9' };
const CHANNEL = { CHANNEL_ACCOUNT: '123', GOOGLE_APPLICATION_CREDENTIALS: '/key.json' };
const PRODUCTION = { NODE_ENV: 'production' };
const ALLOWED = { ALLOW_EMBEDDED_IDENTITY: 'true' };

test.each([
  [{}, ['channel', 'identity', 'mail']],
  [AUTH0, ['channel', 'mail']],
  // One without the other is a configuration error that the server reports, not a request for the embedded provider.
  [{ AUTH0_DOMAIN: 'tenant.example' }, ['channel', 'mail']],
  [{ AUTH0_CLIENT_ID: 'id' }, ['channel', 'mail']],
  [SMTP, ['channel', 'identity']],
  [CHANNEL, ['identity', 'mail']],
  [{ ...AUTH0, ...SMTP, ...CHANNEL }, []],
  [{ ...PRODUCTION, ...AUTH0 }, []],
  [{ ...PRODUCTION, ...AUTH0, ...ALLOWED }, []],
  [{ ...PRODUCTION, ...ALLOWED }, ['identity']],
])('with %o and an external database the server uses the stand-ins %j, and has no demo data', async (env, expected) => {
  const { db, names } = await bring({ ...DATABASE, ...env });
  expect(names).toEqual(expected);
  expect(await listDemoPeople(db)).toEqual([]);
});

test('in production the embedded identity provider must be allowed explicitly', async () => {
  const failure = await bring({ ...DATABASE, ...PRODUCTION }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(StartupError);
  expect((failure as Error).message).toBe(
    'No identity provider is configured: set AUTH0_DOMAIN and AUTH0_CLIENT_ID, or ALLOW_EMBEDDED_IDENTITY=true to run the embedded one in production.',
  );
});

test('the embedded database has demo data, and the log says how to sign in, but not in production', async () => {
  const { db, standIns } = await bring({});
  expect(await listDemoPeople(db)).toHaveLength(3);
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  await standIns.greet?.();
  const greeting = String(write.mock.lastCall?.[0]);
  write.mockRestore();
  expect(greeting).toContain('http://localhost:3000 and sign in with the password');
  expect(greeting).toContain('olivia.owner@demo.example');

  const production = await bring({ ...PRODUCTION, ...ALLOWED });
  expect(production.names).toEqual(['identity']);
  expect(await listDemoPeople(production.db)).toEqual([]);
}, 60_000);

test('demo brands are connected to the emulator, and no longer once there is a real account', async () => {
  const statesOf = async (db: Db) => {
    const states = [];
    for (const id of await listBrandIds(db)) states.push((await getConnection(db, id)).state);
    return states;
  };
  const { db } = await bring({});
  expect(await statesOf(db)).toContain('connected');
  await bring({ ...DATABASE, ...PRODUCTION, ...AUTH0, ...CHANNEL }, db);
  expect(await statesOf(db)).not.toContain('connected');

  const fresh = await bring(CHANNEL);
  expect(await listDemoPeople(fresh.db)).toHaveLength(3);
  expect(await statesOf(fresh.db)).not.toContain('connected');
}, 60_000);
