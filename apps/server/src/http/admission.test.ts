import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createTestBrand, createTestKey, createTestMember, type TestUser } from '../../test/people.ts';
import { type TestApp, useOwnApp, useTestApp } from '../../test/test-app.ts';
import { type TestDatabase, WAITING_FOR_LOCK } from '../../test/test-database.ts';
import { CONNECTIONS } from '../db/database.ts';
import { runText } from '../db/statements.ts';

/** Two brands with a viewer each. */
async function useTwoBrands(portal?: TestApp) {
  const { app, database } = portal ?? (await useTestApp());
  const addViewer = async () => {
    const brandId = await createTestBrand(database.db);
    const viewer = await createTestMember(database.db, brandId, 'viewer');
    return { brandId, ...viewer };
  };
  const [busy, quiet] = [await addViewer(), await addViewer()];
  const read = (path: string, { brandId, headers }: TestUser & { brandId: number }) =>
    app.inject({ url: `/api/v1/brands/${brandId}/${path}`, headers });
  return { app, database, busy, quiet, read };
}

/** Every read of variants waits until the returned function is called. */
async function holdVariants({ pool }: TestDatabase): Promise<() => Promise<void>> {
  const client = await pool.connect();
  await client.query('begin; lock table variants, variant_counts in access exclusive mode');
  let isHeld = true;
  const release = async () => {
    if (!isHeld) return;
    isHeld = false;
    await client.query('rollback');
    client.release();
  };
  onTestFinished(release);
  return release;
}

/** No session can be checked until the returned function is called. */
async function holdSessions({ pool }: TestDatabase): Promise<() => Promise<void>> {
  const client = await pool.connect();
  await client.query('begin; lock table sessions, brand_members in access exclusive mode');
  return async () => {
    await client.query('rollback');
    client.release();
  };
}

const countWaiting = async ({ gate }: TestDatabase) => (await runText(gate, WAITING_FOR_LOCK, [])).length;

test('of a brand’s slow reads only a few take a connection, and another brand is answered', async () => {
  const { database, busy, quiet, read } = await useTwoBrands();
  const release = await holdVariants(database);
  const slow = Array.from({ length: 40 }, () => read('variants/', busy));
  await vi.waitFor(async () => expect(await countWaiting(database)).toBe(3), 30_000);
  expect((await read('', quiet)).statusCode).toBe(200);
  expect(await countWaiting(database)).toBe(3);
  await release();
  for (const answer of await Promise.all(slow)) expect(answer.statusCode).toBe(200);
});

test('a member who sends far more than is answered is told to wait for the answers', async () => {
  const { database, busy, quiet, read } = await useTwoBrands();
  const release = await holdVariants(database);
  const flood = Array.from({ length: 80 }, () => read('variants/', busy));
  const refused = await Promise.race(
    flood.map(async (call) => {
      const answer = await call;
      return answer.statusCode === 200 ? sleep(60_000, answer, { ref: false }) : answer;
    }),
  );
  expect(refused.statusCode).toBe(429);
  expect(refused.json()).toMatchObject({ code: 'rate_limited', detail: expect.stringContaining('at the same time') });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect((await read('', quiet)).statusCode).toBe(200);
  await release();
  await Promise.all(flood);
});

test('a read ends in the database when its caller hangs up', async () => {
  const { app, database, busy } = await useTwoBrands();
  await holdVariants(database);
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const caller = new AbortController();
  const url = `http://127.0.0.1:${port}/api/v1/brands/${busy.brandId}/variants/`;
  const calls = Array.from({ length: 3 }, () => fetch(url, { headers: busy.headers, signal: caller.signal }));
  const ended = Promise.allSettled(calls);
  await vi.waitFor(async () => expect(await countWaiting(database)).toBe(3), 30_000);
  caller.abort();
  await ended;
  await vi.waitFor(async () => expect(await countWaiting(database)).toBe(0), 30_000);
});

test('a download whose caller hangs up before its turn takes no place', async () => {
  const { app, database, busy } = await useTwoBrands(await useOwnApp());
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/api/v1/brands/${busy.brandId}/variants/export/?format=csv`;
  const release = await holdSessions(database);
  const left: Promise<unknown>[] = [];
  for (let call = 0; call < 10; call++) {
    const caller = new AbortController();
    const answer = fetch(url, { headers: busy.headers, signal: caller.signal });
    left.push(answer.catch((error: unknown) => error));
    await sleep(100);
    caller.abort();
  }
  await Promise.all(left);
  await sleep(500);
  await release();
  const answer = await fetch(url, { headers: busy.headers });
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain('gtin');
});

test('sessions are checked and health is answered while all other connections are taken', async () => {
  const { app, database, quiet } = await useTwoBrands();
  const taken = await Promise.all(Array.from({ length: CONNECTIONS }, () => database.pool.connect()));
  onTestFinished(() => taken.forEach((client) => void client.release()));
  const url = `/api/v1/brands/${quiet.brandId}/`;
  expect((await app.inject('/readyz')).statusCode).toBe(200);
  expect((await app.inject({ url, headers: { authorization: 'Bearer bp_wrong' } })).statusCode).toBe(401);
  expect((await app.inject({ method: 'DELETE', url, headers: quiet.headers })).statusCode).toBe(403);
});

test('guessed API keys are limited as strictly as passwords, before they are looked up', async () => {
  const { app, database } = await useOwnApp({ config: { requestsPerMinute: 20 } });
  const brandId = await createTestBrand(database.db);
  const maker = await createTestMember(database.db, brandId, 'owner');
  const key = await createTestKey(database.db, maker, brandId, 'viewer');
  const call = (token: string) => app.inject({ url: `/api/v1/brands/${brandId}/`, headers: { authorization: `Bearer ${token}` } });
  expect((await call(key.key)).statusCode).toBe(200);
  const guesses: number[] = [];
  for (let guess = 1; guess <= 4; guess++) guesses.push((await call(`bp_guess${guess}`)).statusCode);
  expect(guesses).toEqual([401, 429, 429, 429]);
  // The key that was used a moment ago has a limit of its own.
  expect((await call(key.key)).statusCode).toBe(200);
});

test('a write over a real connection, whose body has been read, takes its turn', async () => {
  const { app, database } = await useOwnApp();
  const brandId = await createTestBrand(database.db);
  const owner = await createTestMember(database.db, brandId, 'owner');
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const answer = await fetch(`${url}/api/v1/brands/${brandId}/`, {
    method: 'PATCH',
    headers: { ...owner.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ description: 'Tea' }),
  });
  expect(answer.status).toBe(200);
});
