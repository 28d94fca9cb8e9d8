import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createImportQueue } from './import-queue.ts';

const staying = new AbortController().signal;

test('one import per brand runs at a time, and a few in all', async () => {
  const queue = createImportQueue({ running: 2, admitted: 9, admittedPerUser: 9 });
  const log: string[] = [];
  const ends = new Map<string, () => void>();
  const enter = (brandId: number, name: string) =>
    queue.run(brandId, staying, async () => {
      log.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
    });
  const end = async (name: string) => {
    ends.get(name)?.();
    await sleep(1);
  };
  const all = [enter(1, 'a'), enter(1, 'b'), enter(2, 'c'), enter(3, 'd')];
  await sleep(1);
  expect(log).toEqual(['a', 'c']);
  await end('c');
  expect(log).toEqual(['a', 'c', 'd']);
  await end('a');
  expect(log).toEqual(['a', 'c', 'd', 'b']);
  await end('d');
  await end('b');
  await Promise.all(all);
});

test('whoever leaves the queue does not run, and an import that fails lets the next one run', async () => {
  const queue = createImportQueue({ running: 1, admitted: 9, admittedPerUser: 9 });
  const leaver = new AbortController();
  const { promise, reject } = Promise.withResolvers<void>();
  const failing = queue.run(1, staying, () => promise);
  const leaving = queue.run(1, leaver.signal, async () => 'never');
  const next = queue.run(1, staying, async () => 'next');
  leaver.abort(new Error('gone'));
  await expect(leaving).rejects.toThrow('gone');
  reject(new Error('failed'));
  await expect(failing).rejects.toThrow('failed');
  expect(await next).toBe('next');
});

test('too many uploads, of one member or of all, are turned away until one is done', async () => {
  const queue = createImportQueue({ running: 1, admitted: 3, admittedPerUser: 2 });
  const { promise, resolve } = Promise.withResolvers<void>();
  const admit = (userId: number, work = () => promise) => queue.admit(userId, 'crowded', work);
  const first = [admit(1), admit(1)];
  await expect(admit(1)).rejects.toMatchObject({ code: 'too_many_imports', message: 'crowded' });
  first.push(admit(2));
  await expect(admit(3)).rejects.toThrow('crowded');
  resolve();
  await Promise.all(first);
  await admit(3);
});
