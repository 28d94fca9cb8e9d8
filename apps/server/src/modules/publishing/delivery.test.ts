import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  addCertificate,
  addVariants,
  changeVariants,
  expectDerivedData,
  setPublished,
  withBrandLock,
} from '../../../test/catalogue.ts';
import { createTestBrand, createTestUser } from '../../../test/people.ts';
import { type Db, inTransaction } from '../../db/database.ts';
import { setForTransaction } from '../../db/statements.ts';
import { deleteBrand, updateBrand } from '../brands/brands.ts';
import { claimDeliveries, writeDeliveryResults, writeListedVerdicts } from '../writes/deliveries.ts';
import { afterAttempt } from '../writes/delivery-states.ts';
import { deleteVariants } from '../writes/variants.ts';
import { type Channel, ChannelRefused, type ChannelSession, ChannelUnavailable } from './channel.ts';
import { connectBrand, disconnectBrand, getConnection, sweepConnections } from './connections.ts';
import { decryptCredentials, encryptCredentials } from './credentials.ts';
import { listClaimedDeliveries } from './deliveries.queries.ts';
import { deliverDue } from './delivery.ts';
import { retryDeliveries } from './operator.ts';
import { connect, deliver, deliverAll, QUICK, silent, toGtin, useDelivery } from './test-support/delivery.ts';

const manyPublished = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ gtin: toGtin(1_000 + n), name: `Thing ${n}`, published: true }));

const nameOf = (brandId: number, variantId: number) => `accounts/1000001/products/US:en:77:${brandId}-${variantId}`;
const PLACE = { connectionId: 1, resourcePrefix: '' };

function deliverOneBatch(db: Db, channel: Channel): Promise<number> {
  const once = new AbortController();
  const resourcePrefix: Channel['resourcePrefix'] = (connection) => {
    once.abort();
    return channel.resourcePrefix(connection);
  };
  const stopping = once.signal;
  return deliverDue({ db, channel: { ...channel, resourcePrefix }, logger: silent, settings: QUICK, stopping });
}

