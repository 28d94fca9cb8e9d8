// @module-tag empty-installation
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { describe, expect, inject, test, vi } from 'vitest';
import { addVariants, changeVariants, connectTestBrand, expectDerivedData, setPublished, withBrandLock } from '../../test/catalogue.ts';
import { createTestBrand } from '../../test/people.ts';
import { useTestDatabase, WAITING_FOR_LOCK } from '../../test/test-database.ts';
import { queueCertificateMails } from '../catalog/certificates/certificate-mails.ts';
import { expireCertificates } from '../catalog/certificates/validation.ts';
import { indexNewVariants } from '../catalog/variants/variant-search.ts';
import { sweepConnections } from '../channel/connections.ts';
import { type Db, inTransaction } from '../db/database.ts';
import { purgeImports } from '../imports/receipts.ts';
import { purgeDeletions } from '../imports/variant-actions/deletions.ts';
import { purgeBrands } from '../people/brands/brand-deletion.ts';
import { claimDeliveries, writeDeliveryResults } from './deliveries.ts';
import { listBrandsWithWork, postponeWork, scheduleWork, setDueWork, takeDueWork, type WorkKind, workBrandByBrand } from './due-work.ts';

const isCluster = inject('postgresUrls').length > 1;
const inAnHour = () => new Date(Date.now() + 3_600_000);

async function useDueWork() {
  const { db, pool } = await useTestDatabase();
  const due = async () => (await pool.query('select due_at <= now() as now from due_work')).rows;
  return { db, pool, due };
}

/** Starts a transaction that pauses after its first step until released. */
async function begin(db: Db, first: (db: Db) => Promise<unknown>, then: (db: Db) => Promise<unknown> = async () => {}) {
  const [begun, gate] = [Promise.withResolvers<unknown>(), Promise.withResolvers<void>()];
  const ended = inTransaction(db, async (db) => {
    begun.resolve(await first(db));
    await gate.promise;
    await then(db);
  });
  const end = () => {
    gate.resolve();
    return ended;
  };
  return { found: await Promise.race([begun.promise, ended]), end };
}

async function waitForBlocked(pool: pg.Pool): Promise<void> {
  await vi.waitFor(async () => {
    const { rows } = await pool.query(WAITING_FOR_LOCK);
    expect(rows).toHaveLength(1);
  }, 5_000);
}

describe('the due work of a brand', () => {
  test('is due at the earliest of its scheduled times', async () => {
    const { db, due } = await useDueWork();
    await scheduleWork(db, 1, 'deliver', { inSeconds: 60 });
    expect(await due()).toEqual([{ now: false }]);
    expect(await listBrandsWithWork(db, 'deliver')).toEqual([]);
    await scheduleWork(db, 1, 'deliver');
    await scheduleWork(db, 1, 'deliver', { inSeconds: 60 });
    expect(await due()).toEqual([{ now: true }]);
  });

  test('is listed by kind, the longest overdue first', async () => {
    const { db } = await useDueWork();
    for (const [brandId, seconds] of [
      [1, -10],
      [2, -30],
      [3, 60],
      [4, -20],
    ] as const) {
      await scheduleWork(db, brandId, 'deliver', { inSeconds: seconds });
    }
    await scheduleWork(db, 5, 'index_variants');
    expect(await listBrandsWithWork(db, 'deliver')).toEqual([2, 4, 1]);
    expect(await listBrandsWithWork(db, 'deliver', { limit: 2 })).toEqual([2, 4]);
  });

  test('is taken by one worker, and only when it is due', async () => {
    const { db } = await useDueWork();
    await scheduleWork(db, 1, 'deliver');
    await scheduleWork(db, 2, 'deliver', { inSeconds: 60 });
    const worker = await begin(db, (db) => takeDueWork(db, 1, 'deliver'));
    expect(worker.found).toBe(true);
    expect(await takeDueWork(db, 1, 'deliver')).toBe(false);
    expect(await takeDueWork(db, 2, 'deliver')).toBe(false);
    await worker.end();
    expect(await takeDueWork(db, 1, 'deliver')).toBe(true);
  });
});

