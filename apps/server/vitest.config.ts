import { defineProject } from 'vitest/config';

export default defineProject({
  test: {
    name: 'server',
    include: ['src/**/*.test.ts'],
    globalSetup: ['test/global-setup.ts'],
    // One module graph per worker: each file has databases of its own, and loading the server 99 times costs more than the tests.
    isolate: false,
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