describe('a published variant', () => {
  test('is sent with its validated certificates, and is live when the channel says so', async () => {
    // Long enough that a slow machine does not check the verdict at once.
    const { add, certify, deliver, deliverAll, deliveries, products, brandId } = await useDelivery({
      firstCheckMs: 2_000,
    });
    const id = await add('Olive oil', { gtin: '4006381333931' });
    await certify(id, 'FSC-C000001', 'validated', '2099-12-31');
    await certify(id, 'FSC-C000002', 'pending');
    await certify(id, 'FSC-C000003', 'invalid');
    await certify(id, 'FSC-C000004', 'validated', '2020-01-01');
    expect(await deliveries()).toMatchObject([{ variant_id: id, state: 'queued' }]);
    await deliver();
    expect(await deliveries()).toMatchObject([{ state: 'sent', sent_at: expect.any(Date), judged_at: null }]);
    expect(await products()).toEqual([
      {
        name: nameOf(brandId, id),
        body: {
          targetClientId: '77',
          gtin: ['4006381333931'],
          title: 'Olive oil',
          brand: 'Acme',
          productType: ['Food'],
          intendedCountry: ['US'],
          certification: [
            { name: 'FSC', authority: 'Forest Stewardship Council', code: 'FSC-C000001', validUntil: '2099-12-31' },
          ],
        },
      },
    ]);
    await deliverAll();
    expect(await deliveries()).toMatchObject([{ state: 'live', reason: '', judged_at: expect.any(Date) }]);
  });

  test('without certificates is sent with an empty list', async () => {
    const { add, deliverAll, products } = await useDelivery();
    await add('Sea salt');
    await deliverAll();
    expect((await products())[0].body.certification).toEqual([]);
  });

  // At any hour, one of the two zones has another date than UTC.
  test.each(['Pacific/Kiritimati', 'Etc/GMT+12'])(
    'is sent with the certificates that are valid on the date of the brand, also with the database in %s',
    async (timezone) => {
      const { add, certify, db, brandId } = await useDelivery();
      const id = await add('Olive oil');
      await certify(id, 'FSC-C000001', 'validated', '2027-02-01');
      await certify(id, 'FSC-C000002', 'validated', '2027-01-31');
      const claimId = randomUUID();
      const [delivery] = await inTransaction(db, async (db) => {
        await setForTransaction(db, { timezone });
        await claimDeliveries(db, { brandId, claimId, limit: 2, leaseMs: 1_000, place: PLACE });
        return listClaimedDeliveries(db, { brandId, claimId, today: '2027-02-01' });
      });
      expect(delivery?.product?.certifications.map(({ code }) => code)).toEqual(['FSC-C000001']);
    },
  );

  test('is refused with the issue that the channel names', async () => {
    const { add, deliverAll, deliveries, setSwitches } = await useDelivery();
    const issue = { type: 'GTIN', title: 'Unknown GTIN', description: 'GS1 has no record of it.' };
    await setSwitches({ refusals: [{ gtin: '4006381333931', ...issue }] });
    await add('Olive oil', { gtin: '4006381333931' });
    await add('Sea salt', { gtin: '61414100' });
    await deliverAll();
    expect(await deliveries()).toMatchObject([
      { state: 'refused', reason: 'Unknown GTIN: GS1 has no record of it.' },
      { state: 'refused', reason: expect.stringContaining('Invalid GTIN') },
    ]);
  });

  test('that changes is sent again, under the same name at the channel', async () => {
    const { add, certify, deliverAll, products, db, rename, reject, brandId, calls, setSwitches } = await useDelivery();
    const id = await add('Olive oil');
    await certify(id, 'FSC-C000001');
    await deliverAll();
    await rename('Best olive oil');
    await connect(db, setSwitches, brandId, { name: 'Acme Foods' });
    await deliverAll();
    expect(await products()).toMatchObject([
      { name: nameOf(brandId, id), body: { title: 'Best olive oil', brand: 'Acme Foods', certification: [{}] } },
    ]);
    await reject('FSC-C000001');
    await deliverAll();
    expect(await products()).toMatchObject([{ body: { certification: [] } }]);
    expect((await calls()).filter(({ method }) => method === 'PUT')).toHaveLength(3);
  });

  test('that changes during a call is sent again after it', async () => {
    const { add, deliver, deliverAll, products, rename, setSwitches, deliveries } = await useDelivery();
    await add('Before');
    await setSwitches({ late_ms: 400 });
    const underWay = deliver();
    await new Promise((resolve) => setTimeout(resolve, 30));
    await rename('After');
    await underWay;
    await setSwitches({ late_ms: 0 });
    await deliverAll();
    expect(await products()).toMatchObject([{ body: { title: 'After' } }]);
    expect(await deliveries()).toMatchObject([{ state: 'live' }]);
  });

  test('that the channel has lost is sent again', async () => {
    const { add, deliverAll, products, run, makeDue } = await useDelivery();
    await add('Olive oil');
    await deliverAll();
    await run('delete from embedded.channel_emulator_resources');
    await makeDue();
    await deliverAll();
    expect(await products()).toHaveLength(1);
  });

  test('is not sent before the go-live date', async () => {
    const { add, deliver, deliveries, calls } = await useDelivery();
    await add('Olive oil');
    const goLive = Date.UTC(2026, 0, 1);
    expect(await deliver({}, () => new Date(goLive - 1))).toBe(0);
    expect(await calls()).toEqual([]);
    expect(await deliveries()).toMatchObject([{ state: 'queued' }]);
    expect(await deliver({}, () => new Date(goLive))).toBeGreaterThan(0);
  });
});

