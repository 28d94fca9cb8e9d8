import { execFileSync } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { test as base, expect } from '@playwright/test';
import { makeDataFolder, removeDataFolder } from './data-folder.ts';
import { processesOf } from './processes.ts';
import { launchServer, type ServerProcess, STOP_WITHIN_MS, startServer } from './server.ts';

type LaunchOptions = Partial<Parameters<typeof launchServer>[0]>;

interface RunFixtures {
  /** The data folder of a server that was started and stopped once: has a migrated database with demo data. */
  usedFolder: string;
}

interface FaultFixtures {
  /** For tests of a first start. All others start with a copy of `usedFolder`, which saves seconds. */
  emptyFolder: boolean;
  dataDir: string;
  /** Starts a server, by default in `dataDir`. It is killed at the end of the test. */
  launch: (options?: LaunchOptions) => Promise<ServerProcess>;
}

export const test = base.extend<FaultFixtures, RunFixtures>({
  usedFolder: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the wanted fixtures from this pattern.
    async ({}, use) => {
      const folder = await makeDataFolder();
      await (await startServer({ dataDir: folder })).stop();
      await use(folder);
      await removeDataFolder(folder);
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  emptyFolder: [false, { option: true }],
  dataDir: async ({ emptyFolder, usedFolder }, use) => {
    const dataDir = await makeDataFolder();
    // Keeps owners and modes, which PostgreSQL checks.
    if (!emptyFolder) execFileSync('cp', ['-a', `${usedFolder}/.`, dataDir]);
    await use(dataDir);
    await removeDataFolder(dataDir);
  },
  launch: async ({ dataDir }, use, testInfo) => {
    const servers: ServerProcess[] = [];
    await use(async (options) => {
      const server = await launchServer({ dataDir, ...options });
      servers.push(server);
      return server;
    });
    for (const [index, server] of servers.entries()) {
      await server.kill();
      if (testInfo.status !== testInfo.expectedStatus) {
        await testInfo.attach(`log of server ${index + 1}`, { body: server.log, contentType: 'text/plain' });
      }
    }
  },
});

/** Stops the server. It must end in time, with exit code 0, and leave no process behind. */
export async function expectCleanStop(server: ServerProcess): Promise<void> {
  const { code, signal, milliseconds } = await server.stop();
  expect({ code, signal }, server.log).toEqual({ code: 0, signal: null });
  expect(milliseconds).toBeLessThanOrEqual(STOP_WITHIN_MS);
  expect(processesOf(server.dataDir)).toEqual([]);
}

const REFUSE_WITHIN_MS = 20_000;

/** The server must exit on its own and print one line with the reason, without a stack trace. */
export async function expectRefusal(server: ServerProcess, reason: RegExp): Promise<void> {
  const ending = await Promise.race([server.ended, wait(REFUSE_WITHIN_MS)]);
  expect(ending, `still running after ${REFUSE_WITHIN_MS} ms; its log:\n${server.log}`).toBeTruthy();
  const { code, signal } = await server.ended;
  expect({ failed: code !== 0, signal }, server.log).toEqual({ failed: true, signal: null });
  expect(server.errors).toMatch(/^[A-Z][^\n]+[.]$/);
  expect(server.errors).toMatch(reason);
}

export async function expectReady(server: ServerProcess): Promise<void> {
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
}

export { expect };
