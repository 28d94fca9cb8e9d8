// @module-tag empty-installation
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { act } from '../../test/bulk.ts';
import { addCertificate, addVariants, connectTestBrand, expectDerivedData, setPublished, withBrandLock } from '../../test/catalogue.ts';
import { createTestBrand, createTestMember } from '../../test/people.ts';
import { reviewCertificate } from '../catalog/certificates/reviews.ts';
import { expireCertificates, validateCertificates } from '../catalog/certificates/validation.ts';
import { type Db, inTransaction } from '../db/database.ts';
import { countWaiting } from '../db/turns.ts';
import { useImportingBrand } from '../imports/test-support/uploads.ts';
import { deleteBrand, optInForTrial, updateBrand } from '../people/brands/brands.ts';
import { claimDeliveries, endConnection, writeDeliveryResults } from '../writes/deliveries.ts';
import { publishVariants } from '../writes/variants.ts';
import { forgetClient } from './connections.ts';
import { retryDeliveries } from './operator.ts';
import { publishVariant } from './publishing.ts';
import { toGtin, useDelivery } from './test-support/delivery.ts';

/** Every writer of a brand's data takes the brand's lock first, then any other lock. */

/** On a cluster, the activity of all nodes. */
const ACTIVITY = inject('postgresUrls').length > 1 ? 'citus_stat_activity' : 'pg_stat_activity';

/** Holds the locks of `statement`, so that others who need them block until `open`. */
async function holdLock(pool: pg.Pool, statement: string, brandId: number): Promise<{ open(): Promise<void> }> {
  const client = await pool.connect();
  let isOpen = false;
  const open = async () => {
    if (isOpen) return;
    isOpen = true;
    await client.query('commit');
    client.release();
  };
  onTestFinished(open);
  await client.query('begin');
  await client.query(statement, statement.includes('$1') ? [brandId] : []);
  return { open };
}

async function waitForBlocked(pool: pg.Pool, count: number): Promise<void> {
  await vi.waitFor(async () => {
    const { rows } = await pool.query(
      `select count(*) as count from ${ACTIVITY} where datname = current_database() and wait_event_type = 'Lock'`,
    );
    expect(rows[0].count).toBe(count);
  }, 5_000);
}

/** They hold no connection. */
async function waitForWaiting(db: Db, count: number): Promise<void> {
  await vi.waitFor(() => expect(countWaiting(db)).toBe(count), 5_000);
}

/** Two variants that the channel has, each with a certificate that expired long ago. */
async function useLiveBrand() {
  const { db, pool, brandId, add, certify, run } = await useDelivery();
  await optInForTrial(db, null, brandId);
  const { id: userId } = await createTestMember(db, brandId, 'editor');
  const ids = [await add('Olive oil'), await add('Sea salt')];
  for (const id of ids) await certify(id, `FSC-C00000${id}`, 'validated', '2020-01-01');
  await run(`update deliveries set resource = 'r' || variant_id::text`);
  return { db, pool, brandId, userId, ids, run };
}
type LiveBrand = Awaited<ReturnType<typeof useLiveBrand>>;

const THE_BRAND = 'select from brands where id = $1 for no key update';
const LAST_DELIVERY = 'select from deliveries where brand_id = $1 order by variant_id desc limit 1 for update';
const LAST_VARIANT = 'select from variants where brand_id = $1 order by id desc limit 1 for update';
const LAST_CERTIFICATE = 'select from certificates where brand_id = $1 order by id desc limit 1 for no key update';

async function takeResults({ db, brandId, ids }: Pick<LiveBrand, 'db' | 'brandId' | 'ids'>, revision = 2) {
  const claimId = randomUUID();
  await claimDeliveries(db, {
    brandId,
    claimId,
    limit: 10,
    leaseMs: 60_000,
    place: { connectionId: 1, resourcePrefix: '' },
  });
  const unchanged = {
    reason: '',
    countries: {},
    connection_id: 1,
    attempts: 0,
    delay_ms: null,
    keep_lease: false,
    done: false,
  };
  const results = ids.map((id) => ({
    ...{
      variant_id: id,
      revision,
      sent_revision: revision,
      state: 'sent' as const,
      resource: `r${id}`,
    },
    ...unchanged,
  }));
  return () => writeDeliveryResults(db, { brandId, claimId }, results);
}