describe('a sent product is withdrawn', () => {
  test.each<[string, (db: Db, brandId: number) => Promise<unknown>]>([
    ['when its variant is unpublished', (db, brandId) => setPublished(db, brandId, false)],
    ['when its variant is deleted', (db, brandId) => withBrandLock(db, brandId, (db) => deleteVariants(db, brandId))],
    ['when its brand is deleted', (db, brandId) => deleteBrand(db, null, brandId)],
  ])('%s', async (_name, change) => {
    const { add, deliverAll, products, deliveries, db, brandId, calls } = await useDelivery();
    await add('Olive oil');
    await deliverAll();
    await change(db, brandId);
    expect(await deliveries()).toMatchObject([{ state: 'removing' }]);
    await deliverAll();
    expect(await products()).toEqual([]);
    expect(await deliveries()).toEqual([]);
    expect((await calls()).at(-1)).toMatchObject({ method: 'DELETE', status: 200 });
  });

  test('and a delivery that was not sent is deleted at once', async () => {
    const { add, deliveries, setPublished } = await useDelivery();
    await add('Olive oil');
    await setPublished(false);
    expect(await deliveries()).toEqual([]);
  });

  test('and exists in the end if it is published again meanwhile', async () => {
    const { add, deliver, deliverAll, products, setPublished, setSwitches } = await useDelivery();
    await add('Olive oil');
    await deliverAll();
    await setPublished(false);
    await setSwitches({ late_ms: 400 });
    const underWay = deliver();
    await new Promise((resolve) => setTimeout(resolve, 30));
    await setPublished(true);
    await underWay;
    await setSwitches({ late_ms: 0 });
    await deliverAll();
    expect(await products()).toHaveLength(1);
  });

  test('from its old place after the brand was connected again', async () => {
    const { add, db, brandId, setSwitches, deliverAll, products, run } = await useDelivery();
    await add('Olive oil');
    await deliverAll();
    await connect(db, setSwitches, brandId, { countries: ['DE', 'AT'], client_id: '88' });
    await deliverAll();
    const name = expect.stringContaining('/products/DE:en:88:');
    expect(await products()).toMatchObject([{ name, body: { targetClientId: '88', intendedCountry: ['DE', 'AT'] } }]);
    expect(await run('select count(*)::int from channel_connections')).toEqual([{ count: 2 }]);
    await run(`update due_work set due_at = now() where kind = 'end_connections'`);
    await sweepConnections(db);
    expect(await run('select client_id from channel_connections')).toEqual([{ client_id: '88' }]);
    expect(await run(`select from due_work where kind = 'end_connections'`)).toEqual([]);
  });

  test('when the brand is disconnected, and is done if it is unpublished at that moment', async () => {
    const { add, db, brandId, channel, deliverAll, deliver, deliveries, products } = await useDelivery();
    await add('Olive oil');
    await deliverAll();
    await disconnectBrand(db, brandId);
    const { open } = channel;
    channel.open = async (connection) => {
      const session = await open(connection);
      const withdraw: ChannelSession['withdraw'] = async (resource) => {
        await session.withdraw(resource);
        await setPublished(db, brandId, false);
      };
      return { ...session, withdraw };
    };
    await deliver();
    expect(await products()).toEqual([]);
    expect(await deliveries()).toEqual([]);
  });

  test('when the brand is disconnected, and queued until it is connected again', async () => {
    const { add, db, brandId, setSwitches, deliver, deliverAll, products, deliveries, run } = await useDelivery();
    await add('Olive oil');
    await deliverAll();
    await disconnectBrand(db, brandId);
    await deliver();
    expect(await products()).toEqual([]);
    expect(await deliveries()).toMatchObject([{ state: 'queued' }]);
    expect(await run(`select from due_work where kind = 'deliver'`)).toEqual([]);
    await connect(db, setSwitches, brandId);
    await deliverAll();
    expect(await products()).toHaveLength(1);
  });
});

describe('a change that the channel rejects', () => {
  /** A certified product that is live, and a channel that rejects its next version. */
  async function useRejection() {
    const delivery = await useDelivery();
    const { channel, add, certify, deliverAll } = delivery;
    const id = await add('Olive oil');
    await certify(id, 'FSC-C000001');
    await deliverAll();
    const rejected = new Set(['Bad oil']);
    const { open } = channel;
    channel.open = async (connection) => {
      const session = await open(connection);
      const send: ChannelSession['send'] = async (resource, product) => {
        if (rejected.has(product.title)) throw new ChannelRefused('Invalid title');
        await session.send(resource, product);
      };
      return { ...session, send };
    };
    const rows = () => delivery.run('select state, reason, resource, next_attempt_at from deliveries');
    return { ...delivery, rows, accept: () => rejected.clear() };
  }
  const REFUSED = { state: 'refused', reason: 'Invalid title', resource: null, next_attempt_at: null };

  test.each<[string, (db: Db, brandId: number) => Promise<unknown>]>([
    ['a later change', (db, brandId) => changeVariants(db, brandId, { name: 'Good oil' })],
    ['a retry of the operator', (db, brandId) => retryDeliveries(db, { brandId })],
    [
      'a new publish',
      async (db, brandId) => {
        await setPublished(db, brandId, false);
        await setPublished(db, brandId, true);
      },
    ],
  ])('withdraws the version before it, and %s sends the product again', async (_name, change) => {
    const { rename, deliverAll, products, rows, accept, db, brandId, deliveries } = await useRejection();
    await rename('Bad oil');
    await deliverAll();
    expect(await products()).toEqual([]);
    expect(await rows()).toEqual([REFUSED]);
    accept();
    await change(db, brandId);
    await deliverAll();
    expect(await products()).toHaveLength(1);
    expect(await deliveries()).toMatchObject([{ state: 'live', reason: '' }]);
  });

  test('withdraws it also if the channel fails at first', async () => {
    const { rename, deliver, deliverAll, products, rows, setSwitches, makeDue } = await useRejection();
    await setSwitches({ fail_share: 1 });
    await rename('Bad oil');
    await deliver({ backoffMs: 60_000, maxBackoffMs: 600_000 });
    expect(await products()).toHaveLength(1);
    expect(await rows()).toMatchObject([
      { ...REFUSED, resource: expect.any(String), next_attempt_at: expect.any(Date) },
    ]);
    await setSwitches({ fail_share: 0 });
    await makeDue();
    await deliverAll();
    expect(await products()).toEqual([]);
    expect(await rows()).toEqual([REFUSED]);
  });

  test('withdraws a version whose answer was lost', async () => {
    const { rename, deliverAll, products, run } = await useRejection();
    await run('update deliveries set sent_revision = null');
    await rename('Bad oil');
    await deliverAll();
    expect(await products()).toEqual([]);
  });
});

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

