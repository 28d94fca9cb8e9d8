import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createTestBrand, createTestMember } from '../../../test/people.ts';
import type { Patience } from '../../db/statements.ts';
import { deleteBrand, optInForTrial } from '../brands/brands.ts';
import { reviewCertificate } from '../certificates/reviews.ts';
import { expireCertificates } from '../certificates/validation.ts';
import { useImportingBrand } from '../import/test-support/uploads.ts';
import { claimDueDeliveries, updateClaimedDeliveries } from './deliveries.queries.ts';
import { publishAllVariants, publishVariant } from './publishing.ts';
import { toGtin, useDelivery } from './test-support/delivery.ts';

/** Holds what `statement` locks, so that whoever needs it stops there, until it is opened. */
async function useGate(pool: pg.Pool, statement: string): Promise<{ open(): Promise<void> }> {
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
  await client.query(statement);
  return { open };
}

async function waitForWaiting(pool: pg.Pool, count: number): Promise<void> {
  await vi.waitFor(async () => {
    const { rows } = await pool.query(
      `select count(*) as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    expect(rows[0].count).toBe(count);
  }, 5_000);
}

/** Two variants that the channel has, with a certificate each that ran out long ago. */
async function useLiveBrand() {
  const { db, pool, brandId, add, certify, run } = await useDelivery();
  await optInForTrial(db, null, brandId);
  const { id: userId } = await createTestMember(db, brandId, 'editor');
  const ids = [await add('Olive oil'), await add('Sea salt')];
  for (const id of ids) await certify(id, `FSC-C00000${id}`, 'validated', '2020-01-01');
  await run(`update channel_deliveries set resource = 'r' || variant_id`);
  return { db, pool, brandId, userId, ids, run };
}
type LiveBrand = Awaited<ReturnType<typeof useLiveBrand>>;

const LAST_DELIVERY = 'select from channel_deliveries order by variant_id desc limit 1 for update';
const LAST_VARIANT = 'select from variants order by id desc limit 1 for update';
const LAST_CERTIFICATE = 'select from certificates order by id desc limit 1 for no key update';

async function takeResults({ db, brandId, ids }: Pick<LiveBrand, 'db' | 'brandId' | 'ids'>, revision = 2) {
  const claimId = randomUUID();
  await claimDueDeliveries(db, { claimId, limit: 10, leaseMs: 60_000, resourcePrefix: '' });
  const unchanged = { reason: '', attempts: 0, delay_ms: null, keep_lease: false, done: false };
  const results = ids.map((id) => ({
    ...{
      brand_id: brandId,
      variant_id: id,
      revision,
      sent_revision: revision,
      state: 'sent' as const,
      resource: `r${id}`,
    },
    ...unchanged,
  }));
  return (patience?: Patience) => updateClaimedDeliveries(db, claimId, results, patience);
}

async function takeBack({ run }: LiveBrand) {
  await run('update variants set published = false');
}

const review = { verdict: 'rejected', note: 'Not theirs' } as const;

describe('a brand can be deleted', () => {
  test.each<[string, string, (brand: LiveBrand) => Promise<() => Promise<unknown>>]>([
    ['results of deliveries are written', LAST_DELIVERY, (brand) => takeResults(brand)],
    [
      'a variant is published',
      LAST_VARIANT,
      async (brand) => {
        await takeBack(brand);
        return () => publishVariant(brand.db, brand.userId, brand.ids[1] ?? 0, true);
      },
    ],
    [
      'all variants are published',
      LAST_VARIANT,
      async (brand) => {
        await takeBack(brand);
        return () => publishAllVariants(brand.db, brand.userId, brand.brandId);
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
    const gate = await useGate(pool, gateStatement);
    const working = work();
    await waitForWaiting(pool, 1);
    const deleting = deleteBrand(db, userId, brandId);
    await waitForWaiting(pool, 2);
    await gate.open();
    expect(await Promise.allSettled([working, deleting])).toMatchObject([
      { status: 'fulfilled' },
      { status: 'fulfilled' },
    ]);
    expect(await run('select from brands')).toEqual([]);
    expect(
      await run(
        'select *, xmin, (select json_agg(x) from (select xmin, * from channel_deliveries) x) from variant_counts',
      ),
    ).toEqual([]);
    expect(await run('select distinct wanted, state from channel_deliveries')).toMatchObject([
      { wanted: 'absent', state: 'removing' },
    ]);
  });
});

async function useImportAndPublishAll() {
  const brand = await useImportingBrand();
  const { pool, brandId, app, editor, database } = brand;
  await optInForTrial(database.db, null, brandId);
  await pool.query(
    `insert into variants (brand_id, gtin, name) select $1, gtin, 'Thing' from unnest($2::text[]) gtin`,
    [brandId, [1, 2, 3].map(toGtin)],
  );
  const publishAll = () =>
    app.inject({ method: 'POST', url: `/api/v1/brands/${brandId}/variants/publish-all/`, headers: editor.headers });
  return { ...brand, publishAll };
}

test('publishing all and an import that changes the same variants in another order take turns', async () => {
  const { pool, send, publishAll } = await useImportAndPublishAll();
  const gate = await useGate(pool, `select from variants where gtin = '${toGtin(2)}' for update`);
  const publishing = publishAll();
  await waitForWaiting(pool, 1);
  // First a new name for the third variant, then a certificate for the first one.
  const importing = send(
    `variant_name,gtin,certificate_id,certification_name\nThing,${toGtin(1)},FSC-C000001,FSC\nNew name,${toGtin(3)},,\n`,
  );
  await waitForWaiting(pool, 2);
  await gate.open();
  expect([(await publishing).json(), (await importing).json()]).toMatchObject([{ published: 3 }, { imported: 2 }]);
});

test('publishing all behind an import that does not end is given up in time, and says so', async () => {
  const { pool, publishAll } = await useImportAndPublishAll();
  await useGate(pool, 'select from brands for no key update');
  const began = performance.now();
  const answer = await publishAll();
  expect([answer.statusCode, answer.json().code]).toEqual([503, 'database_unavailable']);
  expect(performance.now() - began).toBeLessThan(8_000);
});

test('an import that changes deliveries twice and a worker that writes their results do not wait for each other', async () => {
  const { pool, brandId, database, send } = await useImportAndPublishAll();
  const { db } = database;
  await pool.query('update variants set published = true');
  await pool.query(
    `insert into certificates (brand_id, certification_id, external_certificate_id, status)
     select $1, id, 'FSC-C000001', 'validated' from certifications where name = 'FSC'`,
    [brandId],
  );
  const { rows } = await pool.query('select id from variants order by id');
  const write = await takeResults({ db, brandId, ids: rows.map(({ id }) => id) }, 1);
  const gate = await useGate(pool, `select from variants where gtin = '${toGtin(1)}' for update`);
  // Has changed the delivery of the third variant when it comes to the first one.
  const importing = send(
    `variant_name,gtin,certificate_id,certification_name\nThing,${toGtin(1)},FSC-C000001,FSC\nNew name,${toGtin(3)},,\n`,
  );
  await waitForWaiting(pool, 1);
  const writing = write();
  await waitForWaiting(pool, 2);
  await gate.open();
  await writing;
  expect((await importing).json()).toMatchObject({ imported: 2 });
  const { rows: deliveries } = await pool.query('select state, claimed_by from channel_deliveries order by variant_id');
  expect(deliveries).toEqual(['queued', 'sent', 'queued'].map((state) => ({ state, claimed_by: null })));
});

test('publishing in one brand waits for nobody who publishes in another', async () => {
  const { db, pool, userId, ids } = await useLiveBrand();
  await publishVariant(db, userId, ids[0] ?? 0, false);
  const otherBrand = await createTestBrand(db, 'Other');
  const other = await pool.connect();
  await other.query('begin');
  // As long as this one has not committed, its job cannot be replaced.
  await other.query(`select graphile_worker.add_job('deliver', queue_name => 'channel', job_key => $1)`, [
    `deliver:${otherBrand}`,
  ]);
  await publishVariant(db, userId, ids[0] ?? 0, true);
  await other.query('rollback');
  other.release();
});

test('results that wait for a lock give up when told to stop', async () => {
  const live = await useLiveBrand();
  const update = await takeResults(live);
  const gate = await useGate(live.pool, LAST_DELIVERY);
  const controller = new AbortController();
  const stopped = update({ stopping: controller.signal }).catch((error: unknown) => error);
  await waitForWaiting(live.pool, 1);
  controller.abort();
  expect(await stopped).toMatchObject({ code: '55P03' });
  await gate.open();
});
