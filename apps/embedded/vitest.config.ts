import { defineProject } from 'vitest/config';

export default defineProject({
  test: {
    name: 'embedded',
    include: ['src/**/*.test.ts'],
    globalSetup: ['../server/test/global-setup.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