describe('verdicts', () => {
  test('are stored per country of the connection: live means live in all of them', async () => {
    const { add, db, brandId, setSwitches, deliverAll, makeDue, deliveries, run } = await useDelivery();
    await connect(db, setSwitches, brandId, { countries: ['DE', 'AT'], client_id: '88' });
    const gtin = toGtin(1);
    const title = 'Missing energy label';
    await setSwitches({
      refusals: [{ gtin, type: 'ENERGY', title, description: 'Provide it.', applicableCountries: ['AT'] }],
    });
    await add('Lamp', { gtin });
    await deliverAll();
    expect(await deliveries()).toMatchObject([{ state: 'partly_live', reason: `${title}: Provide it.` }]);
    expect(await run('select countries from deliveries')).toEqual([
      { countries: { DE: 'approved', AT: 'disapproved' } },
    ]);
    const issues = `select type, severity, title, i.countries, i.revision = d.revision as counts
      from delivery_issues i join deliveries d using (brand_id, variant_id) where severity = 'error'`;
    expect(await run(issues)).toEqual([{ type: 'ENERGY', severity: 'error', title, countries: ['AT'], counts: true }]);
    await setSwitches({ refusals: [] });
    await makeDue();
    await deliverAll();
    expect(await deliveries()).toMatchObject([{ state: 'live', reason: '' }]);
    expect(await run(issues)).toEqual([]);
  });

  test('are no longer live while Google judges the product anew', async () => {
    const { add, setSwitches, deliver, deliverAll, makeDue, run } = await useDelivery();
    await add('Lamp');
    await deliverAll();
    await setSwitches({ processing_ms: 60_000 });
    await makeDue();
    await deliver({ maxBackoffMs: 600_000 });
    const delivery = 'select state, countries from deliveries';
    expect(await run(delivery)).toEqual([{ state: 'sent', countries: { US: 'pending' } }]);
    await setSwitches({ processing_ms: 0 });
    await makeDue();
    await deliverAll();
    expect(await run(delivery)).toEqual([{ state: 'live', countries: { US: 'approved' } }]);
  });

  test('keep their reason and countries when a later check fails', async () => {
    const { add, db, brandId, setSwitches, deliver, deliverAll, makeDue, deliveries, run } = await useDelivery();
    await connect(db, setSwitches, brandId, { countries: ['DE', 'AT'], client_id: '88' });
    const issue = { type: 'ENERGY', title: 'Missing energy label', description: 'Provide it.' };
    const gtins = [toGtin(1), toGtin(2), toGtin(3)];
    await setSwitches({
      refusals: [
        { gtin: gtins[0], ...issue },
        { gtin: gtins[1], ...issue, applicableCountries: ['AT'] },
      ],
    });
    for (const gtin of gtins) await add('Lamp', { gtin });
    await deliverAll();
    const verdicts = () => run('select variant_id, state, reason, countries from deliveries order by variant_id');
    const before = await verdicts();
    expect(before).toMatchObject([{ state: 'refused' }, { state: 'partly_live' }, { state: 'live' }]);
    await setSwitches({ fail_share: 1 });
    await makeDue();
    await deliver({ backoffMs: 60_000, maxBackoffMs: 600_000 });
    expect(await deliveries()).toMatchObject([{ attempts: 1 }, { attempts: 1 }, { attempts: 1 }]);
    expect(await verdicts()).toEqual(before);
  });

  test('keep their countries while the channel cannot find the product', async () => {
    const { add, deliverAll, deliver, makeDue, run } = await useDelivery();
    await add('Olive oil');
    await deliverAll();
    await run(`update deliveries set state = 'sent'`);
    await run('delete from embedded.channel_emulator_resources');
    await makeDue();
    await deliver({ backoffMs: 60_000, maxBackoffMs: 600_000 });
    expect(await run('select countries from deliveries')).toEqual([{ countries: { US: 'approved' } }]);
  });

  test('of a worker that has lost its claim do not change the issues', async () => {
    const { add, db, brandId, deliverAll, run, setSwitches, makeDue } = await useDelivery();
    const gtin = toGtin(1);
    await setSwitches({
      refusals: [{ gtin, type: 'ENERGY', title: 'Missing energy label', description: 'Provide it.' }],
    });
    await add('Lamp', { gtin });
    await deliverAll();
    await makeDue();
    const [slow, fast] = [randomUUID(), randomUUID()];
    const claim = { brandId, limit: 10, leaseMs: 60_000, place: PLACE };
    await inTransaction(db, (db) => claimDeliveries(db, { ...claim, claimId: slow }));
    const results = (await listClaimedDeliveries(db, { brandId, claimId: slow, today: '2027-02-01' })).map((delivery) =>
      afterAttempt(delivery, { kind: 'rejected', reason: 'No' }, QUICK),
    );
    await run(`update deliveries set claimed_by = $1`, [fast]);
    const issues = () => run('select * from delivery_issues');
    const before = await issues();
    expect(before).not.toEqual([]);
    await writeDeliveryResults(db, { brandId, claimId: slow }, results);
    expect(await issues()).toEqual(before);
    await run('update deliveries set revision = revision + 1');
    await writeDeliveryResults(db, { brandId, claimId: fast }, results);
    expect(await issues()).toEqual(before);
  });

  test('leave no issues behind when the product is withdrawn or its delivery is deleted', async () => {
    const { add, db, brandId, setSwitches, deliver, deliverAll, setPublished, run } = await useDelivery();
    const gtin = toGtin(1);
    await setSwitches({ refusals: [{ gtin, type: 'ENERGY', title: 'Missing energy label', description: 'Add it.' }] });
    await add('Lamp', { gtin });
    await deliverAll();
    const issues = () => run(`select type from delivery_issues where severity = 'error'`);
    expect(await issues()).toEqual([{ type: 'ENERGY' }]);
    await disconnectBrand(db, brandId);
    await deliver();
    expect(await issues()).toEqual([]);
    await connect(db, setSwitches, brandId);
    await deliverAll();
    expect(await issues()).toEqual([{ type: 'ENERGY' }]);
    // As if the variant had changed while its product was withdrawn: the delivery has no product at the channel, but issues.
    await run('update deliveries set resource = null, connection_id = null');
    await setPublished(false);
    expect(await run('select from deliveries')).toEqual([]);
    expect(await issues()).toEqual([]);
  });

  test('of a list do not count for what was sent through another connection', async () => {
    const { add, db, brandId, deliverAll, makeDue } = await useDelivery();
    const id = await add('Olive oil');
    await deliverAll();
    await makeDue();
    const verdicts = new Map([[nameOf(brandId, id), { countries: {}, elsewhere: 'approved', issues: [] } as const]]);
    const listed = { shownIn: ['US'], checkAfterMs: 1, pauses: QUICK, startedAt: new Date(Date.now() + 1_000) };
    const write = (connectionId: number) => writeListedVerdicts(db, brandId, verdicts, { ...listed, connectionId });
    expect(await write(PLACE.connectionId + 1)).toBe(0);
    expect(await write(PLACE.connectionId)).toBe(1);
  });

  test('of many products are read from the list of the account, page by page', async () => {
    const { db, brandId, deliverAll, makeDue, deliver, calls, run, add, deliveries } = await useDelivery({
      deadlineMs: 10_000,
    });
    await addVariants(db, brandId, manyPublished(600));
    await deliverAll({ leaseMs: 20_000 });
    await run(`update deliveries set state = 'sent'`);
    await makeDue();
    await run('truncate embedded.channel_emulator_calls');
    await add('One that is new');
    await deliver({ leaseMs: 20_000 });
    const made = await calls();
    expect(made.filter(({ name }) => name.endsWith('/products'))).toHaveLength(3);
    expect(made.filter(({ method }) => method === 'PUT')).toHaveLength(1);
    // The new one may already have its verdict.
    expect((await deliveries()).slice(0, 600).filter(({ state }) => state !== 'live')).toEqual([]);
    // Two thousand calls over HTTP: a busy machine needs more than the usual time.
  }, 60_000);
});

