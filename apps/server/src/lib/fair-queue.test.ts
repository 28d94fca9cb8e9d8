import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { FairQueue, QueueRefusal } from './fair-queue.ts';

const LIMITS = { total: 4, each: 2, waiting: 3, waitMs: 60_000 };

/** Enters for a key, and notes its name when it starts. */
function useQueue(limits: Partial<typeof LIMITS> = {}) {
  const queue = new FairQueue({ ...LIMITS, ...limits });
  const started: string[] = [];
  const enter = (name: string, ...keys: string[]) => {
    const entered = queue.enter(keys).then((leave) => {
      started.push(name);
      return leave;
    });
    // Some still wait when their test has ended, and are refused after a minute.
    entered.catch(() => undefined);
    return entered;
  };
  return { queue, started, enter };
}

/** All promises that can settle have settled. */
const settle = () => sleep(0);

test('a key runs no more than its share, and its next one starts when one ends', async () => {
  const { started, enter } = useQueue();
  const leave = await enter('first', 'a');
  await enter('second', 'a');
  const third = enter('third', 'a');
  await settle();
  expect(started).toEqual(['first', 'second']);
  leave();
  await third;
  expect(started).toEqual(['first', 'second', 'third']);
});

test('a key that waits delays no other', async () => {
  const { started, enter } = useQueue();
  await enter('a1', 'a');
  await enter('a2', 'a');
  for (const name of ['a3', 'a4', 'a5']) void enter(name, 'a');
  await enter('b1', 'b');
  expect(started).toEqual(['a1', 'a2', 'b1']);
});

test('when all places are taken, the next one is of the key with the fewest running, whoever came first', async () => {
  const { started, enter } = useQueue({ total: 3, each: 3 });
  const leave = await enter('a1', 'a');
  await enter('a2', 'a');
  await enter('b1', 'b');
  void enter('a3', 'a');
  void enter('c1', 'c');
  await settle();
  leave();
  await settle();
  expect(started).toEqual(['a1', 'a2', 'b1', 'c1']);
});

test('both keys of a call are bounded: the member over all brands, and the brand over all members', async () => {
  const { started, enter } = useQueue({ each: 1 });
  const leave = await enter('first', 'member 1', 'brand 1');
  void enter('same member', 'member 1', 'brand 2');
  void enter('same brand', 'member 2', 'brand 1');
  await settle();
  expect(started).toEqual(['first']);
  leave();
  await settle();
  expect(started).toEqual(['first', 'same member', 'same brand']);
});

test('more than a key may have waiting are refused, others are not', async () => {
  const { queue, enter } = useQueue({ total: 1, waiting: 1 });
  await enter('a1', 'a');
  void enter('a2', 'a');
  await expect(enter('a3', 'a')).rejects.toMatchObject({ reason: 'tooMany' });
  void enter('b1', 'b');
  await settle();
  expect(queue.waiting).toBe(2);
});

test('what waits for the whole time is refused and forgotten', async () => {
  const { queue, enter } = useQueue({ total: 1, waitMs: 1 });
  await enter('a1', 'a');
  const refusal = await enter('b1', 'b').catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(QueueRefusal);
  expect(refusal).toMatchObject({ reason: 'tooLong' });
  expect(queue.waiting).toBe(0);
});

test('a caller who hangs up no longer waits', async () => {
  const { queue, enter } = useQueue({ total: 1 });
  const leave = await enter('a1', 'a');
  const caller = new AbortController();
  const waiting = queue.enter(['b'], caller.signal);
  caller.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
  leave();
  expect(queue.running).toBe(0);
});

test('an end that is said twice counts once, and work that fails leaves its place', async () => {
  const { queue, enter } = useQueue();
  const leave = await enter('a1', 'a');
  await enter('a2', 'a');
  leave();
  leave();
  expect(queue.running).toBe(1);
  await expect(queue.run(['b'], () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(queue.running).toBe(1);
});
