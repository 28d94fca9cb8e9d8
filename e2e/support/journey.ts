import { test as base, expect } from '@playwright/test';
import { makeDataFolder, removeDataFolder } from './data-folder.ts';
import { collectProblems } from './page-problems.ts';
import { type ServerProcess, STOP_WITHIN_MS, startServer } from './server.ts';

interface RunFixtures {
  server: ServerProcess;
}

interface JourneyFixtures {
  /** Problems that this journey causes on purpose, such as the console error of a refused request. */
  expectedProblems: RegExp;
}

/** A test in the browser against a real server with its own database. Fails at the end if the page had problems. */
export const test = base.extend<JourneyFixtures, RunFixtures>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the wanted fixtures from this pattern.
    async ({}, use) => {
      const dataDir = await makeDataFolder();
      try {
        const server = await startServer({ dataDir });
        await use(server);
        const { code, milliseconds } = await server.stop();
        expect({ code, inTime: milliseconds <= STOP_WITHIN_MS }, server.log).toEqual({ code: 0, inTime: true });
      } finally {
        await removeDataFolder(dataDir);
      }
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  baseURL: async ({ server }, use) => use(server.url),
  expectedProblems: [/^$/, { option: true }],
  page: async ({ page, server, expectedProblems }, use, testInfo) => {
    const problems = await collectProblems(page, server.url);
    const logStart = server.log.length;
    await use(page);
    if (testInfo.status !== testInfo.expectedStatus) {
      await testInfo.attach('server log', { body: server.log.slice(logStart), contentType: 'text/plain' });
    }
    expect(problems.filter((problem) => !expectedProblems.test(problem))).toEqual([]);
  },
});

export { expect };
