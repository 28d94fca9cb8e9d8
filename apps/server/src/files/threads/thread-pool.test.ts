import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createThreadPool, type Thread } from './thread-pool.ts';

const usePool = () =>
  createThreadPool(new URL('./test-support/sample.thread.ts', import.meta.url), {
    maxOldGenerationSizeMb: 32,
    maxYoungGenerationSizeMb: 8,
  });
const never = new AbortController().signal;
const count = (thread: Thread) => thread.ask<number>('count');

test('a thread answers calls with a result, and with one value after the other', async () => {
  await usePool().use(never, async (thread) => {
    expect(await count(thread)).toBe(1);
    const numbers = thread.read<number, string>('numbers', 5);
    expect([await numbers.next(), await numbers.next(), await numbers.next()].map(({ value }) => value)).toEqual([5, 6, 7]);
    expect(await numbers.next()).toEqual({ value: 'three numbers', done: true });
    expect(await count(thread)).toBe(2);
  });
});

test('an error arrives with its message and fields, and the thread goes on', async () => {
  await usePool().use(never, async (thread) => {
    await expect(thread.ask('refuse')).rejects.toMatchObject({
      message: 'row_too_long',
      reason: 'row_too_long',
      params: { row: 7, limit: 100 },
    });
    await expect(thread.ask('nothing')).rejects.toThrow('There is no call nothing.');
    expect(await count(thread)).toBe(1);
  });
});

test('a thread is used again, and callers at the same time have one each', async () => {
  const pool = usePool();
  expect(await pool.use(never, count)).toBe(1);
  expect(await Promise.all([pool.use(never, count), pool.use(never, count)])).toEqual([2, 1]);
});

test('a thread that is busy for ever leaves the event loop free, and ends when its signal is aborted', async () => {
  const pool = usePool();
  const controller = new AbortController();
  const spinning = pool.use(controller.signal, (thread) => thread.ask('spin'));
  expect(await pool.use(never, count)).toBe(1);
  controller.abort(new Error('cancelled'));
  await expect(spinning).rejects.toThrow('cancelled');
  await expect(pool.use(controller.signal, count)).rejects.toThrow('cancelled');
  expect(await pool.use(never, count)).toBe(2);
});

test('a thread that uses too much memory ends alone', async () => {
  const pool = usePool();
  await expect(pool.use(never, (thread) => thread.ask('hoard'))).rejects.toMatchObject({
    code: 'ERR_WORKER_OUT_OF_MEMORY',
  });
  expect(await pool.use(never, count)).toBe(1);
});

test('a thread whose values are not read to the end is not used again', async () => {
  const pool = usePool();
  await pool.use(never, async (thread) => {
    for await (const number of thread.read<number>('numbers', 1)) if (number === 2) break;
    await sleep(50);
  });
  expect(await pool.use(never, count)).toBe(1);
});
