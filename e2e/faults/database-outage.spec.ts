import { setTimeout as wait } from 'node:timers/promises';
import { TestBrand } from '../support/brand-api.ts';
import { expect, test } from '../support/fault.ts';
import { databaseUrl, withConnection } from '../support/probe.ts';
import { type ServerProcess, UNLIMITED } from '../support/server.ts';
import { TcpProxy } from '../support/tcp-proxy.ts';

test.describe.configure({ timeout: 120_000 });

const AT_A_TIME = 8;
const DELAY_MS = 100;

interface Answer {
  status: number;
  code: string | undefined;
  ms: number;
}

/** Starts two servers with one database. The second connects through a proxy that the test controls. */
async function useFragileServer(launch: (options?: object) => Promise<ServerProcess>, dataDir: string) {
  await (await launch()).ready();
  const url = new URL(databaseUrl(dataDir));
  const proxy = await TcpProxy.start({ host: url.hostname, port: Number(url.port) });
  url.port = String(proxy.port);
  const server = await (await launch({ dataDir: `${dataDir}/second`, env: { DATABASE_URL: url.href, ...UNLIMITED } })).ready();
  return { server, proxy, brand: await TestBrand.create(dataDir, 'Outages') };
}

/** Sends requests without pause until stopped. */
function startLoad(server: ServerProcess, brand: TestBrand) {
  const answers: Answer[] = [];
  let stopped = false;
  const worker = async () => {
    while (!stopped) {
      const started = performance.now();
      const answer = await fetch(`${server.url}/api/v1/brands/${brand.id}/variants/`, { headers: brand.headers });
      const { code } = (await answer.json()) as { code?: string };
      answers.push({ status: answer.status, code, ms: performance.now() - started });
    }
  };
  const workers = Promise.all(Array.from({ length: AT_A_TIME }, worker));
  return {
    answers,
    stop: async () => {
      stopped = true;
      await workers;
    },
  };
}

/** Writes increasing numbers into the brand's description until `stop` resolves. Returns the confirmed ones. */
async function writeUntil(server: ServerProcess, brand: TestBrand, stop: Promise<unknown>): Promise<number[]> {
  const confirmed: number[] = [];
  let stopped = false;
  void stop.then(() => {
    stopped = true;
  });
  for (let number = 1; !stopped; number += 1) {
    const body = JSON.stringify({ description: String(number) });
    const status = await brand.call(server, 'PATCH', `/api/v1/brands/${brand.id}/`, body, {
      'content-type': 'application/json',
    });
    if (status === 200) confirmed.push(number);
  }
  return confirmed;
}

test('a slow database delays answers, an unreachable one gives 503, and the server recovers without a restart', async ({
  launch,
  dataDir,
}) => {
  const { server, proxy, brand } = await useFragileServer(launch, dataDir);
  const load = startLoad(server, brand);
  await expect.poll(() => load.answers.length).toBeGreaterThan(100);
  proxy.delay = DELAY_MS;
  // The delay applies in each direction.
  await expect.poll(() => load.answers.filter(({ ms }) => ms >= 2 * DELAY_MS).length).toBeGreaterThan(AT_A_TIME);
  const health = performance.now();
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  expect(performance.now() - health, 'others do not wait for the database').toBeLessThan(2_000);
  proxy.delay = 0;
  expect(load.answers.every(({ status }) => status === 200)).toBe(true);

  proxy.cut();
  const refusals = () => load.answers.filter(({ status }) => status !== 200);
  await expect.poll(() => refusals().length).toBeGreaterThan(100);
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  expect((await fetch(`${server.url}/readyz`)).status).toBe(503);
  expect([...new Set(refusals().map(({ status, code }) => `${status} ${code}`))]).toEqual(['503 database_unavailable']);

  proxy.restore();
  await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status, { timeout: 10_000 }).toBe(200);
  const restored = load.answers.length;
  await expect.poll(() => load.answers.length).toBeGreaterThan(restored + 100);
  await load.stop();
  expect(load.answers.slice(restored + AT_A_TIME).every(({ status }) => status === 200)).toBe(true);
  expect(Math.max(...load.answers.map(({ ms }) => ms)), 'nobody waits longer than a browser would').toBeLessThan(10_000);
  await proxy.stop();
});

test('repeatedly broken connections during writes lose no confirmed write', { tag: '@release' }, async ({ launch, dataDir }) => {
  const { server, proxy, brand } = await useFragileServer(launch, dataDir);
  const breaks = (async () => {
    for (let time = 0; time < 8; time += 1) {
      // Not after a confirmed write: the break may come at any moment of one.
      await wait(250);
      proxy.breakConnections();
    }
  })();
  const confirmed = await writeUntil(server, brand, breaks);
  expect(confirmed.length).toBeGreaterThan(0);
  const { description, audited } = await withConnection(databaseUrl(dataDir), async (client) => {
    const { rows } = await client.query<{ description: string; audited: number[] }>(
      `select description, (select array_agg((details ->> 'description')::int) from audit_log where brand_id = $1 and action = 'brand.updated') as audited
       from brands where id = $1`,
      [brand.id],
    );
    return rows[0] as { description: string; audited: number[] };
  });
  expect(Number(description)).toBeGreaterThanOrEqual(Math.max(...confirmed));
  // A change and its audit entry are one transaction, so each confirmed number is in both.
  expect(confirmed.filter((number) => !audited.includes(number))).toEqual([]);
  expect(audited).toContain(Number(description));
  await proxy.stop();
});
