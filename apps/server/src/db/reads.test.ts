// @module-tag empty-installation
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { useTestDatabase } from '../../test/test-database.ts';
import { asRead, ofThisRead } from './reads.ts';

test('when the caller hangs up during a download, its query ends in the database', async () => {
  const { db, gate } = await useTestDatabase();
  const caller = new AbortController();
  let ended = 0;
  async function* batches(): AsyncGenerator<number, void> {
    yield 1;
    try {
      await sql`select pg_sleep(60), 'a batch'`.execute(db);
    } finally {
      ended += 1;
    }
  }
  const rows = await asRead(caller.signal, async () => ofThisRead(batches()));
  expect(await rows.next()).toEqual({ done: false, value: 1 });
  const second = rows.next();
  const running = async () =>
    (await sql`select from pg_stat_activity where query like '%''a batch''' and state = 'active'`.execute(gate)).rows;
  await vi.waitFor(async () => expect(await running()).toHaveLength(1));
  caller.abort();
  await expect(second).rejects.toThrow();
  expect(ended).toBe(1);
  // PostgreSQL sends the error first, and shows the connection as idle a moment later.
  await expect.poll(running).toHaveLength(0);
});

test('what a caller no longer takes is read no further', async () => {
  const caller = new AbortController();
  const read: number[] = [];
  let ended = false;
  async function* batches(): AsyncGenerator<number, void> {
    try {
      for (let batch = 1; batch < 100; batch++) {
        read.push(batch);
        await sleep(0);
        yield batch;
      }
    } finally {
      ended = true;
    }
  }
  const rows = await asRead(caller.signal, async () => ofThisRead(batches()));
  for await (const batch of rows) if (batch === 2) break;
  expect(read).toEqual([1, 2]);
  expect(ended).toBe(true);
});
