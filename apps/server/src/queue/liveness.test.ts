import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { repeat } from './liveness.ts';

test('the work runs at once, and then repeatedly until it is stopped', async () => {
  const work = vi.fn(async () => {});
  const { stop } = repeat(work, 5);
  expect(work).toHaveBeenCalledOnce();
  await vi.waitFor(() => expect(work.mock.calls.length).toBeGreaterThan(3), 10_000);
  await stop();
  const { length } = work.mock.calls;
  await sleep(30);
  expect(work).toHaveBeenCalledTimes(length);
});

test('a run is skipped while the previous one is still running, and stopping waits for the running one', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const work = vi.fn(() => promise);
  const { stop } = repeat(work, 5);
  await sleep(50);
  expect(work).toHaveBeenCalledOnce();
  const stopped = vi.fn();
  const stopping = stop().then(stopped);
  await sleep(20);
  expect(stopped).not.toHaveBeenCalled();
  resolve();
  await stopping;
  expect(work).toHaveBeenCalledOnce();
});
