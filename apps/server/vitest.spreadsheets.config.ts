import { defineConfig } from 'vitest/config';

/** `npm run test:spreadsheets`: what needs LibreOffice. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    name: 'spreadsheets',
    include: ['test/*.long.ts'],
    globalSetup: ['../../scripts/test-run.ts', 'test/global-setup.ts'],
    setupFiles: ['test/setup.ts'],
    testTimeout: 180_000,
    hookTimeout: 60_000,
  },
});
