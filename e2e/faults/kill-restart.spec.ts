import { setTimeout as wait } from 'node:timers/promises';
import { expect, expectCleanStop, test } from '../support/fault.ts';
import { FAULT_ROUNDS, IS_LONG_RUN } from '../support/fault-rounds.ts';
import { commitRowsUntil, createProbe, readProbe } from '../support/probe.ts';
import { processesOf, signal } from '../support/processes.ts';
import { STOP_WITHIN_MS } from '../support/server.ts';

test.describe.configure({ timeout: 120_000 });

/** The duration of a first start on a slow machine, in milliseconds. */
const FIRST_START_MS = 2_500;
const FIRST_START_KILLS = IS_LONG_RUN ? 3 : 1;

for (const { label, between } of FAULT_ROUNDS) {
  test.describe('a first start', () => {
    test.use({ emptyFolder: true });

    test(`after kills at random moments of the first start the next start works (${label})`, async ({ launch }) => {
      for (let kill = 0; kill < FIRST_START_KILLS; kill += 1) {
        const delay = between(0, FIRST_START_MS);
        const killed = await launch();
        await Promise.race([wait(delay), killed.ended]);
        await killed.kill();
      }
      await expectCleanStop(await (await launch()).ready());
    });

    const STAGES = ['Creating the embedded PostgreSQL', 'Starting the embedded PostgreSQL', 'is ready'];
    test(`after a kill in each stage of the start the next start works (${label})`, { tag: '@release' }, async ({ launch }) => {
      for (const stage of STAGES) {
        const killed = await launch();
        expect(await killed.logged(stage), killed.log).toBe(true);
        await wait(between(0, 400));
        await killed.kill();
        // The next server would take over a running database and skip stages, so it is killed too.
        for (const { pid } of processesOf(killed.dataDir)) signal(pid, 'SIGKILL');
      }
      await expectCleanStop(await (await launch()).ready());
    });

    test(`a stop at a random moment of the first start ends in time (${label})`, { tag: '@release' }, async ({ launch, dataDir }) => {
      const stopped = await launch();
      await Promise.race([wait(between(0, FIRST_START_MS)), stopped.ended]);
      const { milliseconds } = await stopped.stop();
      expect(milliseconds).toBeLessThanOrEqual(STOP_WITHIN_MS);
      expect(stopped.errors, 'a requested stop is not a failure').toBe('');
      await expect.poll(() => processesOf(dataDir), { timeout: 5_000 }).toEqual([]);
      await expectCleanStop(await (await launch()).ready());
    });
  });

  for (const also of ['alone', 'with its database'] as const) {
    const tag = also === 'alone' ? '@release' : [];
    test(`a kill of the running server ${also} loses no committed row (${label})`, { tag }, async ({ launch, dataDir }) => {
      const killed = await (await launch()).ready();
      await createProbe(dataDir);
      const dead = wait(between(50, 500)).then(async () => {
        await killed.kill();
        if (also === 'with its database') for (const { pid } of processesOf(dataDir)) signal(pid, 'SIGKILL');
      });
      const acknowledged = await commitRowsUntil(dataDir, dead);
      await dead;
      expect(acknowledged.length).toBeGreaterThan(0);

      const restarted = await (await launch()).ready();
      const found = new Set(await readProbe(dataDir));
      expect(acknowledged.filter((id) => !found.has(id))).toEqual([]);
      await expectCleanStop(restarted);
    });
  }
}