async function undo({ db, brandId }: LiveBrand) {
  await setPublished(db, brandId, false);
}

const review = { verdict: 'rejected', note: 'Not theirs' } as const;

/** Blocks only after it has the brand's lock. */
describe('a brand can be deleted', () => {
  test.each<[string, string, (brand: LiveBrand) => Promise<() => Promise<unknown>>]>([
    ['results of deliveries are written', LAST_DELIVERY, (brand) => takeResults(brand)],
    [
      'a variant is published',
      LAST_VARIANT,
      async (brand) => {
        await undo(brand);
        return () => publishVariant(brand.db, brand.userId, brand.ids[1] ?? 0, true);
      },
    ],
    [
      'all variants are published',
      LAST_VARIANT,
      async (brand) => {
        await undo(brand);
        return () => act(brand.db, brand, 'publish_all');
      },
    ],
    [
      'certificates expire',
      LAST_CERTIFICATE,
      async ({ db }) =>
        () =>
          expireCertificates(db),
    ],
    [
      'a certificate is rejected',
      'lock table audit_log in exclusive mode',
      async ({ db, brandId, ids }) =>
        () =>
          reviewCertificate(db, { brandId, certification: 'FSC', externalId: `FSC-C00000${ids[0]}` }, review),
    ],
  ])('while %s', async (_name, gateStatement, prepare) => {
    const brand = await useLiveBrand();
    const { db, pool, brandId, userId, run } = brand;
    const work = await prepare(brand);
    const gate = await holdLock(pool, gateStatement, brandId);
    const working = work();
    await waitForBlocked(pool, 1);
    const deleting = deleteBrand(db, userId, brandId);
    await waitForWaiting(db, 1);
    await gate.open();
    expect(await Promise.allSettled([working, deleting])).toMatchObject([{ status: 'fulfilled' }, { status: 'fulfilled' }]);
    expect(await run('select from brands')).toEqual([]);
    expect(await run('select from variant_counts')).toEqual([]);
    expect(await run('select distinct wanted, state from deliveries')).toMatchObject([{ wanted: 'absent', state: 'removing' }]);
    await expectDerivedData(pool);
  });
});

describe('holds no other lock while it waits for the lock of the brand:', () => {
  test.each<[string, (brand: LiveBrand) => Promise<() => Promise<unknown>>]>([
    ['writing results of deliveries', (brand) => takeResults(brand)],
    [
      'retrying deliveries',
      async ({ db }) =>
        () =>
          retryDeliveries(db, {}),
    ],
    [
      'publishing a variant',
      async (brand) => {
        await undo(brand);
        return () => publishVariant(brand.db, brand.userId, brand.ids[1] ?? 0, true);
      },
    ],
    [
      'unpublishing a variant',
      async ({ db, userId, ids }) =>
        () =>
          publishVariant(db, userId, ids[0] ?? 0, false),
    ],
    [
      'publishing all variants',
      async (brand) => {
        await undo(brand);
        return () => act(brand.db, brand, 'publish_all');
      },
    ],
    [
      'the validation of certificates',
      async ({ db, brandId }) =>
        () =>
          validateCertificates(db, brandId),
    ],
    [
      'the review of a certificate',
      async ({ db, brandId, ids }) =>
        () =>
          reviewCertificate(db, { brandId, certification: 'FSC', externalId: `FSC-C00000${ids[0]}` }, review),
    ],
    [
      'renaming the brand',
      async ({ db, userId, brandId }) =>
        () =>
          updateBrand(db, { userId, supportEmail: '' }, brandId, { name: 'New' }),
    ],
    [
      'deleting the brand',
      async ({ db, userId, brandId }) =>
        () =>
          deleteBrand(db, userId, brandId),
    ],
  ])('%s', async (_name, prepare) => {
    const brand = await useLiveBrand();
    const { db, pool, brandId } = brand;
    const work = await prepare(brand);
    const gate = await holdLock(pool, THE_BRAND, brandId);
    const working = work();
    await waitForWaiting(db, 1);
    await waitForBlocked(pool, 0);
    for (const table of TABLES_OF_A_BRAND) await pool.query(`select from ${table} where brand_id = $1 for update nowait`, [brandId]);
    await gate.open();
    await working;
    await expectDerivedData(pool);
  });
});

