import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { describe, expect, inject, test, vi } from 'vitest';
import {
  addVariants,
  changeVariants,
  connectTestBrand,
  expectDerivedData,
  setPublished,
  withBrandLock,
} from '../../../test/catalogue.ts';
import { createTestBrand } from '../../../test/people.ts';
import { useTestDatabase, WAITING_FOR_LOCK } from '../../../test/test-database.ts';
import { type Db, inTransaction } from '../../db/database.ts';
import { claimDeliveries, writeDeliveryResults } from './deliveries.ts';
import { findNextDueMs, listBrandsWithWork, scheduleWork, setDueWork, takeDueWork } from './due-work.ts';

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

  test('is reported with the milliseconds until it is due, if it is due within a minute', async () => {
    const { db } = await useDueWork();
    expect(await findNextDueMs(db, 'deliver')).toBeUndefined();
    await scheduleWork(db, 1, 'deliver', { inSeconds: 90 });
    expect(await findNextDueMs(db, 'deliver')).toBeUndefined();
    await scheduleWork(db, 2, 'deliver', { inSeconds: 30 });
    const soon = await findNextDueMs(db, 'deliver');
    expect(soon).toBeGreaterThan(20_000);
    expect(soon).toBeLessThanOrEqual(30_000);
    await scheduleWork(db, 3, 'deliver', { inSeconds: -30 });
    expect(await findNextDueMs(db, 'deliver')).toBe(0);
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
    const [, second = 0] = await addVariants(db, brandId, [
      { gtin: '61414100', published: true },
      { gtin: '61414117' },
    ]);
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
    ...{ countries: {}, connection_id: connectionId },
    ...{ delay_ms: null, keep_lease: false, done: false },
  }));
  await writeDeliveryResults(db, { brandId, claimId }, results);
  return claimed;
}
