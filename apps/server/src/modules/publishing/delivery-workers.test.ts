import { describe, expect, test } from 'vitest';
import { addVariants, changeVariants, expectDerivedData, setPublished } from '../../../test/catalogue.ts';
import { createTestBrand, createTestUser } from '../../../test/people.ts';
import type { Db } from '../../db/database.ts';
import { updateBrand } from '../brands/brands.ts';
import { type Channel, type ChannelSession, ChannelUnavailable } from './channel.ts';
import { deliverDue } from './delivery.ts';
import {
  connect,
  deliver,
  deliverAll,
  manyPublished,
  nameOf,
  QUICK,
  silent,
  useDelivery,
} from './test-support/delivery.ts';

function deliverOneBatch(db: Db, channel: Channel): Promise<number> {
  const once = new AbortController();
  const resourcePrefix: Channel['resourcePrefix'] = (connection) => {
    once.abort();
    return channel.resourcePrefix(connection);
  };
  const stopping = once.signal;
  return deliverDue({ db, channel: { ...channel, resourcePrefix }, logger: silent, settings: QUICK, stopping });
}

describe('a channel that fails', () => {
  test('is retried with backoff until everything is accepted', async () => {
    const { add, deliver, deliverAll, deliveries, setSwitches, run, makeDue, products } = await useDelivery();
    for (let n = 0; n < 5; n++) await add(`Thing ${n}`);
    await setSwitches({ fail_share: 1 });
    await deliver({ backoffMs: 60_000, maxBackoffMs: 600_000 });
    for (const delivery of await deliveries()) {
      expect(delivery).toMatchObject({ state: 'queued', attempts: 1, reason: expect.stringContaining('unavailable') });
    }
    const pauses = await run(`select extract(epoch from next_attempt_at - now())::int as seconds from deliveries`);
    for (const { seconds } of pauses) expect(seconds).toBeGreaterThan(40);
    await makeDue();
    await deliver({ backoffMs: 60_000, maxBackoffMs: 600_000 });
    const [longer] = await run(
      'select min(extract(epoch from next_attempt_at - now()))::int as seconds from deliveries',
    );
    expect(longer.seconds).toBeGreaterThan(85);
    await setSwitches({ fail_share: 0.5, lose_share: 0.2 });
    await makeDue();
    await deliverAll({ leaseMs: 700 });
    expect(await products()).toHaveLength(5);
  });

  test('that throttles is not called by any worker for a while', async () => {
    const { add, deliver, setSwitches, run, makeDue, deliveries } = await useDelivery();
    await add('Olive oil');
    await setSwitches({ throttle_share: 1 });
    await deliver({ backoffMs: 60_000, maxBackoffMs: 60_000 });
    expect(await deliveries()).toMatchObject([{ state: 'queued', reason: expect.stringContaining('Quota exceeded') }]);
    const [quota] = await run("select paused_until > now() + interval '3 seconds' as paused from channel_quota");
    expect(quota.paused).toBe(true);
    await setSwitches({ throttle_share: 0 });
    await makeDue();
    expect(await deliver({ runMs: 300 })).toBe(0);
  });

  test('that requested a pause is not called before it ends, and a job is scheduled for then', async () => {
    const { add, deliver, run } = await useDelivery();
    await add('Olive oil');
    await run('select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))');
    await run(`update channel_quota set paused_until = now() + interval '40 seconds'`);
    const began = performance.now();
    expect(await deliver()).toBe(0);
    expect(performance.now() - began).toBeLessThan(2_000);
    const jobs = await run(
      'select key, extract(epoch from run_at - now())::float8 as seconds from graphile_worker.jobs',
    );
    expect(jobs).toEqual([{ key: 'deliver-later', seconds: expect.closeTo(40, -1) }]);
  });

  test('is paused for at most an hour, even if it requests more', async () => {
    const { add, deliver, run, channel } = await useDelivery();
    await add('Olive oil');
    channel.open = async () => ({
      ...({} as ChannelSession),
      send: async () => {
        throw new ChannelUnavailable('Come back next year', { answered: true, pauseMs: 365 * 24 * 3_600_000 });
      },
    });
    await deliver({ maxBackoffMs: 3_600_000 });
    const [quota] = await run('select extract(epoch from paused_until - now())::float8 as seconds from channel_quota');
    expect(quota.seconds).toBeGreaterThan(3_500);
    expect(quota.seconds).toBeLessThanOrEqual(3_600);
  });

  test('that answers late or not at all is not called for the same product before the lease ends', async () => {
    const { add, deliver, setSwitches, setPublished, makeDue, deliveries } = await useDelivery({ deadlineMs: 50 });
    await add('Olive oil');
    await setSwitches({ late_ms: 5_000 });
    await deliver({ leaseMs: 60_000 });
    expect(await deliveries()).toMatchObject([{ state: 'queued', reason: expect.stringMatching(/^No answer/) }]);
    await setPublished(false);
    await makeDue();
    expect(await deliver()).toBe(0);
  });

  test('that is unreachable does not count as an attempt of a delivery', async () => {
    const { add, deliver, deliveries, channel } = await useDelivery();
    await add('Olive oil');
    channel.open = async () => {
      throw new Error('no token');
    };
    expect(await deliver()).toBe(0);
    expect(await deliveries()).toMatchObject([{ state: 'queued', attempts: 0 }]);
  });
});