describe('a connection', () => {
  test('that Google does not know is shown as refused with Google’s message, until it knows it', async () => {
    const { add, db, brandId, setSwitches, deliver, makeDue, deliverAll } = await useDelivery();
    const unknown = { kind: 'partner', account: null, client_id: '99', credentials: null } as const;
    await connectBrand(db, brandId, { ...unknown, countries: ['US'], language: 'en', registered_name: 'Acme' });
    await add('Olive oil');
    await deliver({ backoffMs: 60_000, maxBackoffMs: 60_000 });
    const refusal = 'The account is not linked with the client 99.';
    expect(await getConnection(db, brandId)).toMatchObject({ state: 'refused', refusal });
    await setSwitches({ links: [{ account: '1000001', client_id: '99', brand: 'Acme' }] });
    await makeDue();
    await deliverAll();
    expect(await getConnection(db, brandId)).toMatchObject({ state: 'connected', refusal: '' });
  });

  test('of an own account uses its own credentials, which are encrypted, and reaches no other account', async () => {
    const encryptionKey = randomBytes(32);
    const { add, db, brandId, setSwitches, deliverAll, products, emulator, run } = await useDelivery({ encryptionKey });
    await add('Olive oil');
    await deliverAll();
    await setSwitches({ links: [{ account: '2000002', client_id: '', brand: 'Acme' }] });
    const key = JSON.stringify(emulator.credentialsFor('2000002'));
    const own = { kind: 'own', account: '2000002', client_id: null, countries: ['US'], language: 'en' } as const;
    const credentials = encryptCredentials(encryptionKey, brandId, key);
    await connectBrand(db, brandId, { ...own, registered_name: 'Acme', credentials });
    await deliverAll();
    expect(await products()).toMatchObject([{ name: expect.stringMatching(/^accounts\/2000002\//) }]);
    const [stored] = await run(
      `select encode(credentials, 'escape') as text from channel_connections where kind = 'own'`,
    );
    expect(stored.text).not.toContain('PRIVATE KEY');
    expect(await run(`select from audit_log where details::text like '%PRIVATE%'`)).toEqual([]);
    // Neither another brand id nor another key decrypts them.
    expect(() => decryptCredentials(encryptionKey, brandId + 1, credentials)).toThrow('CHANNEL_ENCRYPTION_KEY');
    expect(() => decryptCredentials(randomBytes(32), brandId, credentials)).toThrow('CHANNEL_ENCRYPTION_KEY');
  });

  test('is not refused because the previous one is no longer reachable', async () => {
    const encryptionKey = randomBytes(32);
    const { add, db, brandId, setSwitches, deliverAll, deliver, emulator, run } = await useDelivery({ encryptionKey });
    const keyOf = (account: string) =>
      encryptCredentials(encryptionKey, brandId, JSON.stringify(emulator.credentialsFor(account)));
    await setSwitches({ links: [{ account: '2000002', client_id: '', brand: 'Acme' }] });
    const own = { kind: 'own', account: '2000002', client_id: null, countries: ['US'], language: 'en' } as const;
    await connectBrand(db, brandId, { ...own, registered_name: 'Acme', credentials: keyOf('2000002') });
    await add('Olive oil');
    await deliverAll();
    await run('update channel_connections set credentials = $1 where kind = $2', [keyOf('2000003'), 'own']);
    await connect(db, setSwitches, brandId);
    await deliver({ backoffMs: 60_000, maxBackoffMs: 60_000 });
    expect(await getConnection(db, brandId)).toMatchObject({ state: 'connected', refusal: '' });
  });

  test('that is replaced while the token is fetched sends nothing more, and the new one sends everything', async () => {
    const { add, db, brandId, channel, setSwitches, deliverAll, products, run } = await useDelivery();
    await add('Olive oil');
    const { open } = channel;
    let opened = 0;
    channel.open = async (connection) => {
      opened += 1;
      // The first session is opened to read verdicts.
      if (opened === 2) await connect(db, setSwitches, brandId, { countries: ['US', 'CA'], name: 'Acme Foods' });
      return open(connection);
    };
    await deliverAll();
    expect(await products()).toMatchObject([{ body: { brand: 'Acme Foods', intendedCountry: ['US', 'CA'] } }]);
    const [current] = await run('select id from channel_connections where ended_at is null');
    expect(await run('select connection_id as id, countries from deliveries')).toEqual([
      { id: current?.id, countries: { US: 'approved', CA: 'approved' } },
    ]);
  });

  test('that a product was not sent through sends it again instead of checking it', async () => {
    const { add, db, brandId, setSwitches, deliverAll, makeDue, products, run } = await useDelivery();
    await add('Olive oil');
    await deliverAll();
    await connect(db, setSwitches, brandId, { countries: ['US', 'CA'], name: 'Acme Foods' });
    await run('update deliveries set sent_revision = revision');
    await makeDue();
    await deliverAll();
    expect(await products()).toMatchObject([{ body: { brand: 'Acme Foods', intendedCountry: ['US', 'CA'] } }]);
  });

  test('with new credentials of the same account withdraws with these, not with the previous ones', async () => {
    const encryptionKey = randomBytes(32);
    const delivery = await useDelivery({ encryptionKey });
    const { add, db, brandId, setSwitches, deliverAll, emulator, setPublished, products, run } = delivery;
    const keyOf = (account: string) =>
      encryptCredentials(encryptionKey, brandId, JSON.stringify(emulator.credentialsFor(account)));
    await setSwitches({ links: [{ account: '2000002', client_id: '', brand: 'Acme' }] });
    const own = { kind: 'own', account: '2000002', client_id: null, countries: ['US'], language: 'en' } as const;
    const connectOwn = () =>
      connectBrand(db, brandId, { ...own, registered_name: 'Acme', credentials: keyOf('2000002') });
    await connectOwn();
    await add('Olive oil');
    await deliverAll();
    // The previous key is no longer accepted.
    await run('update channel_connections set credentials = $1 where kind = $2', [keyOf('2000003'), 'own']);
    await connectOwn();
    await setPublished(false);
    await deliverAll();
    expect(await products()).toEqual([]);
  });

  test('that waits for its link sends nothing', async () => {
    const { add, db, brandId, deliver, products } = await useDelivery();
    const waiting = { kind: 'partner', account: null, client_id: null, credentials: null } as const;
    await connectBrand(db, brandId, { ...waiting, countries: ['US'], language: 'en', registered_name: 'Acme' });
    await add('Olive oil');
    expect(await deliver()).toBe(0);
    expect(await products()).toEqual([]);
    expect(await getConnection(db, brandId)).toMatchObject({ state: 'waiting' });
  });
});

test('the imported description, image and page are sent, with Google’s names of certifications', async () => {
  const { db, brandId, deliverAll, products, rename } = await useDelivery();
  const details = {
    description: 'Cold pressed',
    image_link: 'https://a.example/1.jpg',
    product_page_url: 'https://a.example/',
  };
  const [id = 0] = await addVariants(db, brandId, [{ gtin: toGtin(5), name: 'Lamp', details, published: true }]);
  await addCertificate(db, brandId, { code: '123456', certification: 'EPREL', status: 'validated' }, [id]);
  await deliverAll();
  const sent = {
    description: 'Cold pressed',
    imageLink: { imageUrl: details.image_link },
    productPageUrl: 'https://a.example/',
  };
  const certification = [{ name: 'EPREL', authority: 'EC', code: '123456' }];
  expect(await products()).toMatchObject([{ body: { ...sent, certification } }]);
  // A PUT replaces all attributes, so a change of one must send all.
  await rename('Bright lamp');
  await deliverAll();
  expect(await products()).toMatchObject([{ body: { ...sent, title: 'Bright lamp', certification } }]);
});
