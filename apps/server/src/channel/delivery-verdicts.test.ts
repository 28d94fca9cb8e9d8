// @module-tag empty-installation
import { randomUUID } from 'node:crypto';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { addVariants } from '../../test/catalogue.ts';
import { createTestBrand } from '../../test/people.ts';
import { inTransaction } from '../db/database.ts';
import { claimDeliveries, writeDeliveryResults, writeListedVerdicts } from '../writes/deliveries.ts';
import { afterAttempt, type Judgement } from '../writes/delivery-states.ts';
import { type ChannelSession, ChannelUnavailable } from './channel.ts';
import { disconnectBrand } from './connections.ts';
import { listClaimedDeliveries } from './deliveries.queries.ts';
import { createDeliveries } from './delivery.ts';
import { connect, manyPublished, nameOf, PLACE, QUICK, silent, toGtin, useDelivery } from './test-support/delivery.ts';

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
    expect(await run('select countries from deliveries')).toEqual([{ countries: { DE: 'approved', AT: 'disapproved' } }]);
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

  /** Brands with so many products that wait for their verdict, and a list of the account that has all of them. */
  async function useManyChecks(...counts: number[]) {
    const delivery = await useDelivery({ deadlineMs: 10_000 });
    const { db, setSwitches, channel, run } = delivery;
    const brands = [delivery.brandId];
    while (brands.length < counts.length) {
      const brandId = await createTestBrand(db, `Brand ${brands.length}`);
      await connect(db, setSwitches, brandId);
      brands.push(brandId);
    }
    for (const [index, brandId] of brands.entries()) await addVariants(db, brandId, manyPublished(counts[index] ?? 0));
    await run(`update deliveries d set state = 'sent', sent_revision = revision, connection_id = c.id, next_attempt_at = now(),
      resource = 'accounts/1000001/products/US:en:77:' || d.brand_id || '-' || d.variant_id
      from channel_connections c where c.brand_id = d.brand_id`);
    const rows = await run('select resource from deliveries');
    const approved = { countries: {}, elsewhere: 'approved', issues: [] } as const;
    const verdicts = new Map<string, Judgement>(rows.map(({ resource }) => [resource, approved]));
    const list = vi.fn<ChannelSession['list']>(async () => ({ verdicts, nextPageToken: undefined }));
    const check = vi.fn<ChannelSession['check']>(async () => ({ kind: 'judged', ...approved }));
    const send = vi.fn<ChannelSession['send']>();
    channel.open = async () => ({ list, check, send, withdraw: vi.fn() });
    const settings = { ...QUICK, maxBackoffMs: 3_600_000 };
    const stopper = new AbortController();
    const deliveries = createDeliveries({ db, channel, logger: silent, settings, stopping: stopper.signal });
    onTestFinished(async () => {
      stopper.abort();
      await deliveries.idle();
    });
    const countLive = async (brandId: number) =>
      (await run(`select from deliveries where brand_id = $1 and state = 'live'`, [brandId])).length;
    return { ...delivery, brands, list, check, send, started: deliveries, countLive };
  }

  test('of many products are read with one call, and none is checked by itself', async () => {
    const { brandId, list, check, started, countLive } = await useManyChecks(400);
    await started.start();
    await started.idle();
    expect(await countLive(brandId)).toBe(400);
    expect(list).toHaveBeenCalledOnce();
    expect(check).not.toHaveBeenCalled();
  });

  test('wait for a moment while the brand’s own deliveries are written', async () => {
    const { pool, brandId, list, check, started, countLive } = await useManyChecks(400);
    const answer = list.getMockImplementation();
    list.mockImplementationOnce(async (pageToken) => {
      const writer = await pool.connect();
      await writer.query('begin');
      await writer.query('select from brands where id = $1 for no key update', [brandId]);
      setTimeout(() => void writer.query('commit').then(() => writer.release()), 100);
      return answer?.(pageToken) as never;
    });
    await started.start();
    await started.idle();
    expect(await countLive(brandId)).toBe(400);
    expect(check).not.toHaveBeenCalled();
  });

  test('of a busy brand do not hold up those of others in the same list', async () => {
    const { pool, brands, started, countLive } = await useManyChecks(250, 250);
    const [busy = 0, other = 0] = brands;
    const holder = await pool.connect();
    await holder.query('begin');
    await holder.query('select from brands where id = $1 for no key update', [busy]);
    void started.watch();
    await vi.waitFor(async () => expect(await countLive(other)).toBe(250), 10_000);
    expect(await countLive(busy)).toBe(0);
    await holder.query('commit');
    holder.release();
    await vi.waitFor(async () => expect(await countLive(busy)).toBe(250), 10_000);
  });

  test('that are being read delay no delivery of the account’s brands', async () => {
    const { db, brands, brandId, list, send, started } = await useManyChecks(250, 1);
    const [, other = 0] = brands;
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    list.mockImplementation(async () => {
      await held;
      return { verdicts: new Map(), nextPageToken: undefined };
    });
    await started.start();
    await vi.waitFor(() => expect(list).toHaveBeenCalledOnce());
    for (const id of [brandId, other]) {
      await addVariants(db, id, [{ gtin: toGtin(7), name: 'New', published: true }]);
      await started.start();
    }
    await vi.waitFor(() => expect(send).toHaveBeenCalledTimes(2));
    expect(list).toHaveBeenCalledOnce();
    release();
    await started.idle();
  });

  test('that are read in bulk pause all calls if the channel asks for it', async () => {
    const { list, check, started, run } = await useManyChecks(300);
    list.mockRejectedValue(new ChannelUnavailable('Quota exceeded', { answered: true, pauseMs: 3_600_000 }));
    await started.start();
    await started.idle();
    expect(list).toHaveBeenCalledOnce();
    expect(check).not.toHaveBeenCalled();
    expect(await run('select paused_until > now() as paused from channel_quota')).toEqual([{ paused: true }]);
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
