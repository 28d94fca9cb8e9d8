// @module-tag empty-installation
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { addVariants, changeVariants, expectDerivedData, setPublished } from '../../test/catalogue.ts';
import { createTestBrand, createTestUser } from '../../test/people.ts';
import { updateBrand } from '../people/brands/brands.ts';
import { type ChannelSession, ChannelUnavailable } from './channel.ts';
import { createDeliveries } from './delivery.ts';
import { connect, deliver, deliverAll, manyPublished, nameOf, QUICK, silent, useDelivery } from './test-support/delivery.ts';

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
    const [longer] = await run('select min(extract(epoch from next_attempt_at - now()))::int as seconds from deliveries');
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
    expect(await deliver()).toBe(0);
  });

  test('that requested a pause is not called before it ends, and is then', async () => {
    const { add, deliver, run } = await useDelivery();
    await add('Olive oil');
    await run(`update channel_quota set paused_until = now() + interval '40 seconds'`);
    const began = performance.now();
    expect(await deliver()).toBe(0);
    expect(performance.now() - began).toBeLessThan(2_000);
    await run('update channel_quota set paused_until = now()');
    expect(await deliver()).toBeGreaterThan(0);
  });

  test('that is a brand’s own account and asks for a pause delays no other brand', async () => {
    const { add, deliver, run, brandId, channel } = await useDelivery();
    await run(`update channel_connections set kind = 'own', account = '4711', client_id = null, credentials = 'a'`);
    await add('Olive oil');
    channel.open = async () => ({
      ...({} as ChannelSession),
      send: async () => {
        throw new ChannelUnavailable('Later', { answered: true, pauseMs: 600_000 });
      },
    });
    await deliver({ maxBackoffMs: 3_600_000 });
    expect(await run('select paused_until > now() as paused from channel_quota')).toEqual([{ paused: false }]);
    expect(
      await run("select due_at > now() + interval '1 minute' as later from due_work where brand_id = $1 and kind = $2", [
        brandId,
        'deliver',
      ]),
    ).toEqual([{ later: true }]);
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
  expect(await deliveries()).toContainEqual(expect.objectContaining({ variant_id: id, state: expect.not.stringMatching('queued') }));
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
  await Promise.all([deliver(db, slow), deliver(db, slow)]);
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
  await deliver(db, channel, { leaseMs: 20_000 });
  const names = (await calls()).map(({ name }): string => name);
  expect(names).toContain(nameOf(otherId, id));
  expect(names.indexOf(nameOf(otherId, id))).toBeLessThan(2 * QUICK.batch);
});

test('a call that a brand was given and does not need is given back', async () => {
  const { db, channel, calls, add, run } = await useDelivery();
  await add('Olive oil');
  await run('update channel_quota set calls = 40, refilled_at = now()');
  // Refills nothing while the test runs.
  await deliver(db, { ...channel, quota: { calls: 800, perMs: 1e12 } });
  const [{ left }] = await run('select round(calls)::int as left from channel_quota');
  expect(left).toBe(40 - (await calls()).length);
});

describe('a brand holds up no other,', () => {
  /** The brand, and another with one product to be sent. */
  async function useTwoBrands() {
    const delivery = await useDelivery({ deadlineMs: 10_000 });
    const { db, setSwitches, brandId, add, channel } = delivery;
    await add('Olive oil');
    const otherId = await createTestBrand(db, 'Other');
    await connect(db, setSwitches, otherId);
    const [id = 0] = await addVariants(db, otherId, manyPublished(1));
    const started = createDeliveries({ db, channel, logger: silent, settings: QUICK });
    const stateOf = async (id: number) => (await delivery.run('select state from deliveries where brand_id = $1', [id]))[0]?.state;
    const otherIsSent = () => vi.waitFor(async () => expect(await stateOf(otherId)).toMatch(/sent|live/), 10_000);
    /** Replaces the session of the first brand. */
    const replaceSession = (change: (session: ChannelSession) => ChannelSession) => {
      const { open } = channel;
      channel.open = async (connection) => {
        const session = await open(connection);
        return connection.brand_id === brandId ? change(session) : session;
      };
    };
    return { ...delivery, otherId, id, started, stateOf, otherIsSent, replaceSession };
  }

  test('whose lock is held, and is delivered when it is released', async () => {
    const { pool, brandId, started, stateOf, otherIsSent } = await useTwoBrands();
    const holder = await pool.connect();
    onTestFinished(() => holder.release(true));
    await holder.query('begin');
    await holder.query('select from brands where id = $1 for no key update', [brandId]);
    await started.start();
    await otherIsSent();
    expect(await stateOf(brandId)).toBe('queued');
    await holder.query('commit');
    await vi.waitFor(async () => expect(await stateOf(brandId)).not.toBe('queued'), 10_000);
    await started.idle();
  });

  test('whose channel does not answer', async () => {
    const { brandId, started, stateOf, otherIsSent, replaceSession } = await useTwoBrands();
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    onTestFinished(() => answer());
    replaceSession((session) => ({
      ...session,
      send: async (...product) => {
        await answered;
        await session.send(...product);
      },
    }));
    await started.start();
    await otherIsSent();
    expect(await stateOf(brandId)).toBe('queued');
    answer();
    await started.idle();
    expect(await stateOf(brandId)).not.toBe('queued');
  });

  test('whose token cannot be had', async () => {
    const { brandId, channel, started, stateOf, otherIsSent } = await useTwoBrands();
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    onTestFinished(() => answer());
    const { open } = channel;
    channel.open = async (connection) => {
      if (connection.brand_id === brandId) await answered;
      return open(connection);
    };
    await started.start();
    await otherIsSent();
    expect(await stateOf(brandId)).toBe('queued');
    answer();
    await started.idle();
  });

  test('whose deliveries fail with a defect, and are tried again later', async () => {
    const { brandId, channel, started, otherIsSent, run } = await useTwoBrands();
    const { resourcePrefix } = channel;
    channel.resourcePrefix = (connection) => {
      if (connection.brand_id === brandId) throw new Error('defect');
      return resourcePrefix(connection);
    };
    await started.start();
    await otherIsSent();
    await started.idle();
    const work = `select failures, due_at > now() + interval '50 seconds' as later from due_work where kind = 'deliver' and brand_id = $1`;
    expect(await run(work, [brandId])).toEqual([{ failures: 1, later: true }]);
  });

  test('and work that comes while its lane runs is done as well', async () => {
    const { add, started, run, replaceSession } = await useTwoBrands();
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    onTestFinished(() => answer());
    replaceSession((session) => ({
      ...session,
      send: async (...product) => {
        await answered;
        await session.send(...product);
      },
    }));
    await started.start();
    const later = await add('Sea salt');
    await started.start();
    answer();
    await started.idle();
    expect(await run('select sent_revision from deliveries where variant_id = $1', [later])).toEqual([{ sent_revision: 1 }]);
  });
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
      updateBrand(db, { userId, supportEmail: '' }, brandId, { name: `Acme ${n}` }),
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
