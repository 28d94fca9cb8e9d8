import { defineProject } from 'vitest/config';

export default defineProject({
  test: {
    name: 'server',
    include: ['src/**/*.test.ts'],
    globalSetup: ['../../scripts/test-run.ts', 'test/global-setup.ts'],
    setupFiles: ['test/setup.ts'],
    tags: [
      {
        name: 'empty-installation',
        description: 'Needs a database in which nothing else is, or breaks what it is given.',
      },
    ],
    // One module graph per worker: each file has a database of its own, and loading the server 99 times costs more than the tests.
    isolate: false,
    // Its default of 1 s is too short for a busy machine.
    expect: { poll: { timeout: 10_000 } },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