const TABLES_OF_A_BRAND = [
  'variants',
  'certificates',
  'variant_certificates',
  'deliveries',
  'variant_counts',
  'variant_search',
  'variant_search_waiting',
  'due_work',
  'audit_log',
];

async function useImportAndPublishAll() {
  const brand = await useImportingBrand();
  const { brandId, app, editor, database } = brand;
  await optInForTrial(database.db, null, brandId);
  const ids = await addVariants(
    database.db,
    brandId,
    [1, 2, 3].map((item) => ({ gtin: toGtin(item) })),
  );
  const publishAll = (headers = {}) =>
    app.inject({
      method: 'POST',
      url: `/api/v1/brands/${brandId}/variants/publish-all/`,
      headers: { ...editor.headers, ...headers },
    });
  return { ...brand, ids, publishAll };
}

test('publishing all and an import that changes the same variants in another order do not deadlock', async () => {
  const { pool, brandId, send, publishAll } = await useImportAndPublishAll();
  const gate = await holdLock(pool, `select from variants where brand_id = $1 and gtin = '${toGtin(2)}' for update`, brandId);
  const publishing = publishAll();
  await waitForBlocked(pool, 1);
  // Renames the third variant first, then certifies the first one.
  const importing = send(
    `variant_name,gtin,certificate_id,certification_name\nThing,${toGtin(1)},FSC-C000001,FSC\nNew name,${toGtin(3)},,\n`,
  );
  await vi.waitFor(async () => {
    const { rows } = await pool.query('select state from imports where brand_id = $1 order by id', [brandId]);
    expect(rows).toEqual([{ state: 'running' }, { state: 'waiting' }]);
  }, 10_000);
  await gate.open();
  expect([(await publishing).json(), (await importing).json()]).toMatchObject([{ published: 3 }, { imported: 2 }]);
  await expectDerivedData(pool);
});

test('publishing all while another change holds the lock of the brand is accepted, and done afterwards', async () => {
  const { pool, brandId, publishAll, get } = await useImportAndPublishAll();
  const gate = await holdLock(pool, THE_BRAND, brandId);
  const answer = await publishAll({ prefer: 'respond-async, wait=1' });
  expect(answer.statusCode).toBe(202);
  await gate.open();
  await vi.waitFor(
    async () =>
      expect((await get(`imports/${answer.json().import_id}/`)).json()).toMatchObject({
        kind: 'publish_all',
        state: 'done',
        outcome: { changed: 3, skipped: [], deletion_id: null },
      }),
    10_000,
  );
  expect((await get('imports/')).json().count).toBe(0);
});