describe('due work is not lost', () => {
  test.each([
    ['marks it as done', undefined],
    ['reschedules it in an hour', inAnHour()],
  ])('when a writer schedules it while a worker, which cannot see that yet, %s', async (_name, next) => {
    const { db, pool, due } = await useDueWork();
    await scheduleWork(db, 1, 'deliver');
    const worker = await begin(
      db,
      (db) => takeDueWork(db, 1, 'deliver'),
      (db) => setDueWork(db, 1, 'deliver', next),
    );
    expect(worker.found).toBe(true);
    const writing = scheduleWork(db, 1, 'deliver');
    await waitForBlocked(pool);
    await worker.end();
    await writing;
    expect(await due()).toEqual([{ now: true }]);
  });

  test('when a worker runs before the writer that schedules it commits', async () => {
    const { db, due } = await useDueWork();
    await scheduleWork(db, 1, 'deliver');
    const writer = await begin(db, (db) => scheduleWork(db, 1, 'deliver'));
    // It skips the locked row, instead of waiting or taking the work for done.
    expect(await takeDueWork(db, 1, 'deliver')).toBe(false);
    await writer.end();
    expect(await due()).toEqual([{ now: true }]);
    expect(await takeDueWork(db, 1, 'deliver')).toBe(true);
  });

  test('when a worker runs before the first work of a brand is committed', async () => {
    const { db, due } = await useDueWork();
    const writer = await begin(db, (db) => scheduleWork(db, 1, 'deliver'));
    expect(await takeDueWork(db, 1, 'deliver')).toBe(false);
    await writer.end();
    expect(await due()).toEqual([{ now: true }]);
  });

  test('when a variant is published while a worker claims the last delivery', async () => {
    const { db, pool } = await useDueWork();
    const brandId = await createTestBrand(db);
    const [, second = 0] = await addVariants(db, brandId, [{ gtin: '61414100', published: true }, { gtin: '61414117' }]);
    const connectionId = await connectTestBrand(db, brandId);
    const claim = {
      brandId,
      claimId: randomUUID(),
      limit: 10,
      leaseMs: 60_000,
      place: { connectionId, resourcePrefix: '' },
    };
    const worker = await begin(db, (db) => claimDeliveries(db, claim));
    expect(worker.found).toBe(1);
    const publishing = setPublished(db, brandId, true, [second]);
    await waitForBlocked(pool);
    await worker.end();
    await publishing;
    await expectDerivedData(pool);
    expect(await claimDeliveries(db, { ...claim, claimId: randomUUID() })).toBe(1);
  });

  test('with concurrent writers and workers', async () => {
    const { db, pool } = await useDueWork();
    const brandId = await createTestBrand(db);
    const connectionId = await connectTestBrand(db, brandId);
    const ids = await addVariants(
      db,
      brandId,
      Array.from({ length: 40 }, (_, n) => ({ gtin: String(10_000_000 + n) })),
    );
    let writing = true;
    const work = async () => {
      while (writing) await claimAndWrite(db, brandId, connectionId);
    };
    const workers = [work(), work(), work()];
    for (const id of ids) {
      await setPublished(db, brandId, true, [id]);
      await changeVariants(db, brandId, { name: `Renamed ${id}` }, [id]);
      // Nodes of a cluster do not share a snapshot.
      if (!isCluster) await expectDerivedData(pool);
    }
    writing = false;
    await Promise.all(workers);
    await expectDerivedData(pool);
    // No delivery was lost: the rest can be claimed now.
    while (await claimAndWrite(db, brandId, connectionId));
    const { rows } = await pool.query('select from deliveries where sent_revision is distinct from revision');
    expect(rows).toEqual([]);
    expect(await listBrandsWithWork(db, 'deliver')).toEqual([]);
  });

  test('and a writer that was killed leaves none: its write is rolled back too', async () => {
    const { db, pool, due } = await useDueWork();
    const brandId = await createTestBrand(db);
    await addVariants(db, brandId, [{ gtin: '61414100' }]);
    await pool.query('delete from due_work');
    const killed = withBrandLock(db, brandId, async (db) => {
      await setPublished(db, brandId, true);
      throw new Error('killed');
    });
    await expect(killed).rejects.toThrow('killed');
    expect(await due()).toEqual([]);
    expect((await pool.query('select from deliveries')).rows).toEqual([]);
  });
});

