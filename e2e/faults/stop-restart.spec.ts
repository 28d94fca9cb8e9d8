import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, expectCleanStop, test } from '../support/fault.ts';
import { createProbe, databaseUrl, readProbe, withConnection } from '../support/probe.ts';
import type { ServerProcess } from '../support/server.ts';

test.describe.configure({ timeout: 60_000 });

/** Sends the headers and half of the body. The server has accepted the request, but cannot answer before `finish`. */
async function startRequest(server: ServerProcess) {
  const body = JSON.stringify({ text: 'half of it now, half of it later' });
  const request = httpRequest(`${server.url}/api/v1/no-such-thing/`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      expect: '100-continue',
    },
  });
  let isAnswered = false;
  const answer = new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    request.on('error', reject);
    request.on('response', async (response: IncomingMessage) => {
      isAnswered = true;
      let text = '';
      for await (const chunk of response.setEncoding('utf8')) text += chunk;
      resolve({ status: response.statusCode, body: text });
    });
  });
  // Awaited later. Until then a rejection must not count as unhandled.
  answer.catch(() => {});
  request.flushHeaders();
  await once(request, 'continue');
  request.write(body.slice(0, 10));
  return { answer, isAnswered: () => isAnswered, finish: () => request.end(body.slice(10)) };
}

test('a stopping server answers the running request, accepts no new one, and ends in time', async ({ launch }) => {
  const server = await (await launch()).ready();
  const underWay = await startRequest(server);
  const stopped = expectCleanStop(server);
  const ask = (path: string) =>
    fetch(server.url + path).then(
      ({ status }) => status,
      () => 'refused',
    );
  await expect.poll(() => ask('/readyz'), 'load balancers are told first').toBe(503);
  await expect.poll(() => ask('/healthz')).toBe('refused');
  expect(server.isRunning).toBe(true);
  expect(underWay.isAnswered(), 'the request must still be running').toBe(false);
  underWay.finish();
  const { status, body } = await underWay.answer;
  expect(status).toBe(404);
  expect(JSON.parse(body)).toMatchObject({ code: 'not_found' });
  await stopped;
});

test('stopping under load fails no call of clients that check /readyz, like load balancers', {
  tag: '@release',
}, async ({ launch }) => {
  const server = await (await launch()).ready();
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const ask = (path: string) =>
    new Promise<number | string>((resolve) => {
      const request = httpRequest(server.url + path, { agent }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode ?? 0));
      });
      request.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
      request.end();
    });
  const outcomes = new Set<number | string>();
  let calls = 0;
  let isReady = true;
  const callWhileReady = async () => {
    for (; isReady; calls++) outcomes.add(await ask('/favicon.svg'));
  };
  const watchReadiness = async () => {
    for (; isReady; await wait(50)) isReady = (await ask('/readyz')) === 200;
  };
  const callers = [watchReadiness(), ...Array.from({ length: 8 }, callWhileReady)];
  await expect.poll(() => calls).toBeGreaterThan(300);
  await expectCleanStop(server);
  await Promise.all(callers);
  agent.destroy();
  expect([...outcomes]).toEqual([200]);
});

test('a request that never ends does not delay the stop beyond its deadline', { tag: '@release' }, async ({ launch }) => {
  const server = await (await launch()).ready();
  await startRequest(server);
  const { milliseconds } = await server.stop();
  expect(milliseconds).toBeLessThanOrEqual(5_000);
});

test('a second start uses the data of the first', { tag: '@release' }, async ({ launch, dataDir }) => {
  const first = await (await launch()).ready();
  await createProbe(dataDir);
  await withConnection(databaseUrl(dataDir), (client) => client.query('insert into fault_probe.rows values (7)'));
  await expectCleanStop(first);

  const second = await (await launch()).ready();
  expect(second.log).not.toContain('Creating the embedded PostgreSQL');
  expect(await readProbe(dataDir)).toEqual([7]);
  await expectCleanStop(second);
});
