// @module-tag empty-installation
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { addVariants } from '../../test/catalogue.ts';
import { createTestBrand, createTestMember } from '../../test/people.ts';
import { useTestApp } from '../../test/test-app.ts';
import { useTestDatabase } from '../../test/test-database.ts';
import { inTransaction, openDatabase } from '../db/database.ts';
import { countWaiting } from '../db/turns.ts';
import { optInForTrial } from '../people/brands/brands.ts';
import { inAnyBrand, inBrand, inKeptBrand, JOB_WAIT, OPERATOR_WAIT } from './brand-lock.ts';
import { publishVariants } from './variants.ts';

const BUSY = { code: 'brand_busy', status: 503, retryAfterSeconds: 5 };

/** A brand whose lock another server holds until `release`. */
async function useBusyBrand({ hasTrial = true } = {}) {
  const database = await useTestDatabase();
  const brandId = await createTestBrand(database.db);
  if (hasTrial) await optInForTrial(database.db, null, brandId);
  const other = openDatabase(database.url, () => {});
  const { promise: held, resolve: hold } = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const holding = inBrand(other.db, brandId, async () => {
    hold();
    await released;
  });
  await held;
  onTestFinished(async () => {
    release();
    await holding;
    await other.close();
  });
  return { ...database, brandId, release, other };
}

const waits = (db: Parameters<typeof countWaiting>[0], count: number) => vi.waitFor(() => expect(countWaiting(db)).toBe(count), 10_000);

test('forty publishes of a busy brand hold no connection, and a member of another brand reads at once', async () => {
  const { db, pool, brandId, release } = await useBusyBrand();
  const publishes = Array.from({ length: 40 }, () => inBrand(db, brandId, (db) => publishVariants(db, brandId)).catch((error) => error));
  // One of them retries, 20 stand in line, and the others are refused.
  const refused = await Promise.all(publishes.slice(21));
  for (const answer of refused) expect(answer).toMatchObject(BUSY);
  await waits(db, 21);
  const inUse: number[] = [];
  for (let read = 0; read < 20; read++) {
    inUse.push(pool.totalCount - pool.idleCount);
    expect(pool.waitingCount).toBe(0);
    expect((await pool.query('select 1')).rowCount).toBe(1);
    await sleep(10);
  }
  expect(Math.max(...inUse)).toBeLessThanOrEqual(2);
  release();
  const served = await Promise.all(publishes.slice(0, 21));
  expect(served).toEqual(Array(21).fill(0));
  expect(countWaiting(db)).toBe(0);
});

test('a member whose brand stays busy gets a 503 that says when to try again', async () => {
  const { app, database } = await useTestApp();
  const brandId = await createTestBrand(database.db);
  const { headers } = await createTestMember(database.db, brandId, 'editor');
  const [variantId] = await addVariants(database.db, brandId, [{ gtin: '96385074' }]);
  await inBrand(database.db, brandId, async () => {
    const url = `/api/v1/variants/${variantId}/publish/`;
    const answer = await app.inject({ method: 'PATCH', url, headers, payload: { published: false } });
    expect([answer.statusCode, answer.json().code]).toEqual([503, 'brand_busy']);
    expect(answer.headers['retry-after']).toBe('5');
  });
});

test('writers of one process take turns in the order in which they came', async () => {
  const { db, brandId, release } = await useBusyBrand();
  const order: number[] = [];
  const writers = [1, 2, 3, 4].map((n) => inBrand(db, brandId, async () => void order.push(n)));
  await waits(db, 4);
  release();
  await Promise.all(writers);
  expect(order).toEqual([1, 2, 3, 4]);
});

test('a writer that gives up leaves the line, and the others keep their order', async () => {
  const { db, brandId, release } = await useBusyBrand();
  const order: number[] = [];
  const controller = new AbortController();
  const { signal } = controller;
  const write = (n: number, wait: object) => inBrand(db, brandId, async () => void order.push(n), wait);
  const first = write(1, OPERATOR_WAIT);
  const impatient = write(2, { waitMs: 50 });
  const cancelled = write(3, { signal });
  const last = write(4, OPERATOR_WAIT);
  await expect(impatient).rejects.toMatchObject(BUSY);
  controller.abort(new Error('cancelled'));
  await expect(cancelled).rejects.toThrow('cancelled');
  await expect(write(5, { signal })).rejects.toThrow('cancelled');
  await waits(db, 2);
  release();
  await Promise.all([first, last]);
  expect(order).toEqual([1, 4]);
});