test('an import that changes deliveries twice and a worker that writes their results do not deadlock', async () => {
  const { pool, brandId, database, ids, send } = await useImportAndPublishAll();
  const { db } = database;
  await connectTestBrand(db, brandId);
  await setPublished(db, brandId, true);
  await addCertificate(db, brandId, { code: 'FSC-C000001', status: 'validated' });
  const write = await takeResults({ db, brandId, ids }, 1);
  const gate = await holdLock(pool, `select from variants where brand_id = $1 and gtin = '${toGtin(1)}' for update`, brandId);
  // Has changed the delivery of the third variant before it reaches the first one.
  const importing = send(
    `variant_name,gtin,certificate_id,certification_name\nThing,${toGtin(1)},FSC-C000001,FSC\nNew name,${toGtin(3)},,\n`,
  );
  await waitForBlocked(pool, 1);
  const writing = write();
  await waitForWaiting(db, 1);
  await gate.open();
  await writing;
  expect((await importing).json()).toMatchObject({ imported: 2 });
  const { rows: deliveries } = await pool.query('select state, claimed_by from deliveries order by variant_id');
  expect(deliveries).toEqual(['queued', 'sent', 'queued'].map((state) => ({ state, claimed_by: null })));
  await expectDerivedData(pool);
});

test('nothing is claimed for a connection that is being ended, without waiting for the end', async () => {
  const { db, brandId, run } = await useLiveBrand();
  const claim = { brandId, limit: 10, leaseMs: 60_000, place: { connectionId: 1, resourcePrefix: '' } };
  const [ended, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  onTestFinished(() => gate.resolve());
  const ending = withBrandLock(db, brandId, async (db) => {
    await endConnection(db, brandId);
    ended.resolve();
    await gate.promise;
  });
  await ended.promise;
  expect(await claimDeliveries(db, { ...claim, claimId: randomUUID() })).toBe(0);
  gate.resolve();
  await ending;
  expect(await claimDeliveries(db, { ...claim, claimId: randomUUID() })).toBe(0);
  await run('update channel_connections set ended_at = null');
  expect(await claimDeliveries(db, { ...claim, claimId: randomUUID() })).toBe(2);
});

/** A worker in the middle of claiming deliveries. Resolves with a function that lets it finish. */
async function beginClaim(db: Db, brandId: number): Promise<() => Promise<void>> {
  const [claimed, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  onTestFinished(() => gate.resolve());
  const claiming = inTransaction(db, async (db) => {
    const place = { connectionId: 1, resourcePrefix: '' };
    await claimDeliveries(db, { brandId, claimId: randomUUID(), limit: 1, leaseMs: 60_000, place });
    claimed.resolve();
    await gate.promise;
  });
  await claimed.promise;
  return async () => {
    gate.resolve();
    await claiming;
  };
}

test('a connection is not ended while deliveries are claimed for it', async () => {
  const { db, pool, brandId } = await useLiveBrand();
  const finishClaim = await beginClaim(db, brandId);
  const ending = withBrandLock(db, brandId, (db) => endConnection(db, brandId));
  await waitForBlocked(pool, 1);
  await finishClaim();
  expect(await ending).toBe(true);
});

test('a connection is not forgotten while deliveries are claimed for it, and none keeps its id', async () => {
  const { db, pool, brandId, run } = await useLiveBrand();
  await run('update deliveries set resource = null');
  const finishClaim = await beginClaim(db, brandId);
  const forgetting = forgetClient(db, brandId, { client_id: '77', registered_name: 'Acme' });
  await waitForBlocked(pool, 1);
  await finishClaim();
  expect(await forgetting).toBe(true);
  expect(await run('select from deliveries where connection_id is not null or claimed_by is not null')).toEqual([]);
  expect(await run(`select from due_work where kind = 'deliver'`)).toEqual([]);
});

test('publishing in one brand does not wait for publishing in another', async () => {
  const { db, pool, userId, ids } = await useLiveBrand();
  await publishVariant(db, userId, ids[0] ?? 0, false);
  const otherBrand = await createTestBrand(db, 'Other');
  await addVariants(db, otherBrand, [{ gtin: toGtin(1) }]);
  const [published, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  onTestFinished(() => gate.resolve());
  const other = withBrandLock(db, otherBrand, async (db) => {
    await publishVariants(db, otherBrand);
    published.resolve();
    await gate.promise;
  });
  await published.promise;
  await publishVariant(db, userId, ids[0] ?? 0, true);
  gate.resolve();
  await other;
  await expectDerivedData(pool);
});
