// @module-tag empty-installation
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { act } from '../../test/bulk.ts';
import { createTestMember } from '../../test/people.ts';
import { openDatabase } from '../db/database.ts';
import { optInForTrial } from '../people/brands/brands.ts';
import type { ChannelSession } from './channel.ts';
import { createDeliveries, type DeliveryDependencies } from './delivery.ts';
import { QUICK, silent, useDelivery } from './test-support/delivery.ts';

type Delivery = Awaited<ReturnType<typeof useDelivery>>;

/** A server's deliveries, as they run in production. */
function startServer({ db, channel }: Delivery, deps: Partial<DeliveryDependencies> = {}) {
  const stopper = new AbortController();
  const deliveries = createDeliveries({ db, channel, logger: silent, stopping: stopper.signal, ...deps });
  const watching = deliveries.watch();
  onTestFinished(async () => {
    stopper.abort();
    await watching;
    await deliveries.idle();
  });
}

/** The channel answers when the test says so. */
function holdSending({ channel }: Delivery) {
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  const sending = vi.fn();
  const { open } = channel;
  const held = {
    ...channel,
    open: async (...connection: Parameters<typeof open>): Promise<ChannelSession> => {
      const session = await open(...connection);
      const send: ChannelSession['send'] = async (...product) => {
        sending();
        await answered;
        await session.send(...product);
      };
      return { ...session, send };
    },
  };
  return { held, sending, answer };
}

test('published variants are sent to the channel and become live without any job', async () => {
  const delivery = await useDelivery({ deadlineMs: 5_000 });
  const { db, brandId, add, products } = delivery;
  startServer(delivery);
  await optInForTrial(db, null, brandId);
  const editor = await createTestMember(db, brandId, 'editor');
  for (const name of ['Olive oil', 'Sea salt']) await add(name, { published: false });
  expect(await act(db, { brandId, userId: editor.id }, 'publish_all')).toMatchObject({ changed: 2 });
  await vi.waitFor(async () => {
    expect(await products()).toHaveLength(2);
    expect((await delivery.deliveries()).map(({ state }) => state)).toEqual(['live', 'live']);
  }, 15_000);
});

test('a brand that becomes due while its lane runs is not forgotten, wherever the lane is', async () => {
  const delivery = await useDelivery({ deadlineMs: 5_000 });
  const { add, products } = delivery;
  const { held, sending, answer } = holdSending(delivery);
  startServer(delivery, { channel: held });
  onTestFinished(() => answer());
  await add('Before the lane');
  await vi.waitFor(() => expect(sending).toHaveBeenCalledOnce(), 5_000);
  await add('While its call runs');
  answer();
  // Some come while the lane writes, claims in vain or ends.
  for (let n = 0; n < 20; n++) {
    await add(`While it ends ${n}`);
    await sleep(n * 3);
  }
  await vi.waitFor(async () => expect(await products()).toHaveLength(22), 10_000);
});

test('what a killed server was sending, and what it had not begun, is delivered by another one', async () => {
  const delivery = await useDelivery({ deadlineMs: 5_000 });
  const { add, database, run, products } = delivery;
  const { held, sending, answer } = holdSending(delivery);
  const killed = openDatabase(database.url, () => {});
  startServer(delivery, { db: killed.db, channel: held, settings: QUICK });
  onTestFinished(() => answer());
  await add('Being sent');
  await vi.waitFor(() => expect(sending).toHaveBeenCalledOnce(), 5_000);
  await killed.close();
  await add('Not begun');
  startServer(delivery);
  await vi.waitFor(async () => expect(await products()).toHaveLength(2), 10_000);
  expect(await run('select from deliveries where sent_revision = revision')).toHaveLength(2);
});

test('a failure to look is not the end of it', async () => {
  const delivery = await useDelivery({ deadlineMs: 5_000 });
  const warn = vi.spyOn(silent, 'warn');
  onTestFinished(() => warn.mockRestore());
  const now = vi.fn(() => new Date());
  now.mockImplementationOnce(() => {
    throw new Error('defect');
  });
  startServer(delivery, { now });
  await delivery.add('Olive oil');
  await vi.waitFor(async () => expect(await delivery.products()).toHaveLength(1), 15_000);
  expect(warn).toHaveBeenCalledWith(expect.anything(), 'The due deliveries could not be read');
}, 20_000);

test('a stopping server starts no new deliveries', async () => {
  const { db, add, channel, calls } = await useDelivery();
  await add('Olive oil');
  const deliveries = createDeliveries({ db, channel, logger: silent, stopping: AbortSignal.abort() });
  await deliveries.start();
  await deliveries.watch();
  expect(await deliveries.idle()).toBe(0);
  expect(await calls()).toEqual([]);
});