test('a writer that retries can be cancelled, and the next one takes its place', async () => {
  const { db, brandId, release } = await useBusyBrand();
  const controller = new AbortController();
  const cancelled = inBrand(db, brandId, async () => 'written', { signal: controller.signal });
  const next = inBrand(db, brandId, async () => 'written', OPERATOR_WAIT);
  await waits(db, 2);
  controller.abort(new Error('cancelled'));
  await expect(cancelled).rejects.toThrow('cancelled');
  release();
  expect(await next).toBe('written');
  expect(countWaiting(db)).toBe(0);
});

test('a writer that fails makes room for the next', async () => {
  const { db, brandId, release } = await useBusyBrand();
  release();
  const failing = inBrand(db, brandId, async () => {
    throw new Error('failed');
  });
  const next = inBrand(db, brandId, async () => 'written');
  await expect(failing).rejects.toThrow('failed');
  expect(await next).toBe('written');
});

test('a job does not wait, neither for another process nor for a writer of its own', async () => {
  const { db, brandId, release } = await useBusyBrand();
  await expect(inAnyBrand(db, brandId, async () => {}, JOB_WAIT)).rejects.toMatchObject(BUSY);
  release();
  await inBrand(db, brandId, async () => {
    await expect(inAnyBrand(db, brandId, async () => {}, JOB_WAIT)).rejects.toMatchObject(BUSY);
  });
  expect(await inAnyBrand(db, brandId, async (_db, state) => state, JOB_WAIT)).toBe('present');
});

test('another brand is not busy, and neither is one that is only kept', async () => {
  const { db, brandId } = await useBusyBrand();
  const otherId = await createTestBrand(db, 'Other');
  expect(await inBrand(db, otherId, async () => 'written', JOB_WAIT)).toBe('written');
  expect(await inKeptBrand(db, brandId, async () => 'accepted')).toBe('accepted');
});

test('a deletion waits for those who keep the brand', async () => {
  const { db } = await useTestDatabase();
  const brandId = await createTestBrand(db);
  const deletion = { ...JOB_WAIT, forDeletion: true };
  await inKeptBrand(db, brandId, async () => {
    await expect(inBrand(db, brandId, async () => {}, deletion)).rejects.toMatchObject(BUSY);
    await inBrand(db, brandId, async () => {}, JOB_WAIT);
  });
  await inBrand(db, brandId, async () => {}, deletion);
});

test('inside a transaction the lock is taken without waiting, again if it is held already', async () => {
  const { db, brandId, release } = await useBusyBrand();
  await expect(inTransaction(db, (db) => inBrand(db, brandId, async () => {}, OPERATOR_WAIT))).rejects.toMatchObject(BUSY);
  release();
  const write = () => inBrand(db, brandId, (db) => inBrand(db, brandId, async () => 'written'));
  expect(await write()).toBe('written');
});

test('the state of a deleted brand is told to jobs, and members find no such brand', async () => {
  const { db, pool } = await useTestDatabase();
  const brandId = await createTestBrand(db);
  const state = () => inAnyBrand(db, brandId, async (_db, state) => state, JOB_WAIT);
  await pool.query('update brands set deleted_at = now()');
  expect(await state()).toBe('deleted');
  await pool.query('delete from brands');
  expect(await state()).toBe('missing');
  for (const run of [inBrand, inKeptBrand])
    await expect(run(db, brandId, async () => {})).rejects.toMatchObject({ code: 'brand_not_found' });
});

test('starting a trial waits like any other write, but not if it was started before', async () => {
  const { db, brandId, release } = await useBusyBrand({ hasTrial: false });
  const starting = optInForTrial(db, null, brandId);
  await waits(db, 1);
  release();
  expect(await starting).toMatchObject({ opted_in_for_trial: true });
  const again = await inBrand(db, brandId, () => optInForTrial(db, null, brandId));
  expect(again).toMatchObject({ opted_in_for_trial: true });
});
