import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Its default leaves one core idle, which is half of the smallest machine this has to be quick on.
    maxWorkers: '100%',
    projects: ['packages/contract', 'apps/server', 'apps/web', 'scripts'],
  },
});
