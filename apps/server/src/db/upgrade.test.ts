// @module-tag empty-installation
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { describe, expect, inject, test, vi } from 'vitest';
import { expectDerivedData } from '../../test/catalogue.ts';
import { listDifferences, numbersOf } from '../../test/released/numbers.ts';
import { RELEASES, readReleased, useReleasedDatabase } from '../../test/released/released.ts';
import { readDump } from '../../test/schema.ts';
import { useOwnApp } from '../../test/test-app.ts';
import { type TestDatabase, useTestDatabase } from '../../test/test-database.ts';
import { queueCertificateMails } from '../catalog/certificates/certificate-mails.ts';
import { validateCertificates } from '../catalog/certificates/validation.ts';
import { deliver, useEmulator } from '../channel/test-support/delivery.ts';
import { createAccessTokens } from '../people/identity/access-tokens.ts';
import { startSession } from '../people/identity/sessions.ts';
import { createSigningKeys } from '../people/identity/signing-keys.ts';
import { linkUser } from '../people/identity/users.ts';
import { migrateJobs } from '../queue/worker.ts';
import { openDatabase } from './database.ts';
import { migrate } from './migrate.ts';

/** Migrations write rows of all brands, so they run without the check of statements. */
async function upgrade({ url }: TestDatabase): Promise<void> {
  const { db, pool, close } = openDatabase(url, () => {});
  await migrate(db);
  await migrateJobs(pool, pino({ level: 'silent' }));
  await close();
}

async function useUpgraded(version: string) {
  const database = await useReleasedDatabase(version);
  await upgrade(database);
  const { app } = await useOwnApp({ database });
  const headersOf = async (firstName: string, lastName: string) => {
    const email = `${firstName}.${lastName}@example.com`.toLowerCase();
    const { id } = await linkUser(database.db, { subject: `test|${email}`, email, firstName, lastName });
    const session = await startSession(database.db, id, { token: email });
    const access = await createAccessTokens(createSigningKeys(database.db)).sign({ userId: id, sessionId: session.id });
    return { authorization: `Bearer ${access}` };
  };
  const owner = await headersOf('Ana', 'Ruiz');
  const staff = await headersOf('Sam', 'Ito');
  const call = async (method: 'GET' | 'POST' | 'PATCH', path: string, payload?: object) => {
    const headers = path.startsWith('platform/') ? staff : owner;
    const answer = await app.inject({ method, url: `/api/v1/${path}`, headers, ...(payload && { payload }) });
    expect(answer.statusCode, `${method} ${path}: ${answer.body}`).toBeLessThan(300);
    expect(answer.body, path).not.toContain('undefined');
    return answer.headers['content-type']?.includes('json') ? answer.json() : answer.body;
  };
  return { ...database, app, call, ...readReleased(version) };
}

/** Their files were in the memory of the server that was upgraded. */
const INTERRUPTED = [
  'brands/1/attention/.imports.failed: 3 → 5',
  ...[18, 20].flatMap((id) => {
    const state = id === 18 ? 'waiting' : 'running';
    return [`/${id}/`, `/?page_size=100.results[${id}]`].flatMap((path) => [
      `brands/1/imports${path}.failure: null → {"code":"interrupted"}`,
      `brands/1/imports${path}.state: "${state}" → "failed"`,
    ]);
  }),
  'platform/imports/.count: 3 → 5',
  'users/me/attention/.results[1].imports: 3 → 5',
];

/** What an upgrade changes on purpose. */
const CHANGES: Readonly<Record<string, readonly string[]>> = {
  '1.0.0': [
    ...INTERRUPTED,
    // Admin keys expire.
    'brands/1/api-keys/.results[13].expires_at: null → undefined',
    // Two products that the channel rejected when they were sent are withdrawn.
    'platform/deliveries/.results[15].next_attempt_at: null → undefined',
    'platform/deliveries/.results[20].next_attempt_at: null → undefined',
  ],
  '1.0.1': [...INTERRUPTED, 'brands/1/api-keys/.results[13].expires_at: null → undefined'],
};

