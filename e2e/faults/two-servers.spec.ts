import { TestBrand } from '../support/brand-api.ts';
import { expect, expectCleanStop, test } from '../support/fault.ts';
import { databaseUrl } from '../support/probe.ts';
import { UNLIMITED } from '../support/server.ts';
import { TcpProxy } from '../support/tcp-proxy.ts';

test.describe.configure({ timeout: 120_000 });

const AT_A_TIME = 6;
/** Answered before the kill, and again after it. */
const ANSWERS = 100;

test('two servers behind one address: killing one fails only the requests it was processing', async ({ launch, dataDir }) => {
  const first = await (await launch({ env: UNLIMITED })).ready();
  const second = await (await launch({ dataDir: `${dataDir}/second`, env: { DATABASE_URL: databaseUrl(dataDir), ...UNLIMITED } })).ready();
  const brand = await TestBrand.create(dataDir, 'Twice');
  const address = await TcpProxy.start({ host: 'localhost', port: first.port }, { host: 'localhost', port: second.port });

  let stopped = false;
  let answered = 0;
  const failures: number[] = [];
  const worker = async () => {
    while (!stopped) {
      const answer = await fetch(`http://127.0.0.1:${address.port}/api/v1/brands/${brand.id}/variants/`, {
        // Without keep-alive, each call opens a connection, and the proxy chooses a server for it.
        headers: { ...brand.headers, connection: 'close' },
      }).catch(() => undefined);
      const text = await answer?.text().catch(() => undefined);
      if (answer?.status === 200 && text !== undefined) answered += 1;
      else failures.push(answer?.status ?? 0);
    }
  };
  const workers = Promise.all(Array.from({ length: AT_A_TIME }, worker));
  await expect.poll(() => answered).toBeGreaterThanOrEqual(ANSWERS);
  expect(failures).toEqual([]);
  await second.kill();
  const before = answered;
  await expect.poll(() => answered - before).toBeGreaterThanOrEqual(ANSWERS);
  stopped = true;
  await workers;

  expect(failures.length).toBeLessThanOrEqual(AT_A_TIME);
  expect(
    failures.every((status) => status === 0),
    'a killed server does not answer',
  ).toBe(true);
  await address.stop();
  await expectCleanStop(first);
});
