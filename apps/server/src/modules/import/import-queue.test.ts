import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createImportQueue } from './import-queue.ts';
import { importTexts } from './rows/describe.ts';

const roomy = { total: 9, perBrand: 9, perUser: 9 };
const ofBrand = (brandId: number, userId = 1) => ({ brandId, userId, language: 'en' as const });

const FULL = importTexts('en').uploads.crowded;
const staying = new AbortController().signal;

test('one import per brand runs at a time, up to a total limit', async () => {
  const queue = createImportQueue({ running: 2, arriving: roomy, arrived: roomy });
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

test('brands take turns: the second file of one waits for the first file of another', async () => {
  const queue = createImportQueue({ running: 1, arriving: roomy, arrived: roomy });
  const log: string[] = [];
  const enter = (brandId: number, name: string) => queue.run(brandId, staying, async () => void log.push(name));
  await Promise.all([enter(1, 'a1'), enter(1, 'a2'), enter(1, 'a3'), enter(2, 'b1'), enter(3, 'c1'), enter(2, 'b2')]);
  expect(log).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

test('an import that leaves the queue does not run, and after a failed import the next one runs', async () => {
  const queue = createImportQueue({ running: 1, arriving: roomy, arrived: roomy });
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

test('too many uploads of one member, of one brand or in total are refused until one is done', async () => {
  const places = { total: 4, perBrand: 3, perUser: 2 };
  const queue = createImportQueue({ running: 1, arriving: places, arrived: roomy });
  const { promise, resolve } = Promise.withResolvers<void>();
  const receive = (brandId: number, userId: number, work = () => promise) =>
    queue.receive(ofBrand(brandId, userId), work);
  const first = [receive(1, 1), receive(1, 1)];
  await expect(receive(1, 1)).rejects.toMatchObject({ code: 'too_many_imports' });
  first.push(receive(1, 2));
  await expect(receive(1, 3)).rejects.toThrow(FULL);
  first.push(receive(2, 4));
  await expect(receive(3, 5)).rejects.toThrow(FULL);
  resolve();
  await Promise.all(first);
  await receive(3, 5);
});

test('files that are still being sent do not use up the limit of those that have arrived', async () => {
  const one = { total: 1, perBrand: 1, perUser: 1 };
  const queue = createImportQueue({ running: 1, arriving: one, arrived: one });
  const { promise, resolve } = Promise.withResolvers<void>();
  const dripping = queue.receive(ofBrand(1, 1), () => promise);
  const leave = queue.keep(ofBrand(2, 2));
  expect(() => queue.keep(ofBrand(3, 3))).toThrow(FULL);
  expect(await queue.run(2, staying, async () => 'imported')).toBe('imported');
  leave();
  queue.keep(ofBrand(3, 3));
  resolve();
  await dripping;
});
