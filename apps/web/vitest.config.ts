import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { contractWithoutSchemas } from './vite/contract-without-schemas.ts';

const TESTS = 'src/**/*.test.{ts,tsx}';

/**
 * Files that replace a module with a mock need modules of their own; all others share one jsdom and one module graph.
 * For a function of ours, `vi.spyOn` on the imported module does without.
 */
const mocking = globSync(TESTS, { cwd: import.meta.dirname }).filter((file) =>
  readFileSync(join(import.meta.dirname, file), 'utf8').includes('vi.mock('),
);

/** `web` shares modules between files, which halves the CPU time; `web-mocks` isolates each file. */
export const webTests = (name: 'web' | 'web-mocks') =>
  defineConfig({
    plugins: [react(), contractWithoutSchemas()],
    test: {
      name,
      environment: 'jsdom',
      environmentOptions: { jsdom: { url: 'http://localhost:3000/' } },
      setupFiles: ['src/test/setup.ts'],
      ...(name === 'web'
        ? { include: [TESTS], exclude: mocking, isolate: false }
        : { include: mocking, isolate: true }),
      // The palette's test reads the values from the file itself.
      css: { include: /palette\.css\?raw/ },
      restoreMocks: true,
      // Its default of 1 s is too short for a busy machine.
      expect: { poll: { timeout: 8_000 } },
      testTimeout: 20_000,
    },
  });

export default webTests('web');