describe.each(RELEASES)('a database of release %s', (version) => {
  test('gets the schema of a new database', { timeout: 120_000 }, async () => {
    const database = await useReleasedDatabase(version);
    await upgrade(database);
    // On a cluster, columns that had to be replaced are the last of their table.
    const lines = (dump: string) => (inject('postgresUrls').length > 1 ? dump.split('\n').sort() : dump.split('\n'));
    const fresh = await useTestDatabase();
    expect(lines(await readDump(database.pool, 'public'))).toEqual(lines(await readDump(fresh.pool, 'public')));
    await expectDerivedData(database.pool);
  });

  test('shows the same numbers everywhere', { timeout: 120_000 }, async () => {
    const { call, answers } = await useUpgraded(version);
    const differences = [];
    for (const [path, before] of Object.entries(answers)) {
      differences.push(...listDifferences(before, numbersOf(await call('GET', path)), path));
    }
    expect(differences.sort()).toEqual([...(CHANGES[version] ?? [])].sort());
  });

  test('goes on with what was begun', { timeout: 120_000 }, async () => {
    const { db, pool, call, places, ...database } = await useUpgraded(version);
    const { brand, open, checked, undoable, rejected, corrected } = places;
    const at = `brands/${brand}`;
    const count = async (text: string) => (await pool.query(text)).rows.length;

    for (const name of ['running.csv', 'waiting.csv']) {
      const [{ state, failure }] = (await call('GET', `${at}/imports/?search=${name}`)).results;
      expect({ state, failure }).toMatchObject({ state: 'failed', failure: { code: 'interrupted' } });
    }

    await call('POST', `${at}/imports/${checked}/confirm/`, {
      variants_created: 1,
      variants_updated: 0,
      variants_unchanged: 0,
      rejected: 1,
      published: 0,
      sent_again: 0,
    });
    expect(await count(`select from variants where name = 'Checked'`)).toBe(1);

    const groups = await call('GET', `${at}/imports/${rejected}/error-groups/`);
    const ambiguous = groups.find(({ code }: { code: string }) => code === 'ambiguous_certification');
    expect(ambiguous.rows[0].message).toContain('"Fairtrade" (FLOCERT)');
    expect(await call('GET', `${at}/imports/${rejected}/rejected-rows/`)).toContain('"Fairtrade" (FLOCERT)'.replaceAll('"', '""'));
    const { results } = await call('GET', `${at}/imports/${rejected}/corrections/`);
    const { row } = results.find(({ cells }: { cells: string[] }) => cells[4] === 'FLO 1');
    await call('PATCH', `${at}/imports/${rejected}/corrections/${row}/`, { place: 3, to: 'Fairtrade' });
    await call('POST', `${at}/imports/${rejected}/corrections/import/`);
    await call('POST', `${at}/imports/${corrected}/corrections/import/`);
    expect(await count(`select from certificates where external_certificate_id in ('FLO 1', 'ES-ECO-002')`)).toBe(2);

    await call('POST', `${at}/imports/${undoable}/undo/`);
    expect(await count(`select from variants where name in ('Renamed by import', 'Created by import')`)).toBe(0);
    expect((await call('POST', `${at}/deletions/${open}/restore/`)).restored).toBe(3);

    const { channel, setSwitches } = await useEmulator({ db, pool, ...database });
    await setSwitches({ fail_share: 0, processing_ms: 0 });
    await call('POST', `${at}/variants/publish-all/`);
    await pool.query(`
      update deliveries set next_attempt_at = now() where brand_id = ${brand} and next_attempt_at is not null;
      insert into due_work (brand_id, kind, due_at) values (${brand}, 'deliver', now())
        on conflict (brand_id, kind) do update set due_at = now()`);
    const pending = `select from deliveries where brand_id = ${brand} and (state in ('queued', 'sent', 'removing') or next_attempt_at <= now())`;
    await vi.waitUntil(async () => {
      await deliver(db, channel);
      return (await count(pending)) === 0;
    }, 30_000);
    // Withdrawn, so that nothing that was sent before stays public.
    expect(
      (await pool.query(`select variant_id::int, resource from deliveries where reason like 'Invalid value for%' order by 1`)).rows,
    ).toEqual([15, 20].map((variant_id) => ({ variant_id, resource: null })));

    await validateCertificates(db, brand);
    const told = `select from certificate_notices where notice like 'invalid:%'`;
    expect(await count(told)).toBe(0);
    await queueCertificateMails(db);
    expect(await count(told)).toBe(6);
    await expectDerivedData(pool);
    const { results: entries } = await call('GET', `${at}/history/?page_size=100`);
    const actions = entries.map(({ action }: { action: string }) => action);
    expect(actions).toEqual(expect.arrayContaining(['variants.restored', 'variants.import_undone', 'variants.check_discarded']));
  });
});

test('what was written into the baseline at first is skipped where it exists', async () => {
  const { pool } = await useTestDatabase();
  const before = await readDump(pool, 'public');
  const text = readFileSync(join(import.meta.dirname, 'migrations/0002_after_1_0_0.sql'), 'utf8').replace(/^\\i .*$/m, '');
  await pool.query(`do $migration_file$ begin ${text} end $migration_file$`);
  expect(await readDump(pool, 'public')).toBe(before);
});

test('the upgrade revokes feed URLs created by keys that were revoked earlier', async () => {
  const database = await useReleasedDatabase('1.0.1');
  const { rows: keys } = await database.pool.query(
    `select distinct on (revoked_at is null) brand_id, user_id, revoked_at is not null as is_revoked from api_keys
     order by revoked_at is null, brand_id desc`,
  );
  const others = await database.pool.query('select id from brands order by id desc limit 2');
  for (const [index, { user_id }] of keys.entries()) {
    const brand = others.rows[index].id;
    await database.pool.query('update api_keys set brand_id = $1 where user_id = $2', [brand, user_id]);
    await database.pool.query(
      `insert into channel_feeds (brand_id, token_hash) values ($1, sha256($2))
       on conflict (brand_id) do update set token_hash = excluded.token_hash, revoked_at = null`,
      [brand, String(index)],
    );
    await database.pool.query(`insert into audit_log (brand_id, user_id, action, details) values ($1, $2, 'channel.feed_created', '{}')`, [
      brand,
      user_id,
    ]);
  }
  await upgrade(database);
  const { rows } = await database.pool.query(
    `select k.revoked_at is not null as is_revoked, f.revoked_at is not null as has_ended
     from channel_feeds f join api_keys k on k.user_id = f.created_by order by 1`,
  );
  expect(keys).toHaveLength(2);
  expect(rows).toEqual([false, true].map((is_revoked) => ({ is_revoked, has_ended: is_revoked })));
}, 120_000);

test('pending brands that already publish become active with the upgrade, and inactive brands stay inactive', async () => {
  const database = await useReleasedDatabase('1.0.1');
  await database.pool.query(`update brands set status = case id % 2 when 0 then 'pending' else 'inactive' end`);
  await upgrade(database);
  const { rows } = await database.pool.query(
    `select id % 2 = 0 as was_pending, opted_in_for_trial as trial, status from brands group by 1, 2, 3 order by 1, 2`,
  );
  expect(new Set(rows.map(({ was_pending, trial, status }) => `${was_pending} ${trial} ${status}`))).toEqual(
    new Set(['false false inactive', 'false true inactive', 'true false pending', 'true true active']),
  );
}, 120_000);
