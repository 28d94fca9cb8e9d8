import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: ['packages/contract', 'apps/server', 'apps/embedded', 'apps/web', 'apps/web/vitest.config.mocks.ts', 'scripts'],
  },
});
