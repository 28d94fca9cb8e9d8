// @module-tag empty-installation
import { expect, onTestFinished, test, vi } from 'vitest';
import { createTestMember } from '../../../test/people.ts';
import { CRONTAB, createTasks } from '../../jobs/tasks.ts';
import { startWorker } from '../../jobs/worker.ts';
import { optInForTrial } from '../brands/brands.ts';
import { createDeliveries } from './delivery.ts';
import { publishAllVariants } from './publishing.ts';
import { silent, useDelivery } from './test-support/delivery.ts';

const mailer = { send: async () => {} };
const publicUrl = 'http://localhost:3000';

test('published variants are sent to the channel and become live by the jobs alone', async () => {
  const delivery = await useDelivery({ deadlineMs: 5_000 });
  const { db, database, channel, brandId, add, products } = delivery;
  const deliveries = createDeliveries({ db, channel, logger: silent });
  const tasks = createTasks({ db, mailer, publicUrl, logger: silent, deliveries });
  const worker = await startWorker({ database, logger: silent, crontab: CRONTAB, tasks });
  onTestFinished(worker.stop);
  await optInForTrial(db, null, brandId);
  const editor = await createTestMember(db, brandId, 'editor');
  for (const name of ['Olive oil', 'Sea salt']) await add(name, { published: false });
  expect(await publishAllVariants(db, editor.id, brandId)).toEqual({ published: 2 });
  await vi.waitFor(async () => {
    expect(await products()).toHaveLength(2);
    expect((await delivery.deliveries()).map(({ state }) => state)).toEqual(['live', 'live']);
  }, 15_000);
});

test('deliveries wait while no channel is configured, and a cron job checks them every minute', async () => {
  const { db, add, deliveries } = await useDelivery();
  await add('Olive oil');
  await createTasks({ db, mailer, publicUrl, logger: silent }).deliver?.({}, {} as never);
  expect(await deliveries()).toMatchObject([{ state: 'queued', attempts: 0 }]);
  expect(CRONTAB).toMatch(/^\* \* \* \* \* deliver /m);
});

test('a stopping server starts no new deliveries', async () => {
  const { db, add, channel, calls } = await useDelivery();
  await add('Olive oil');
  const deliveries = createDeliveries({ db, channel, logger: silent, stopping: AbortSignal.abort() });
  await createTasks({ db, mailer, publicUrl, logger: silent, deliveries }).deliver?.({}, {} as never);
  expect(await deliveries.idle()).toBe(0);
  expect(await calls()).toEqual([]);
});