test('many brands whose account gives no token do not block other brands', async () => {
  const { db, channel, setSwitches, add, deliver, deliveries, brandId, run } = await useDelivery();
  const ofOthers = new Set<number>();
  for (let n = 0; n < 3; n++) {
    const otherId = await createTestBrand(db, `Other ${n}`);
    await connect(db, setSwitches, otherId);
    await addVariants(db, otherId, manyPublished(1));
    ofOthers.add(otherId);
  }
  await run(`update due_work set due_at = now() - interval '1 hour'`);
  const id = await add('Olive oil');
  const { open } = channel;
  channel.open = async (connection) => {
    if (ofOthers.has(connection.brand_id)) throw new Error('no token');
    return open(connection);
  };
  // The batch is smaller than the number of brands without a token.
  await deliver({ batch: 2 });
  expect(await deliveries()).toContainEqual(
    expect.objectContaining({ variant_id: id, state: expect.not.stringMatching('queued') }),
  );
  const late = await run(
    `select brand_id from due_work where due_at > now() + interval '10 seconds' and kind = 'deliver' and brand_id <> $1`,
    [brandId],
  );
  expect(late).toHaveLength(3);
});

test('the quota is shared by all workers', async () => {
  const { db, run, channel, calls, add } = await useDelivery();
  for (let n = 0; n < 120; n++) await add(`Thing ${n}`);
  await run('update channel_quota set calls = 0, refilled_at = now()');
  // 100 per second, of which 5 at once.
  const slow = { ...channel, quota: { calls: 100, perMs: 1_000 } };
  const began = Date.now();
  await Promise.all([deliver(db, slow, { runMs: 1_000 }), deliver(db, slow, { runMs: 1_000 })]);
  const seconds = (Date.now() - began) / 1000;
  const made = (await calls()).length;
  expect(made).toBeLessThanOrEqual(100 * seconds + 5);
  expect(made).toBeGreaterThan(20);
});

test('two concurrent workers send everything once', async () => {
  const { db, database, channel, products, calls, brandId } = await useDelivery({ deadlineMs: 10_000 });
  await addVariants(db, brandId, manyPublished(200));
  const settings = { leaseMs: 20_000 };
  await Promise.all([deliverAll(database, channel, settings), deliverAll(database, channel, settings)]);
  expect(await products()).toHaveLength(200);
  expect((await calls()).filter(({ method }) => method === 'PUT')).toHaveLength(200);
});

test('a brand with a thousand due deliveries does not delay the only one of another brand', async () => {
  const { db, channel, calls, brandId, run, setSwitches } = await useDelivery({ deadlineMs: 10_000 });
  await addVariants(db, brandId, manyPublished(1_000));
  // The other deliveries have waited longer.
  await run(`update deliveries set next_attempt_at = now() - interval '1 hour'`);
  await run(`update due_work set due_at = now() - interval '1 hour'`);
  const otherId = await createTestBrand(db, 'Other');
  await connect(db, setSwitches, otherId);
  const [id = 0] = await addVariants(db, otherId, manyPublished(1));
  await deliverOneBatch(db, channel);
  const names = (await calls()).map(({ name }): string => name);
  expect(names.length).toBeLessThanOrEqual(QUICK.batch);
  expect(names).toContain(nameOf(otherId, id));
});

test('the part of a batch that small brands do not need is used by larger ones', async () => {
  const { db, channel, brandId, run, setSwitches } = await useDelivery({ deadlineMs: 10_000 });
  await addVariants(db, brandId, manyPublished(100));
  for (const name of ['Second', 'Third']) {
    const otherId = await createTestBrand(db, name);
    await connect(db, setSwitches, otherId);
    await addVariants(db, otherId, manyPublished(2));
  }
  await run(`update due_work set due_at = now() - interval '1 hour' where brand_id <> $1`, [brandId]);
  await deliverOneBatch(db, channel);
  const [{ count }] = await run('select count(*)::int from deliveries where sent_revision is not null');
  expect(count).toBe(50);
});

test('workers and concurrent changes of many variants never deadlock', async () => {
  const { db, database, pool, run, channel, brandId, products } = await useDelivery({ deadlineMs: 10_000 });
  const { id: userId } = await createTestUser(db);
  await addVariants(db, brandId, manyPublished(150));
  let changing = true;
  const work = async () => {
    while (changing) await deliver(db, channel, { leaseMs: 20_000 });
  };
  const workers = [work(), work()];
  for (let n = 0; n < 8; n++) {
    await Promise.all([
      changeVariants(db, brandId, (name) => ({ name: `${name}!` })),
      updateBrand(db, userId, brandId, { name: `Acme ${n}` }),
    ]);
    const third = await run('select id, published from variants where id % 3 = $1', [n % 3]);
    for (const published of [true, false]) {
      const ids = third.filter((variant) => variant.published === published).map(({ id }): number => id);
      await setPublished(db, brandId, !published, ids);
    }
  }
  changing = false;
  await Promise.all(workers);
  await deliverAll(database, channel, { leaseMs: 20_000 });
  const [{ published }] = await run('select count(*)::int as published from variants where published');
  expect(await products()).toHaveLength(published);
  await expectDerivedData(pool);
});