describe('work is done brand by brand:', () => {
  async function useBrands(count: number, kind: WorkKind = 'index_variants') {
    const { db, pool } = await useTestDatabase();
    const brands: number[] = [];
    for (let n = 0; n < count; n++) {
      const brandId = await createTestBrand(db, `Brand ${n}`);
      await addVariants(db, brandId, [{ gtin: '61414100' }]);
      await scheduleWork(db, brandId, kind, { inSeconds: n - 10 });
      brands.push(brandId);
    }
    const work = async () =>
      (
        await pool.query(
          `select brand_id, failures, greatest(0, round(extract(epoch from due_at - now())))::int as seconds
           from due_work where kind = $1 order by brand_id`,
          [kind],
        )
      ).rows;
    const jobs = async () => (await pool.query('select task_identifier as task, key from graphile_worker.jobs')).rows;
    return { db, pool, brands, work, jobs };
  }

  test('a busy brand is skipped, and its work is done by another job a few seconds later', async () => {
    const { db, pool, brands, work, jobs } = await useBrands(3);
    const [first = 0] = brands;
    await withBrandLock(db, first, async () => {
      expect(await indexNewVariants(db)).toBe(2);
    });
    expect(await work()).toEqual([{ brand_id: first, failures: 0, seconds: 5 }]);
    expect(await jobs()).toContainEqual({ task: 'index_variants', key: 'index_variants:retry' });
    await pool.query('update due_work set due_at = now()');
    expect(await indexNewVariants(db)).toBe(1);
    expect(await work()).toEqual([]);
  });

  test('a brand whose work fails is logged and waits longer each time, and the others are done', async () => {
    const { db, pool, brands, work, jobs } = await useBrands(3);
    const [, broken = 0] = brands;
    const logger = { error: vi.fn() };
    const done: number[] = [];
    const run = () =>
      workBrandByBrand(
        db,
        'index_variants',
        async (brandId) => {
          if (brandId === broken) throw new Error('broken');
          done.push(brandId);
          await setDueWork(db, brandId, 'index_variants', undefined);
          return 1;
        },
        { logger },
      );
    expect(await run()).toBe(2);
    expect(done).toEqual(brands.filter((id) => id !== broken));
    expect(logger.error).toHaveBeenCalledExactlyOnceWith(
      { err: expect.objectContaining({ message: 'broken' }), brand_id: broken, kind: 'index_variants' },
      expect.any(String),
    );
    expect(await work()).toEqual([{ brand_id: broken, failures: 1, seconds: 60 }]);
    expect(await jobs()).toContainEqual({ task: 'index_variants', key: 'index_variants:retry' });
    for (const seconds of [120, 240, 480]) {
      await pool.query('update due_work set due_at = now()');
      await run();
      expect(await work()).toMatchObject([{ seconds }]);
    }
    await pool.query('update due_work set failures = 1000000, due_at = now()');
    await run();
    expect(await work()).toMatchObject([{ seconds: 3_600 }]);
    await setDueWork(db, broken, 'index_variants', new Date());
    expect(await work()).toMatchObject([{ failures: 0 }]);
  });

  test('a brand with much work takes turns with the others', async () => {
    const { db, brands } = await useBrands(2);
    const steps: number[] = [];
    const step = async (brandId: number) => {
      steps.push(brandId);
      return steps.filter((id) => id === brandId).length;
    };
    await workBrandByBrand(db, 'index_variants', step, { isMore: (done) => done < 3 });
    const [first, second] = brands;
    expect(steps).toEqual([first, second, first, second, first, second]);
  });

  test('a stopping server starts no further step', async () => {
    const { db, brands } = await useBrands(2);
    const stopper = new AbortController();
    const steps: number[] = [];
    const step = async (brandId: number) => {
      steps.push(brandId);
      stopper.abort();
      return 1;
    };
    await workBrandByBrand(db, 'index_variants', step, { stopping: stopper.signal, isMore: () => true });
    expect(steps).toEqual([brands[0]]);
  });

  test('work is postponed without waiting for a writer that schedules more of it', async () => {
    const { db, brands, work } = await useBrands(1);
    const [brandId = 0] = brands;
    const writer = await begin(db, (db) => scheduleWork(db, brandId, 'index_variants'));
    await postponeWork(db, brandId, 'index_variants');
    await writer.end();
    expect(await work()).toEqual([{ brand_id: brandId, failures: 0, seconds: 0 }]);
  });

  test('every kind of work leaves a busy brand', async () => {
    const { db, pool } = await useTestDatabase();
    const kinds = {
      index_variants: () => indexNewVariants(db),
      expire_certificates: () => expireCertificates(db),
      mail_certificates: () => queueCertificateMails(db),
      purge_imports: () => purgeImports(db),
      purge_deletions: () => purgeDeletions(db),
      purge_brand: () => purgeBrands(db),
      end_connections: () => sweepConnections(db),
    };
    const brandId = await createTestBrand(db);
    await pool.query('delete from due_work');
    for (const kind of Object.keys(kinds)) await scheduleWork(db, brandId, kind as WorkKind, { inSeconds: -60 });
    await withBrandLock(db, brandId, async () => {
      for (const run of Object.values(kinds)) await run();
    });
    const { rows } = await pool.query('select kind from due_work where due_at > now() order by kind');
    expect(rows.map(({ kind }) => kind)).toEqual(Object.keys(kinds).sort());
  });
});

/** One run of a worker with a channel that accepts everything. Returns how many were sent. */
async function claimAndWrite(db: Db, brandId: number, connectionId: number): Promise<number> {
  const claimId = randomUUID();
  const limit = 2;
  const claimed = await inTransaction(db, (db) =>
    claimDeliveries(db, { brandId, claimId, limit, leaseMs: 60_000, place: { connectionId, resourcePrefix: 'r' } }),
  );
  if (claimed === 0) return 0;
  const deliveries = await db
    .selectFrom('deliveries')
    .select(['variant_id', 'revision', 'resource'])
    .where('brand_id', '=', brandId)
    .where('claimed_by', '=', claimId)
    .execute();
  const results = deliveries.map(({ variant_id, revision, resource }) => ({
    ...({ variant_id, revision, sent_revision: revision, resource, state: 'live', reason: '', attempts: 0 } as const),
    countries: {},
    connection_id: connectionId,
    delay_ms: null,
    keep_lease: false,
    done: false,
  }));
  await writeDeliveryResults(db, { brandId, claimId }, results);
  return claimed;
}
